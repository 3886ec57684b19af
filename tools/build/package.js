// Builds packages/edgeflake/dist, the published package without its package.json and README.

import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../command/paths.js";
import { bundle, external, modules } from "./compile.js";
import { buildCommonJs, buildDeclarations, buildJavaScript, WORKERD } from "./javascript.js";
import { buildModule } from "./npm-module.js";
import { buildPage } from "./page.js";
import { buildTypes } from "./types.js";
import { besideGlue, buildWorker, copyModuleFiles, workerEntry } from "./worker.js";

const home = join(root, "packages", "edgeflake");
const dist = join(home, "dist");

export function buildPackage() {
  // Empty dist first, so that files that were deleted from src are not published.
  rmSync(dist, { force: true, recursive: true });
  for (const module of [modules.ids, modules.lease, modules.postgres]) buildModule(module);
  // This is the Worker that wrangler.toml deploys.
  cpSync(buildWorker(modules.worker, workerEntry), join(dist, "worker"), { recursive: true });
  buildForNode();
  buildTypes(dist);
  buildJavaScript();
  chmodSync(join(dist, "cli", "cli.js"), 0o755);
  buildDeclarations();
  buildCommonJs();
  buildForWorkers();
  // `edgeflake dev` serves the page beside the Worker.
  cpSync(buildPage(), join(dist, "www"), { recursive: true });
  cpSync(join(root, "wire", "src", "database.sql"), join(dist, "postgres", "database.sql"));
  // npm packs only files in the package's directory.
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(root, file), join(home, file));
}

/**
 * Bundles the entry points for Workers in place. The bundles are minified, because wrangler does
 * not minify the files that it uploads. Wrangler reads the bundles' source maps, so stack traces
 * name the files of dist.
 */
function buildForWorkers() {
  const entries = WORKERD.map((entry) => `entrypoints/${entry}`);
  const sources = entries.map((entry) => `${entry}.ts`);
  buildJavaScript(root, sources);
  bundle([
    ...entries.map((entry) => join(dist, `${entry}.js`)),
    // The authority is bundled with the entry points, so that all of them share one class
    // EdgeflakeError.
    `authority/index=${join(root, "worker", "crate", "src", "entry.js")}`,
    ...besideGlue,
    `--alias:edgeflake-lifecycle=${join(dist, "leased", "lifecycle.js")}`,
    `--alias:edgeflake-error=${join(dist, "error.js")}`,
    "--splitting",
    "--chunk-names=shared/[hash]",
    "--mangle-props=^__(wbg_ptr|wrap|destroy_into_raw)$",
    "--sourcemap",
    "--sources-content=false",
    ...external,
    "--allow-overwrite",
    `--outbase=${dist}`,
    `--outdir=${dist}`,
  ]);
  const directory = join(dist, "authority");
  copyModuleFiles(modules.authority, directory);
  // Remove the source map, because the package does not contain the sources to which it refers.
  const script = join(directory, "index.js");
  rmSync(`${script}.map`);
  writeFileSync(script, readFileSync(script, "utf8").replace(/\/\/# sourceMappingURL=.*\n/, ""));
}

/**
 * Builds the Worker for `edgeflake/authority/node` as a function that takes the platform's imports
 * as arguments. Each call of the function stands for a new isolate. The call creates a new copy of
 * the module's variables, in which an isolate keeps its leases.
 */
function buildForNode() {
  const file = join(dist, "worker_node.js");
  const args = [
    ...external,
    "--banner:js=export const instantiate = (require) => { const module = { exports: {} };",
    "--footer:js=return module.exports; };",
  ];
  bundle([join(dist, "worker", "index.js"), ...args, `--outfile=${file}`], "cjs");
  const type = "(require: (name: string) => unknown) => any";
  writeFileSync(file.replace(/js$/, "d.ts"), `export const instantiate: ${type};\n`);
}
