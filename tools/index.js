// node tools COMMAND [options]: runs a command of this repository. Without COMMAND, it lists all
// commands. `node tools COMMAND --help` explains the options of a command.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./command/paths.js";
import { exitCode, fail, run } from "./command/run.js";
import { isNewEnough, runOnNewNode } from "./setup/node.js";
import { installNpmPackages } from "./setup/npm.js";

/** The oldest version of Node in which these tools can install a newer Node. */
const NODE_MIN = 20;

/**
 * The commands by name. The first value is the command's file, relative to this folder, or a
 * command line that runs after the set-up. The second value says what the command does.
 *
 * @type {Record<string, [string | CommandLine, string]>}
 *
 * @typedef {object} CommandLine
 * @property {string[]} run program and arguments; the command's arguments are appended
 * @property {string} [packages] a project whose npm packages the command needs
 * @property {string[]} [build] the parts to build before the command runs
 */
const commands = {
  dev: ["serve/dev.js", "serves the Worker and the page, and rebuilds when a file changes"],
  example: ["serve/example.js", "runs one of examples/ beside the Worker"],
  create: ["build/create.js", "creates a project from a template, with this checkout's edgeflake"],
  build: ["build/build.js", "builds the npm package, the page and the Worker"],
  generate: [
    "build/generate.js",
    "writes what is made from tables in Rust: parts of docs/, types, www/openapi.json",
  ],
  picture: ["build/picture.js", "takes the pictures in the README"],
  check: ["check/variables.js", "checks the variables in wrangler.toml as the Worker would"],
  "check:deployed": ["check/deployed.js", "checks a deployed Worker"],
  lint: ["check/lint.js", "checks formats, clippy, types, imports, spelling and style"],
  test: ["check/test.js", "runs all tests, or the parts, folders or files that you name"],
  "test:api": [
    "../tests/worker/schemathesis.js",
    "sends the Worker requests made from its OpenAPI file",
  ],
  simulate: [
    { run: ["cargo", "simulate", "--"] },
    "runs simulated worlds full of faults, each from a seed",
  ],
  "simulate:js": [
    "../tests/package/simulation/main.js",
    "runs simulated worlds of the npm package full of faults, each from a seed",
  ],
  "simulate:scale": [
    { run: ["cargo", "scale", "--"] },
    "simulates large deployments, and prints a table",
  ],
  model: ["check/model.js", "visits all states of a few holders and their authority"],
  proof: ["check/proof.js", "proves that no two holders own one counter"],
  mutants: ["check/mutants.js", "breaks one rule at a time; a check must find each"],
  fuzz: ["check/fuzz.js", "runs the fuzz targets"],
  environments: [
    "../tests/environments/run.js",
    "tries the npm package in bundlers, frameworks and runtimes",
  ],
  soak: ["../tests/worker/soak.js", "loads the Worker while it is killed and its clocks step"],
  drill: [
    "../tests/faults/drill.js",
    "breaks an authority's disk, process and storage, and shows the alerts",
  ],
  words: ["check/words.js", "counts the words of each page, and checks each page's limit"],
  size: ["check/size.js", "shows the sizes of modules and their parts, and checks the budgets"],
  gates: ["check/gates.js", "counts the instructions of the hot paths"],
  "release:check": [
    "check/release.js",
    "checks whether a release would succeed, and publishes nothing",
  ],
  rehearse: [
    "../tests/templates/rehearse.js",
    "publishes to registries on this machine, then runs the README's commands",
  ],
  bench: ["../benches/bench.js", "runs every bench, and prints one table"],
  "bench:js": [
    {
      packages: "benches/js",
      build: ["package"],
      // Without a way to collect garbage, mitata allocates a GB before each row to force a collection.
      run: ["node", "--expose-gc", "benches/js/bench.js"],
    },
    "measures the npm package, compared with other packages",
  ],
  "bench:postgres": [
    { packages: ".", build: ["package"], run: ["node", "benches/postgres.js"] },
    "measures PostgreSQL as an authority",
  ],
  "bench:page": [
    { packages: "benches/page", build: [], run: ["node", "benches/page/bench.js"] },
    "measures the page by Lighthouse, typing and pasting",
  ],
  load: ["../benches/load.js", "puts the Worker and the authority on Node under load"],
};

const [name = "--help", ...args] = process.argv.slice(2);
if (Number(process.versions.node.split(".")[0]) < NODE_MIN)
  fail(`found Node ${process.versions.node}; this command needs Node ${NODE_MIN} or newer`);
if (name === "--help") {
  console.log("node tools COMMAND [options]; `node tools COMMAND --help` lists the options.\n");
  for (const [name, [, does]] of Object.entries(commands))
    console.log(`${name.padEnd(16)} ${does}`);
} else if (!Object.hasOwn(commands, name)) {
  fail(`unknown command ${name}; allowed: ${Object.keys(commands).join(", ")}`);
} else {
  const [command] = commands[name];
  if (!isNewEnough) {
    await runOnNewNode();
  } else if (typeof command === "object") {
    await carryOut(command);
  } else {
    const file = new URL(command, import.meta.url);
    // Set `process.argv` as if Node had run the command's file itself.
    process.argv.splice(1, 2, fileURLToPath(file));
    await import(file.href);
  }
}

/** Runs a command line after its set-up. @param {CommandLine} commandLine */
async function carryOut({ run: [program, ...first], packages, build }) {
  // Import this file only here, because an old Node cannot load it.
  const { setup } = await import("./setup/setup.js");
  await setup(packages ? "lint" : "build");
  if (packages) await installNpmPackages(join(root, packages));
  // Send the build's output to stderr, because a program may read the command's own output.
  if (build) run("node", ["tools", "build", ...build], { stdio: ["ignore", 2, 2] });
  process.exit(exitCode(program, [...first, ...args]));
}
