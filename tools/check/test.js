// node tools test [quick] [js] [PART ...] [test files or folders]: runs these tests, or all tests.
// PART is rust, core, fast, worlds, lemmas, scale, model, loom, databases, slow, page, api or
// seeds. The parts run in this order, because the first ones fail most often and fastest. `quick`
// selects rust, core and fast, and `js` selects fast, slow and page. "All tests" excludes seeds,
// because the tests of seeds are also in rust and js.

import { existsSync, globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { exitCode, fail, output } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { namedTests, ROWS } from "./seeds.js";

/** Ends a test after 180 s. The slowest test takes 10 to 20 s. */
const TIMEOUT = "--test-timeout=180000";

/**
 * The number of test files that run at a time. Node's default is the number of processors minus
 * one. On 2 cores, that would be 1, although most tests only wait for a server or a browser.
 */
const CONCURRENCY = `--test-concurrency=${availableParallelism()}`;

/** All tests of the page use one server. */
const SHARED_SERVER = "--test-global-setup=tests/page/harness/shared-server.js";

const PAGE = "tests/page/**/*.test.js";

/**
 * Test files that take more than 7 s each. All other test files, except those of the page, take 30
 * s together.
 */
const SLOW = [
  "tests/docs/{clients,examples,snippets}.test.js",
  "tests/package/{authority-serve,dev,embedded,platforms,public,simulation}.test.js",
  "tests/templates/*.test.js",
  "tests/tools/*.test.js",
  "tests/worker/{bodies,leasing,rust-worker,sequencers}.test.js",
];

const NOT_FAST = [PAGE, ...SLOW, "**/node_modules/**"];

const { positionals: args } = readArguments({ allowPositionals: true });
const isPath = (/** @type {string} */ arg) => arg.includes("/") || arg.endsWith(".js");
const paths = args.filter(isPath);
const missing = paths.find((path) => !path.includes("*") && !existsSync(join(root, path)));
if (missing) fail(`there is no test file ${missing}`);
const files = paths.map((path) => (path.endsWith(".js") ? path : `${path}/**/*.test.js`));

/** The parts; each returns an exit code. @type {Record<string, () => number>} */
const parts = {
  /** Tests every crate natively, with the examples in its documentation. */
  rust: () => exitCode("cargo", ["test", "--workspace", "--all-features"]),
  core,
  fast: () => builtTests(globSync("tests/**/*.test.js", { exclude: NOT_FAST, cwd: root })),
  /** Simulates worlds full of faults. This number of worlds takes half a minute. */
  worlds: () => exitCode("cargo", ["simulate", "--", "--seeds=3000"]),
  /** Checks the lemmas of the proof in all states of a small domain. */
  lemmas: () => exitCode("cargo", ["proof", "--", "lemmas"]),
  /**
   * Simulates large deployments: one that suffices, one with too few nodes, one with too few
   * shards, and one with an outage in which all leases end.
   */
  scale: () => exitCode("cargo", ["scale", "--", "--small"]),
  /** Visits all states of the model with the smallest settings. */
  model: () => exitCode("node", ["tools", "model", "small"]),
  /** Tries interleavings of threads that use a shared generator. */
  loom: () =>
    exitCode("cargo", ["test", "--test=loom", "--target-dir=target/loom"], {
      env: { LOOM_MAX_PREEMPTIONS: "4", ...process.env, RUSTFLAGS: "--cfg loom" },
    }),
  /** Tests typed ids in SQLite, and PostgreSQL as an authority, in a separate Cargo workspace. */
  databases: () => exitCode("node", ["tests/databases/run.js"]),
  slow: () => builtTests(SLOW),
  page: () => builtTests([SHARED_SERVER, PAGE]),
  /** Tests the built Worker with requests that are generated from its OpenAPI file. */
  api: () =>
    exitCode("node", ["tools", "build", "worker"]) || exitCode("node", ["tools", "test:api"]),
  seeds,
  ...(files.length > 0 && { files: () => builtTests(files) }),
};
/** @type {Record<string, string[]>} */
const groups = {
  quick: ["rust", "core", "fast"],
  js: ["fast", "slow", "page"],
  all: Object.keys(parts).filter((name) => name !== "files" && name !== "seeds"),
};

const names = args.filter((arg) => !isPath(arg)).flatMap((name) => groups[name] ?? [name]);
if (files.length > 0) names.push("files");
const chosen = names.length > 0 ? names : groups.all;
const unknown = chosen.find((name) => !Object.hasOwn(parts, name));
if (unknown) {
  const allowed = [...Object.keys(groups), ...Object.keys(parts)].join(", ");
  fail(`unknown part ${unknown}; allowed: ${allowed}, or files or folders such as tests/page`);
}

await setup("tests");
const started = performance.now();
const seconds = (/** @type {number} */ since) => ((performance.now() - since) / 1000).toFixed(1);
const report = [];
let code = 0;
const queue = Object.entries(parts).filter(([name]) => chosen.includes(name));
for (const [index, [name, test]] of queue.entries()) {
  console.log(`part ${index + 1} of ${queue.length}: ${name}, after ${seconds(started)} s`);
  const start = performance.now();
  code = test();
  report.push(`${code === 0 ? "passed" : "FAILED"}  ${name.padEnd(9)}  ${seconds(start)} s`);
  if (code !== 0) break;
}
console.log(report.join("\n"));
process.exit(code);

/** Builds the core alone, natively and for wasm, and checks that it has no dependencies. */
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

/**
 * Tests the built Worker, module and page.
 *
 * @param {string[]} tests more options of `node --test`, if there are any, and then the test files
 */
function builtTests(tests) {
  return (
    exitCode("node", ["tools", "build", "package", "page", "worker", "rust-worker"]) ||
    exitCode("node", ["--test", TIMEOUT, CONCURRENCY, ...tests])
  );
}

/** Runs the tests of the features in tests/seeds.json. Their names begin with the feature's row. */
function seeds() {
  const tests = namedTests();
  const names = tests.filter(({ file }) => file.endsWith(".rs")).map(({ name }) => name);
  // A table of tests is run by the file beside it, and the tests in `consumer` by the suite.
  const files = tests
    .filter(({ file }) => !file.endsWith(".rs"))
    .map(({ file }) => file.replace(/\.txt$/, ".test.js"))
    .map((file) => (file.endsWith(".test.js") ? file : "tests/package/suite.test.js"));
  const rust = ["test", "--workspace", "--all-features", "--lib", "--test=core", "--no-fail-fast"];
  return (
    exitCode("cargo", [...rust, "--", ...names]) ||
    builtTests([`--test-name-pattern=${ROWS}`, ...new Set(files)])
  );
}
