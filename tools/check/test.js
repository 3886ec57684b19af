// node tools test [rust] [core] [worlds] [lemmas] [scale] [model] [loom] [js] [api] [seeds] [test files or
// folders]: these tests, or all. The tests of seeds are among those of rust and js.

import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { exitCode, fail, output } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { seedTests } from "./seeds.js";

/** The slowest test takes 10 to 20 s. */
const TIMEOUT = "--test-timeout=180000";

/**
 * The number of test files that run at a time. Node's own choice is one less than there are
 * processors, so one on 2 cores; but most tests wait for a server or a browser.
 */
const CONCURRENCY = `--test-concurrency=${availableParallelism()}`;

/** Of all tests, those of the page have one server. */
const SHARED_SERVER = "--test-global-setup=tests/page/harness/shared-server.js";

const { positionals: args } = readArguments({ allowPositionals: true });
const isFolder = (/** @type {string} */ arg) =>
  arg.includes("/") && statSync(join(root, arg), { throwIfNoEntry: false })?.isDirectory();
const isPath = (/** @type {string} */ arg) => arg.endsWith(".js") || isFolder(arg);
const isThere = (/** @type {string} */ arg) =>
  arg.includes("*") || statSync(join(root, arg), { throwIfNoEntry: false }) !== undefined;
const missing = args.find((arg) => isPath(arg) && !isThere(arg));
if (missing) fail(`there is no test file ${missing}`);
const files = args.filter(isPath).map((arg) => (isFolder(arg) ? `${arg}/**/*.test.js` : arg));
const names = args.filter((arg) => !isPath(arg));
if (files.length > 0) names.push("js");

/** Each answers an exit code. */
const parts = { rust, core, worlds, lemmas, scale, model, loom, js, api, seeds };

const unknown = names.find((name) => !Object.hasOwn(parts, name));
if (unknown) {
  fail(
    `unknown part ${unknown}; allowed: ${Object.keys(parts).join(", ")}, test files and folders (tests/page)`,
  );
}

await setup("tests");
const report = [];
let code = 0;
for (const [name, test] of Object.entries(parts)) {
  if (names.length > 0 ? !names.includes(name) : test === seeds) continue;
  const start = performance.now();
  code = await test();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  report.push(`${code === 0 ? "passed" : "FAILED"}  ${name.padEnd(6)}  ${seconds} s`);
  if (code !== 0) break;
}
console.log(report.join("\n"));
process.exit(code);

/** Every crate natively, with the examples in the documentation. */
function rust() {
  return exitCode("cargo", ["test", "--workspace", "--all-features"]);
}

/** The core alone, for a machine and for wasm: no features, no dependencies. */
function core() {
  const tree = output("cargo", ["tree", "-e", "normal", "-p", "edgeflake"]) ?? "";
  const dependencies = tree.trimEnd().split("\n").slice(1);
  if (dependencies.length > 0) {
    console.error(`error: the core depends on\n${dependencies.join("\n")}\nallowed: nothing`);
    return 1;
  }
  const build = ["build", "-p", "edgeflake", "--no-default-features"];
  return (
    exitCode("cargo", build) || exitCode("cargo", [...build, "--target", "wasm32-unknown-unknown"])
  );
}

/** Worlds in which everything goes wrong: as many as take half a minute. */
function worlds() {
  return exitCode("cargo", ["simulate", "--", "--seeds=3000"]);
}

/** The lemmas of the proof, in all states of a small domain. */
function lemmas() {
  return exitCode("cargo", ["proof", "--", "lemmas"]);
}

/** All states of the smallest settings. */
function model() {
  return exitCode("node", ["tools", "model", "small"]);
}

/** Small worlds of the simulation of scale: what is enough, and too few nodes, and too few shards. */
function scale() {
  return exitCode("cargo", ["scale", "--", "--small"]);
}

/** All interleavings of threads on a shared generator. */
function loom() {
  return exitCode(
    "cargo",
    ["test", "--release", "--test=loom", `--target-dir=${join(root, "target", "loom")}`],
    { env: { ...process.env, RUSTFLAGS: "--cfg loom" } },
  );
}

/** The built Worker, module and page. */
function js() {
  const isAll = files.length === 0;
  const tests = isAll ? [SHARED_SERVER, "tests/**/*.test.js"] : files;
  return (
    exitCode("node", ["tools", "build", "package", "page", "worker", "rust-worker"]) ||
    exitCode("node", ["--test", TIMEOUT, CONCURRENCY, ...tests])
  );
}

/** The built Worker by its description: www/openapi.json. */
function api() {
  return exitCode("node", ["tools", "build", "worker"]) || exitCode("node", ["tools", "test:api"]);
}

/** The tests that hold the features of tests/seeds.json, with a line for each. */
function seeds() {
  return exitCode("node", ["tools", "build", "package", "worker"]) || seedTests();
}
