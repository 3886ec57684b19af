// packages/edgeflake/dist: the modules and their JavaScript, which the package's entry files
// import.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { esbuild, root } from "../command/paths.js";
import { run } from "../command/run.js";
import { modules } from "./compile.js";
import { buildModule } from "./npm-module.js";
import { buildPage } from "./page.js";
import { besideGlue, buildWorker, copyModuleFiles, workerEntry } from "./worker.js";

const home = join(root, "packages", "edgeflake");
const dist = join(home, "dist");

export function buildPackage() {
  for (const module of [modules.ids, modules.lease]) buildModule(module);
  // The Worker as wrangler.toml deploys it.
  cpSync(buildWorker(modules.worker, workerEntry), join(dist, "worker"), { recursive: true });
  buildForWorkers();
  buildForNode();
  buildCommonJs();
  copyPage();
  // npm packs only what lies in the package's directory.
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(root, file), join(home, file));
}

/**
 * Bundles the files of packages/edgeflake/dist that Workers load. They are minified because wrangler
 * does not minify what it uploads. It follows the source maps of what it bundles, so that stacks name
 * the source. A file that lies two levels deep in the package's entry does so in dist, and finds the
 * modules by the same paths.
 */
function buildForWorkers() {
  const entry = join(home, "entry");
  // Chunks that two entries share are named by their content.
  rmSync(join(dist, "shared"), { force: true, recursive: true });
  run(esbuild, [
    join(entry, "workerd.js"),
    join(entry, "lease", "workerd.js"),
    join(entry, "testing.js"),
    // With the others, so that an EdgeflakeError is the same class in all of them.
    `authority/index=${join(root, "worker", "crate", "src", "entry.js")}`,
    ...besideGlue,
    `--alias:edgeflake-lifecycle=${join(home, "lib", "lifecycle.js")}`,
    `--alias:edgeflake-error=${join(home, "lib", "error.js")}`,
    "--bundle",
    "--splitting",
    "--chunk-names=shared/[hash]",
    "--format=esm",
    "--target=es2022",
    "--minify",
    "--mangle-props=^__(wbg_ptr|wrap|destroy_into_raw)$",
    "--sourcemap",
    "--sources-content=false",
    "--external:*.wasm",
    "--external:cloudflare:workers",
    `--outbase=${entry}`,
    `--outdir=${dist}`,
    "--log-level=warning",
  ]);
  const directory = join(dist, "authority");
  copyModuleFiles(modules.authority, directory);
  // Its sources are not in the package.
  const script = join(directory, "index.js");
  rmSync(`${script}.map`);
  writeFileSync(script, readFileSync(script, "utf8").replace(/\/\/# sourceMappingURL=.*\n/, ""));
}

/**
 * The Worker for `edgeflake/authority/node`, as a function of what it imports from its platform. Each
 * call of the function makes another one, because an isolate's leases are variables of its module.
 */
function buildForNode() {
  const file = join(dist, "worker_node.js");
  run(esbuild, [
    join(dist, "worker", "index.js"),
    "--bundle",
    "--format=cjs",
    "--target=es2022",
    "--minify",
    "--external:*.wasm",
    "--external:cloudflare:workers",
    "--banner:js=export const instantiate = (require) => { const module = { exports: {} };",
    "--footer:js=return module.exports; };",
    `--outfile=${file}`,
    "--log-level=warning",
  ]);
  const type = "(require: (name: string) => unknown) => any";
  writeFileSync(file.replace(/js$/, "d.ts"), `export const instantiate: ${type};\n`);
}

/** The page, which `edgeflake dev` serves beside the Worker. */
function copyPage() {
  const page = join(dist, "www");
  rmSync(page, { force: true, recursive: true });
  cpSync(buildPage(), page, { recursive: true });
}

/**
 * The package as CommonJS, file by file in packages/edgeflake/dist/cjs, for what cannot require an
 * ES module: Jest, and Node before 20.19 and 22.12.
 */
function buildCommonJs() {
  const cjs = join(dist, "cjs");
  rmSync(cjs, { force: true, recursive: true });
  const entries = ["inline.js", "js.js", "testing.js"].concat(
    ["inline.js", "node.js"].map((name) => join("lease", name)),
  );
  const generated = ["edgeflake", "edgeflake_lease"].flatMap((name) => [
    join(dist, `${name}.js`),
    join(dist, `${name}_inline.js`),
  ]);
  generated.push(join(dist, "edgeflake_translated.js"));
  const lib = readdirSync(join(home, "lib")).map((file) => join(home, "lib", file));
  run(esbuild, [
    ...entries.map((file) => join(home, "entry", file)),
    ...generated,
    ...lib,
    "--format=cjs",
    "--target=es2022",
    "--minify-whitespace",
    "--minify-syntax",
    `--outbase=${home}`,
    `--outdir=${cjs}`,
    "--log-level=warning",
  ]);
  for (const types of ["index.d.ts", "lease.d.ts", "names.d.ts", "testing.d.ts"]) {
    cpSync(join(home, types), join(cjs, types));
  }
  writeFileSync(join(cjs, "package.json"), '{ "type": "commonjs" }\n');
}
