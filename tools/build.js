// node tools/build.js [package] [page] [worker]: builds these parts, or all of them.

import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { wasmBindgen, workerBuild } from "./cargo-tools.js";
import { bin, esbuild, root } from "./paths.js";
import { fail, run, runQuietly } from "./run.js";
import { setup } from "./setup.js";

const wasmOpt = join(bin, "wasm-opt");

/** In the order in which they need each other. */
const parts = { package: buildPackage, page: buildPage, worker: buildWorker };

const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(parts, name));
if (unknown) fail(`unknown part ${unknown}; allowed: ${Object.keys(parts).join(", ")}`);

setup();
for (const [name, build] of Object.entries(parts)) {
  if (names.length === 0 || names.includes(name)) build();
}

/** js/dist: the module and its glue, which the entry files of the npm package import. */
function buildPackage() {
  console.log("build: js (half a minute the first time)");
  const target = "wasm32-unknown-unknown";
  const targetDir = join(root, "target");
  run("cargo", [
    "build",
    "--quiet",
    "--profile=npm",
    `--target=${target}`,
    `--target-dir=${targetDir}`,
    "--package=edgeflake-js",
  ]);
  const wasm = join(targetDir, target, "npm", "edgeflake_js.wasm");
  const generated = join(root, "build", "package");
  const module = join(generated, "edgeflake_bg.wasm");
  const dist = join(root, "js", "dist");
  if (isNewer(join(dist, "edgeflake_bg.wasm"), wasm)) return;

  run(wasmBindgen.path, [wasm, "--target=web", "--out-name=edgeflake", `--out-dir=${generated}`]);
  run(wasmOpt, ["-Oz", "--strip-producers", "--strip-target-features", module, "-o", module]);
  const base64 = readFileSync(module, "base64");
  writeFileSync(join(generated, "inline.js"), `export default "${base64}";\n`);
  // npm packs only what lies in the package's directory.
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE"]) {
    cpSync(join(root, file), join(root, "js", file));
  }
  // Only when it is whole: a build that was broken off must not look newer than its source.
  cpSync(generated, dist, { recursive: true });
}

/** build/www: the page with its modules bundled. */
function buildPage() {
  console.log("build: www");
  const source = join(root, "www");
  const page = join(root, "build", "www");

  rmSync(page, { force: true, recursive: true });
  cpSync(source, page, { filter: (path) => !path.endsWith(".js"), recursive: true });
  // The package looks for its module beside the script that loads it, which is the bundle.
  cpSync(join(root, "js", "dist", "edgeflake_bg.wasm"), join(page, "edgeflake_bg.wasm"));
  run(esbuild, [
    join(source, "main.js"),
    "--bundle",
    "--format=esm",
    "--minify",
    "--target=es2022",
    "--log-level=warning",
    `--outfile=${join(page, "main.js")}`,
  ]);
}

/** build/worker: what wrangler uploads. */
function buildWorker() {
  console.log("build: worker (2 minutes the first time)");
  const tools = { ESBUILD_BIN: esbuild, WASM_BINDGEN_BIN: wasmBindgen.path, WASM_OPT_BIN: wasmOpt };
  // A wrong path would only make worker-build warn, and download the tool from elsewhere.
  for (const path of Object.values(tools)) {
    if (!existsSync(path)) fail(`${path} does not exist`);
  }
  runQuietly(workerBuild.path, ["--profile=worker", "--out-dir", join("..", "build", "worker")], {
    cwd: join(root, "worker"),
    env: { ...process.env, ...tools, CARGO_TERM_QUIET: "true" },
  });
}

/**
 * Whether a built file is newer than what it was made from and than the tools that made it.
 *
 * @param {string} built
 * @param {string} source
 */
function isNewer(built, source) {
  if (!existsSync(built)) return false;
  const inputs = [source, join(root, "package-lock.json"), fileURLToPath(import.meta.url)];
  return inputs.every((input) => statSync(built).mtimeMs > statSync(input).mtimeMs);
}
