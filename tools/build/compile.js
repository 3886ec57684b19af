// Compiles a crate to a WebAssembly module and its JavaScript, with cargo, edgeflake-bindgen and
// wasm-opt.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { bin, cache, esbuild, root } from "../command/paths.js";
import { run, runBeside } from "../command/run.js";

/** Whether to compile in seconds, for `npm run dev`. Such modules are not optimised or deployed. */
export const isDevelopment = process.env.EDGEFLAKE_PROFILE === "development";

const target = "wasm32-unknown-unknown";

/**
 * Lets wasm-opt assume that the first KB of memory is unused. This is the end of the stack, which
 * only a stack overflow reaches. With this assumption, an address plus a small constant never wraps
 * around, so wasm-opt can move the addition into the instruction that reads memory.
 */
export const lowMemoryUnused = "--low-memory-unused";

// By default, wasm-opt inlines every function with a single caller, even if LLVM kept the function
// separate. The instructions stay the same, but gzip compresses one large function 3 % worse than
// separate functions.
const sizeFlags = [
  "-Os",
  "--always-inline-max-function-size=1",
  "--one-caller-inline-max-function-size=8",
  "--flexible-inline-max-function-size=1",
  lowMemoryUnused,
];

// The zeros between data are kept, because they compress to nothing. Memory packing would split the
// data at the zeros, and the headers of the pieces would take 2 %.
const stripFlags = ["--skip-pass=memory-packing", "--strip-producers"];

// These passes rebuild the control flow, find values that never change, and drop alignment hints,
// which compress badly. These passes make a module 1 % smaller. They are not used for modules whose
// speed matters.
const again = [
  ...["--flatten", "--rereloop", "-Os", "-Os"],
  ...["--dealign", "--gufa-optimizing", "-Os", "--untee", "-Os", "--monomorphize", "-Os"],
];

/** The build profiles of deployed modules, each with its options for cargo and wasm-opt. */
const profiles = {
  package: {
    profile: "npm",
    // The default threshold at opt-level "z" is 5, which inlines functions although a call would be
    // smaller.
    rustc: ["-Cllvm-args=-inline-threshold=0"],
    optimise: [...stripFlags, "--strip-target-features"],
  },
  worker: {
    profile: "worker",
    rustc: [],
    // Enable only the features that rustc and wasm-bindgen use, because workerd may not know newer
    // features.
    optimise: [
      "--enable-mutable-globals",
      "--enable-sign-ext",
      "--enable-nontrapping-float-to-int",
      "--enable-bulk-memory",
      "--enable-multivalue",
      "--enable-reference-types",
      "--enable-exception-handling",
      ...stripFlags,
    ],
  },
};

/**
 * A module to build.
 *
 * @typedef {object} Module
 * @property {string} crate
 * @property {keyof typeof profiles} kind
 * @property {string} name of the module's files
 * @property {string} [features] of the crate
 * @property {string[]} [again] more passes of wasm-opt
 * @property {string} [directory] of the crate, if it is outside this workspace
 */

/** @type {Record<"ids" | "lease" | "postgres" | "story" | "worker" | "authority" | "smallest" | "rustWorker", Module>} */
export const modules = {
  ids: { crate: "edgeflake-wasm-ids", kind: "package", name: "edgeflake" },
  lease: { crate: "edgeflake-wasm-lease", kind: "package", name: "edgeflake_lease", again },
  postgres: {
    crate: "edgeflake-wasm-postgres",
    kind: "package",
    name: "edgeflake_postgres",
    again,
  },
  story: { crate: "edgeflake-story", kind: "package", name: "edgeflake_story" },
  worker: { crate: "edgeflake-worker", kind: "worker", name: "worker" },
  authority: {
    crate: "edgeflake-workers",
    kind: "worker",
    name: "authority",
    features: "admin",
    again: ["--dealign", "--gufa-optimizing", "-Os"],
  },
  smallest: { crate: "edgeflake-bench-smallest", kind: "worker", name: "smallest" },
  rustWorker: { crate: "edgeflake-test-rust-worker", kind: "worker", name: "rust-worker" },
};

/** Returns the directory where a module's files are generated. @param {Module} module */
export const generated = ({ name }) => join(root, "build", "module", name);

/** @param {Module} module */
const compiled = ({ crate, kind }) => {
  const profile = isDevelopment ? "development" : profiles[kind].profile;
  return join(root, "target", target, profile, `${crate.replaceAll("-", "_")}.wasm`);
};

/** @param {Module} module */
export const isCompiled = (module) => existsSync(compiled(module));

/** Compiles a crate to WebAssembly. @param {Module} module */
export async function compile({ crate, kind, features = "", directory = root }) {
  const { profile, rustc } = profiles[kind];
  const args = [
    "rustc",
    "--quiet",
    `--profile=${isDevelopment ? "development" : profile}`,
    `--target=${target}`,
    `--target-dir=${join(root, "target")}`,
    `--package=${crate}`,
    `--features=${features}`,
    "--lib",
    // If cargo also built an rlib, it would skip the optimisation across crates, and the module
    // would be a seventh larger.
    "--crate-type=cdylib",
    "--",
    ...(isDevelopment ? [] : rustc),
  ];
  // With these variables, a module's bytes depend neither on the directories of this machine nor on
  // earlier builds.
  const flags = isDevelopment ? {} : { RUSTFLAGS: withoutPaths(), CARGO_INCREMENTAL: "0" };
  await runBeside("cargo", args, { cwd: directory, env: { ...process.env, ...flags } });
}

/** Returns flags that remove this machine's directories from the source paths in panic messages. */
function withoutPaths() {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  const prefixes = [`${join(cargoHome, "registry", "src")}/`, root];
  const remaps = prefixes.map((prefix) => `--remap-path-prefix=${prefix}=`);
  return [process.env.RUSTFLAGS ?? "", ...remaps].join(" ").trim();
}

const here = join(root, "tools", "build");
const bindgenSources = ["Cargo.toml", "src/main.rs"].map((file) => join(here, "bindgen", file));

// This directory is outside the checkout, so that all checkouts with the same sources share the
// binary. Tests and lint of the crate use `target`.
const bindgenTarget = join(cache, `bindgen-${hashOf(bindgenSources).slice(0, 16)}`);

/**
 * Compiles modules, and edgeflake-bindgen once per machine and version of its sources. The modules
 * are compiled one after the other, because cargo uses all cores for each module and locks the
 * target directory, which all modules share.
 *
 * @param {Iterable<Module>} all
 */
export async function compileAll(all) {
  const args = ["build", "--quiet", "--locked", "--package=edgeflake-bindgen"];
  const env = { ...process.env, CARGO_PROFILE_DEV_DEBUG: "false", RUSTFLAGS: "" };
  const bindgen = runBeside("cargo", [...args, `--target-dir=${bindgenTarget}`], { env });
  for (const module of all) await compile(module);
  await bindgen;
}

/**
 * Generates the files of a module from its compiled crate, unless they are up to date. Returns
 * whether it has generated files.
 *
 * @param {Module} module
 */
export function finish(module) {
  const { kind, name } = module;
  const wasm = compiled(module);
  const directory = generated(module);
  const stamp = join(directory, "made-from");
  const source = madeFrom(wasm);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === source) return false;

  rmSync(directory, { force: true, recursive: true });
  mkdirSync(directory, { recursive: true });
  const bindgen = join(bindgenTarget, "debug", "edgeflake-bindgen");
  run(bindgen, [kind, wasm, directory, kind === "package" ? name : "index"]);
  if (!isDevelopment) optimise(module, directory);
  if (kind === "worker") bundleGlue(directory);
  // The stamp is written last, so that an interrupted run is repeated.
  writeFileSync(stamp, source);
  return true;
}

/**
 * Bundles two kinds of JavaScript into one file: the JavaScript that wasm-bindgen generated for a
 * module, and the JavaScript that the module's Rust imports.
 *
 * @param {string} directory
 */
function bundleGlue(directory) {
  bundle([join(directory, "index.js"), ...external, `--outfile=${join(directory, "glue.js")}`]);
}

/** Options for imports that the platform resolves. */
export const external = ["--external:*.wasm", "--external:cloudflare:workers"];

/**
 * Bundles and minifies modules with esbuild.
 *
 * @param {string[]} args entry points and further options
 */
export function bundle(args, format = "esm") {
  const options = ["--bundle", "--minify", "--target=es2022", "--log-level=warning"];
  run(esbuild, [...args, ...options, `--format=${format}`]);
}

/** @param {Module} module @param {string} directory */
function optimise({ kind, name, again = [] }, directory) {
  const { optimise } = profiles[kind];
  const file = join(directory, kind === "package" ? `${name}_bg.wasm` : "index_bg.wasm");
  const wasmOpt = join(bin, "wasm-opt");
  if (kind === "worker") {
    // Keep a second copy with function names, for `npm run size` and for reading stack traces.
    const names = join(root, "build", "names");
    mkdirSync(names, { recursive: true });
    const named = join(names, `${name}.wasm`);
    run(wasmOpt, [...sizeFlags, ...optimise, "--debuginfo", file, "-o", named]);
  }
  run(wasmOpt, [...sizeFlags, ...again, ...optimise, file, "-o", file]);
}

/** Hashes everything that the files of a module depend on. @param {string} wasm */
function madeFrom(wasm) {
  const sources = readdirSync(here, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const locks = ["package-lock.json", "Cargo.lock"].map((file) => join(root, file));
  return `${isDevelopment ? "development" : "deployed"} ${hashOf([wasm, ...locks, ...sources])}`;
}

/** Hashes the contents of files. @param {string[]} files */
export function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex");
}
