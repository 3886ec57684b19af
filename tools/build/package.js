// packages/edgeflake/dist: the modules and their JavaScript, which the package's entry files
// import.

import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { esbuild, root } from "../command/paths.js";
import { run } from "../command/run.js";
import { copyModule, finish, generated, modules } from "./compile.js";

const home = join(root, "packages", "edgeflake");
const dist = join(home, "dist");

export function buildPackage() {
  for (const module of [modules.ids, modules.lease]) buildModule(module);
  buildForWorkers();
  // npm packs only what lies in the package's directory.
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(root, file), join(home, file));
}

/** @param {import("./compile.js").Module} module */
export function buildModule(module) {
  if (finish(module)) {
    const base64 = readFileSync(join(generated(module), `${module.name}_bg.wasm`), "base64");
    const inline = join(generated(module), `${module.name}_inline.js`);
    writeFileSync(inline, `export default "${base64}";\n`);
  }
  copyModule(module, dist);
}

/**
 * What Workers load of packages/edgeflake/dist, minified, because wrangler does not minify what it
 * uploads. It follows the source maps of what it bundles, so that stacks name the source. What lies
 * two levels deep in the package's entry does so in dist, and finds the modules by the same paths.
 */
function buildForWorkers() {
  const entry = join(home, "entry");
  run(esbuild, [
    join(entry, "workerd.js"),
    join(entry, "lease", "workerd.js"),
    "--bundle",
    "--splitting",
    "--chunk-names=shared",
    "--format=esm",
    "--target=es2022",
    "--minify",
    "--sourcemap",
    "--sources-content=false",
    "--external:*.wasm",
    "--external:cloudflare:workers",
    `--outbase=${entry}`,
    `--outdir=${dist}`,
    "--log-level=warning",
  ]);
}
