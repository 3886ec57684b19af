// Builds the directories that wrangler uploads, such as build/worker.

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { esbuild, root } from "../command/paths.js";
import { run } from "../command/run.js";
import { finish, generated } from "./compile.js";

export const workerEntry = "worker/src/entry.js";

/** esbuild options: an entry point imports `edgeflake-module` from the file glue.js beside it. */
export const besideGlue = ["--alias:edgeflake-module=./glue.js", "--external:./glue.js"];

/** The files of a module that is built for Workers. */
const moduleFiles = ["glue.js", "index_bg.wasm"];

/**
 * Bundles an entry point, and copies the files of its module beside it. Returns the directory.
 *
 * @param {import("./compile.js").Module} module
 * @param {string} entry
 */
export function buildWorker(module, entry) {
  const directory = join(root, "build", module.name);
  copyModuleFiles(module, directory);
  run(esbuild, [
    join(root, entry),
    "--bundle",
    "--format=esm",
    "--target=es2022",
    "--minify",
    ...besideGlue,
    "--external:cloudflare:workers",
    `--outfile=${join(directory, "index.js")}`,
    "--log-level=warning",
  ]);
  return directory;
}

/** @param {import("./compile.js").Module} module @param {string} directory */
export function copyModuleFiles(module, directory) {
  finish(module);
  mkdirSync(directory, { recursive: true });
  for (const file of moduleFiles) cpSync(join(generated(module), file), join(directory, file));
}
