// node tools build [package] [page] [worker] [lease] [smallest] [rust-worker]: builds these parts, or
// all but the last three, which only the benches and the tests need.

import { readArguments } from "../command/arguments.js";
import { fail } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { compile, compileBindgen, isDevelopment, modules } from "./compile.js";
import { buildModule } from "./npm-module.js";
import { buildPackage } from "./package.js";
import { buildPage } from "./page.js";
import { buildWorker, workerEntry } from "./worker.js";

// Of servers that start side by side, and of tests beside them, each would write what another
// reads.
if (process.env.EDGEFLAKE_BUILT) process.exit(0);

const { ids, lease, story, worker, authority, smallest, rustWorker } = modules;

/** In the order in which they need each other: what each compiles, and what it makes of that. */
const parts = {
  package: { compiles: [ids, lease, story, worker, authority], build: buildPackage },
  page: { compiles: [ids, story], build: buildPage },
  worker: { compiles: [worker], build: () => buildWorker(worker, workerEntry) },
  lease: { compiles: [lease], build: () => buildModule(lease) },
  smallest: {
    compiles: [smallest],
    build: () => buildWorker(smallest, "benches/worker/smallest/entry.js"),
  },
  "rust-worker": {
    compiles: [rustWorker],
    build: () => buildWorker(rustWorker, "tests/worker/rust-worker/entry.js"),
  },
};

/** The parts that are built by default; `npm run dev` serves no package. */
const usual = isDevelopment ? ["page", "worker"] : ["package", "page", "worker"];

const { positionals: names } = readArguments({ allowPositionals: true });
const unknown = names.find((name) => !Object.hasOwn(parts, name));
if (unknown) fail(`unknown part ${unknown}; allowed: ${Object.keys(parts).join(", ")}`);
const chosen = Object.entries(parts).filter(([name]) =>
  (names.length === 0 ? usual : names).includes(name),
);

await setup();
console.log(`build: ${chosen.map(([name]) => name).join(", ")}`);
const needed = new Set(chosen.flatMap(([, { compiles }]) => compiles));
await Promise.all([compileBindgen(), compileAll(needed)]);
for (const [, { build }] of chosen) build();

/**
 * One after the other: cargo uses all cores for each, and they have one directory.
 *
 * @param {Set<import("./compile.js").Module>} all
 */
async function compileAll(all) {
  for (const module of all) await compile(module);
}
