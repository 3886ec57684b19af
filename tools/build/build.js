// node tools build [package] [page] [worker] [lease] [postgres] [smallest] [rust-worker]: builds
// these parts. Without arguments, it builds all but the last four, which only the benches and the
// tests need.

import { readArguments } from "../command/arguments.js";
import { fail } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { compileAll, isDevelopment, modules } from "./compile.js";
import { buildModule } from "./npm-module.js";
import { buildPackage } from "./package.js";
import { buildPage } from "./page.js";
import { buildWorker, workerEntry } from "./worker.js";

// Commands that run servers or tests in parallel set this variable, because a build would overwrite
// files that another process is reading.
if (process.env.EDGEFLAKE_BUILT) process.exit(0);

const { ids, lease, postgres, story, worker, authority, smallest, rustWorker } = modules;

/** The parts, ordered by dependency. A part's modules are compiled before the part is built. */
const parts = {
  package: { compiles: [ids, lease, postgres, story, worker, authority], build: buildPackage },
  page: { compiles: [ids, story], build: buildPage },
  worker: { compiles: [worker], build: () => buildWorker(worker, workerEntry) },
  lease: { compiles: [lease], build: () => buildModule(lease) },
  postgres: { compiles: [postgres], build: () => buildModule(postgres) },
  smallest: {
    compiles: [smallest],
    build: () => buildWorker(smallest, "benches/worker/smallest/entry.js"),
  },
  "rust-worker": {
    compiles: [rustWorker],
    build: () => buildWorker(rustWorker, "tests/worker/rust-worker/entry.js"),
  },
};

/** The parts that are built by default. `npm run dev` does not need the npm package. */
const usual = isDevelopment ? ["page", "worker"] : ["package", "page", "worker"];

const { positionals: names } = readArguments({ allowPositionals: true });
const unknown = names.find((name) => !Object.hasOwn(parts, name));
if (unknown) fail(`unknown part ${unknown}; allowed: ${Object.keys(parts).join(", ")}`);
const chosen = Object.entries(parts).filter(([name]) =>
  (names.length === 0 ? usual : names).includes(name),
);

await setup();
console.log(`build: ${chosen.map(([name]) => name).join(", ")}`);
await compileAll(new Set(chosen.flatMap(([, { compiles }]) => compiles)));
for (const [, { build }] of chosen) build();
