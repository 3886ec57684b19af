// build/worker and its like: what wrangler uploads.

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { esbuild, root } from "../command/paths.js";
import { run } from "../command/run.js";
import { finish, generated } from "./compile.js";

/** The entry of edgeflake's Worker. */
export const workerEntry = "worker/src/entry.js";

/**
 * Bundles an entry with the JavaScript of its module, which it imports as
 * `edgeflake-module`. Answers the directory.
 *
 * @param {import("./compile.js").Module} module
 * @param {string} entry
 */
export function buildWorker(module, entry) {
  finish(module);
  const directory = join(root, "build", module.name);
  mkdirSync(directory, { recursive: true });
  run(esbuild, [
    join(root, entry),
    "--bundle",
    "--format=esm",
    "--target=es2022",
    "--minify",
    `--alias:edgeflake-module=${join(generated(module), "index.js")}`,
    "--external:*.wasm",
    "--external:cloudflare:workers",
    `--outfile=${join(directory, "index.js")}`,
    "--log-level=warning",
  ]);
  cpSync(join(generated(module), "index_bg.wasm"), join(directory, "index_bg.wasm"));
  return directory;
}
