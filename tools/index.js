// node tools COMMAND [options]: every command of this repository, one file each. Without a command
// it lists them; `node tools COMMAND --help` says which options a command has.

import { fileURLToPath } from "node:url";
import { isNewEnough, runOnNewNode } from "./setup/node.js";

/** The oldest Node that can install a newer one for these tools. */
const NODE_MIN = 20;

/** The file of each command, from the root on, and what the command does. */
const commands = {
  dev: ["tools/serve/dev.js", "serves the Worker and the page, built again when a file changes"],
  example: ["tools/serve/example.js", "runs one of examples/ beside the Worker"],
  build: ["tools/build/build.js", "builds the npm package, the page and the Worker"],
  docs: ["tools/build/docs.js", "writes the generated parts of docs/"],
  picture: ["tools/build/picture.js", "takes the pictures in the README"],
  check: ["tools/check/variables.js", "checks the variables in wrangler.toml as the Worker would"],
  lint: ["tools/check/lint.js", "checks formats, clippy, types, imports, spelling and style"],
  prose: ["tools/check/prose.js", "counts the words by which prose is easy or hard to read"],
  test: ["tools/check/test.js", "runs all tests, or these parts, folders or files"],
  "test:api": ["tests/worker/schemathesis.js", "asks the Worker whatever its OpenAPI file allows"],
  simulate: ["tools/check/simulate.js", "runs seeded worlds in which everything goes wrong"],
  "simulate:js": [
    "tests/package/simulation/main.js",
    "runs seeded worlds of the npm package in which everything goes wrong",
  ],
  "simulate:scale": ["tools/check/simulate-scale.js", "shows in a table how far it scales"],
  model: ["tools/check/model.js", "visits all states of a few holders and their authority"],
  proof: ["tools/check/proof.js", "proves that no two holders own one counter"],
  mutants: ["tools/check/mutants.js", "breaks one rule at a time, which a check must find"],
  fuzz: ["tools/check/fuzz.js", "runs the fuzz targets"],
  environments: [
    "tests/environments/run.js",
    "tries the npm package in bundlers, frameworks and runtimes",
  ],
  templates: [
    "tests/templates/run.js",
    "times each template from an empty directory to the first id",
  ],
  soak: ["tests/worker/soak.js", "loads the Worker while it is killed and its clocks step"],
  drill: [
    "tests/faults/drill.js",
    "breaks disk, process and storage of an authority, and names the alerts",
  ],
  size: ["tools/check/size.js", "shows the modules by part, and checks their budgets"],
  gates: ["tools/check/gates.js", "counts the instructions of the hot paths"],
  "release:check": [
    "tools/check/release.js",
    "does what a release would do, but publishes nothing",
  ],
  bench: ["tools/bench/bench.js", "runs every bench, and prints one table"],
  "bench:js": ["tools/bench/js.js", "measures the npm package beside its peers"],
  "bench:worker": ["tools/bench/worker.js", "measures the Worker beside handlers that do nothing"],
  "bench:waiting": ["tools/bench/waiting.js", "measures how long requests wait for their ids"],
  "bench:authority": ["tools/bench/authority.js", "measures an authority in its Durable Object"],
  "bench:page": ["tools/bench/page.js", "measures the page by Lighthouse, typing and pasting"],
  load: ["tools/bench/load.js", "puts the Worker under load, and checks its limits"],
  profile: ["tools/bench/profile.js", "shows where the time of a request for ids goes"],
};

const [name = "--help"] = process.argv.slice(2);
if (Number(process.versions.node.split(".")[0]) < NODE_MIN) {
  fail(`found Node ${process.versions.node}, edgeflake needs Node ${NODE_MIN} or newer`);
} else if (name === "--help") {
  console.log("node tools COMMAND [options]; `node tools COMMAND --help` says which options.\n");
  for (const [name, [, does]] of Object.entries(commands))
    console.log(`${name.padEnd(16)} ${does}`);
} else if (!Object.hasOwn(commands, name)) {
  fail(`unknown command ${name}; allowed: ${Object.keys(commands).join(", ")}`);
} else {
  const [path] = commands[/** @type {keyof typeof commands} */ (name)];
  const file = new URL(`../${path}`, import.meta.url);
  if (!isNewEnough(process.versions.node)) {
    await runOnNewNode();
  } else {
    // The command finds its own file and its arguments where Node puts those of a script.
    process.argv.splice(1, 2, fileURLToPath(file));
    // It is not imported above, because an old Node might not be able to parse it.
    await import(file.href);
  }
}

/** @param {string} message */
function fail(message) {
  console.error(`error: ${message}`);
  process.exitCode = 1;
}
