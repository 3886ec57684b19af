// node tools build [package] [page] [worker] [smallest] [rust-worker]: builds these parts, or all
// but the last two, which only the benches and the examples need.

import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments } from "../command/arguments.js";
import { bin, esbuild, root } from "../command/paths.js";
import { fail, run, runQuietly } from "../command/run.js";
import { wasmBindgen, workerBuild } from "../setup/cargo-tools.js";
import { setup } from "../setup/setup.js";

// Of servers that start side by side, and of tests beside them, each would write what another
// reads.
if (process.env.EDGEFLAKE_BUILT) process.exit(0);

/** The directory of the npm package. */
const npmPackage = join(root, "packages", "edgeflake");

const wasmOpt = join(bin, "wasm-opt");

// By itself wasm-opt inlines every function that has one caller, which LLVM had left out of line:
// the same instructions as before, in one large body that gzip finds less repetition in (3 %).
const sizeFlags = [
  "-Os",
  "--always-inline-max-function-size=1",
  "--one-caller-inline-max-function-size=8",
  "--flexible-inline-max-function-size=1",
];

// Zeros between data cost gzip nothing; the headers of the pieces that are left without them do (2
// %).
const packageFlags = ["--skip-pass=memory-packing", "--strip-producers", "--strip-target-features"];

// What rustc and wasm-bindgen use, and no more: workerd need not know the newest encodings.
const featureFlags = [
  "mutable-globals",
  "sign-ext",
  "nontrapping-float-to-int",
  "bulk-memory",
  "multivalue",
  "reference-types",
  "exception-handling",
].map((feature) => `--enable-${feature}`);

/** In the order in which they need each other. */
const parts = {
  package: buildPackage,
  page: buildPage,
  worker: () => {
    buildWorker("worker", join("worker", "module"), "edgeflake_worker_module");
    buildEntry();
  },
  smallest: () =>
    buildWorker("smallest", join("benches", "worker", "smallest"), "edgeflake_bench_smallest"),
  "rust-worker": () =>
    buildWorker("rust-worker", join("examples", "rust-worker"), "edgeflake_example_rust_worker"),
};

/** What is built unless something else is asked for. */
const deployed = ["package", "page", "worker"];

const { positionals: names } = readArguments({ allowPositionals: true });
const unknown = names.find((name) => !Object.hasOwn(parts, name));
if (unknown) fail(`unknown part ${unknown}; allowed: ${Object.keys(parts).join(", ")}`);

setup();
for (const [name, build] of Object.entries(parts)) {
  if ((names.length === 0 ? deployed : names).includes(name)) build();
}

/** packages/edgeflake/dist: the modules and their glue, which the entry files of the npm package import. */
function buildPackage() {
  console.log("build: package (a minute the first time)");
  buildModule("edgeflake-wasm-ids", "edgeflake");
  buildModule("edgeflake-wasm-lease", "edgeflake_lease");
  buildForWorkers();
  // npm packs only what lies in the package's directory.
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE"]) {
    cpSync(join(root, file), join(npmPackage, file));
  }
}

/** @param {string} crate @param {string} name of its files in dist */
function buildModule(crate, name) {
  const target = "wasm32-unknown-unknown";
  const targetDir = join(root, "target");
  run("cargo", [
    "rustc",
    "--quiet",
    "--profile=npm",
    `--target=${target}`,
    `--target-dir=${targetDir}`,
    `--package=${crate}`,
    // With an rlib beside it, cargo leaves the optimisation across crates out: a seventh of the
    // size.
    "--crate-type=cdylib",
    "--",
    // At opt-level "z" it is 5: what is a little larger inlined than called.
    "-Cllvm-args=-inline-threshold=0",
  ]);
  const wasm = join(targetDir, target, "npm", `${crate.replaceAll("-", "_")}.wasm`);
  const generated = join(root, "build", "package", name);
  const module = join(generated, `${name}_bg.wasm`);
  const dist = join(npmPackage, "dist");
  if (isNewer(join(dist, `${name}_bg.wasm`), wasm)) return;

  run(wasmBindgen.path, [wasm, "--target=web", `--out-name=${name}`, `--out-dir=${generated}`]);
  run(wasmOpt, [...sizeFlags, ...packageFlags, module, "-o", module]);
  const base64 = readFileSync(module, "base64");
  writeFileSync(join(generated, `${name}_inline.js`), `export default "${base64}";\n`);
  // Only when it is whole: a build that was broken off must not look newer than its source.
  cpSync(generated, dist, { recursive: true });
}

/**
 * packages/edgeflake/dist: what Workers load, minified, because wrangler does not minify what it
 * uploads. It follows the source maps of what it bundles, so that stacks name the source. A file
 * two levels deep in entry/ is as deep in dist/, and finds the modules by the same paths.
 */
function buildForWorkers() {
  const entry = join(npmPackage, "entry");
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
    `--outdir=${join(npmPackage, "dist")}`,
    "--log-level=warning",
  ]);
}

/** build/www: the page with its modules and styles bundled. */
function buildPage() {
  console.log("build: www");
  const source = join(root, "www");
  const page = join(root, "build", "www");

  rmSync(page, { force: true, recursive: true });
  cpSync(source, page, { filter: (path) => !/\.(js|css)$/.test(path), recursive: true });
  // The package looks for its module beside the script that loads it, which is the bundle.
  cpSync(join(npmPackage, "dist", "edgeflake_bg.wasm"), join(page, "edgeflake_bg.wasm"));
  const options = ["--bundle", "--minify", "--log-level=warning"];
  const script = ["--format=esm", "--target=es2022", `--outfile=${join(page, "main.js")}`];
  run(esbuild, [join(source, "main.js"), ...options, ...script]);
  run(esbuild, [join(source, "style.css"), ...options, `--outfile=${join(page, "style.css")}`]);

  const files = ["index.html", "main.js", "style.css", "edgeflake_bg.wasm", "icon.svg"];
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(join(page, file)));
  // A server answers index.html as its directory, and may redirect from the name.
  const kept = files.map((file) => (file === "index.html" ? "./" : `./${file}`));
  run(esbuild, [
    join(source, "sw.js"),
    "--minify",
    `--define:FILES=${JSON.stringify(kept)}`,
    `--define:VERSION=${JSON.stringify(hash.digest("hex").slice(0, 16))}`,
    `--outfile=${join(page, "sw.js")}`,
    "--log-level=warning",
  ]);
}

/**
 * build/worker: what wrangler uploads.
 *
 * @param {string} name of its directory in build
 * @param {string} crate its directory
 * @param {string} library its name
 */
function buildWorker(name, crate, library) {
  console.log(`build: ${name} (2 minutes the first time)`);
  const tools = { ESBUILD_BIN: esbuild, WASM_BINDGEN_BIN: wasmBindgen.path, WASM_OPT_BIN: wasmOpt };
  // A wrong path would only make worker-build warn, and download the tool from elsewhere.
  for (const path of Object.values(tools)) {
    if (!existsSync(path)) fail(`${path} does not exist`);
  }
  const cwd = join(root, crate);
  const out = join(root, "build", name);
  runQuietly(workerBuild.path, ["--profile=worker", "--out-dir", relative(cwd, out)], {
    cwd,
    env: { ...process.env, ...tools, RUSTFLAGS: withoutPaths(), CARGO_TERM_QUIET: "true" },
  });

  // Also with the names of its functions, for `npm run size` and for reading a stack.
  const [named, shipped] = ["named", "shipped"].map((kind) =>
    join(root, "build", "wasm", `${name}.${kind}.wasm`),
  );
  const module = join(out, "index_bg.wasm");
  const compiled = join(root, "target", "wasm32-unknown-unknown", "worker", `${library}.wasm`);
  if (!isNewer(shipped, compiled)) {
    mkdirSync(dirname(shipped), { recursive: true });
    const flags = [...sizeFlags, ...featureFlags, module];
    run(wasmOpt, [...flags, "--debuginfo", "-o", named]);
    const partial = `${shipped}.partial`;
    run(wasmOpt, [...flags, "-o", partial]);
    // Only when both are whole: a build that was broken off must not look newer than its source.
    renameSync(partial, shipped);
  }
  cpSync(shipped, module);
}

/** build/worker/index.js: what worker-build made, behind an entry of our own. */
function buildEntry() {
  run(esbuild, [
    join(root, "worker", "src", "entry.js"),
    "--bundle",
    "--format=esm",
    "--target=es2022",
    "--minify",
    "--external:*.wasm",
    "--external:cloudflare:workers",
    `--outfile=${join(root, "build", "worker", "index.js")}`,
    "--allow-overwrite",
    "--log-level=warning",
  ]);
}

/** The messages of panics name source files: not where they lie on this machine. */
function withoutPaths() {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  const prefixes = [`${join(cargoHome, "registry", "src")}/`, root];
  const remaps = prefixes.map((prefix) => `--remap-path-prefix=${prefix}=`);
  return [process.env.RUSTFLAGS ?? "", ...remaps].join(" ").trim();
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
