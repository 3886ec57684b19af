// Builds the directories that wrangler uploads, such as build/worker.

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../command/paths.js";
import { bundle, finish, generated } from "./compile.js";

export const workerEntry = "worker/src/entry.js";

/** esbuild options: an entry point imports `edgeflake-module` from the file glue.js beside it. */
export const besideGlue = ["--alias:edgeflake-module=./glue.js", "--external:./glue.js"];

/**
 * Bundles an entry point, and copies the files of its module beside it. Returns the directory.
 *
 * @param {import("./compile.js").Module} module @param {string} entry
 */
export function buildWorker(module, entry) {
  const directory = join(root, "build", module.name);
  copyModuleFiles(module, directory);
  bundle([
    join(root, entry),
    ...besideGlue,
    "--external:cloudflare:workers",
    `--outfile=${join(directory, "index.js")}`,
  ]);
  return directory;
}

/** @param {import("./compile.js").Module} module @param {string} directory */
export function copyModuleFiles(module, directory) {
  finish(module);
  mkdirSync(directory, { recursive: true });
  for (const file of ["glue.js", "index_bg.wasm"])
    cpSync(join(generated(module), file), join(directory, file));
}
