// node tools mutants [--model] [--js] [--worker] [names]: applies the mutants of tests/mutants one
// at a time to a copy of the checkout, and verifies that the check in the mutant's row finds the
// mutant. By default it tries the mutants of the protocol. With --model, the model check must find
// the mutants; it skips mutants that it cannot reach. With --js, it tries the mutants of the
// JavaScript. With --worker, it tries those of the Rust in the Worker and in `edgeflake/lease`.
//
// node tools mutants --every-way [files]: applies every mutation that cargo-mutants knows to the
// core, or to these files of it, one at a time, and lists the mutations that no test finds. Trying
// all files takes hours.

import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { buildJavaScript } from "../build/javascript.js";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { exitCode, fail, run } from "../command/run.js";
import { cargoMutants, installCargoTool } from "../setup/rust.js";
import { setup } from "../setup/setup.js";
import { apply, makeCopy, readMutants, WORLDS } from "./mutant-tables.js";

/** @typedef {import("./mutant-tables.js").Mutant} Mutant */
/** @typedef {{ seed: string, message: string }} Failure */

/** A mutant is found if this number of simulated worlds or schedules fail, or if one test fails. */
const FAILURES = 3;

/** After this time in seconds, one failed world is enough to find a mutant. */
const RARE_S = 20;

/** A mutant for which no world fails within this time in seconds counts as not found. */
const LIMIT_S = 480;

/** The model check's exit code if it finds that a counter can get two owners. */
const COUNTEREXAMPLE = 4;

const { positionals, values } = readArguments({
  allowPositionals: true,
  options: {
    model: { type: "boolean", default: false },
    js: { type: "boolean", default: false },
    worker: { type: "boolean", default: false },
    "every-way": { type: "boolean", default: false },
  },
});
await setup("lint");
// With incremental compilation, a mutant of the protocol compiles in 2 s instead of 16 s.
process.env.CARGO_INCREMENTAL = "1";
if (values["every-way"]) process.exit(changeInEveryWay());

const isOther = values.js || values.worker;
const kinds = /** @type {const} */ ([
  { kind: "core", of: "the protocol", isWanted: !isOther, build: buildSimulation },
  { kind: "javascript", of: "the JavaScript", isWanted: values.js, build: buildPackage },
  {
    kind: "worker",
    of: "the Rust in the Worker and the package",
    isWanted: values.worker,
    build: buildWorker,
  },
]);
const tables = await Promise.all(
  kinds.map(async (kind) => ({ ...kind, mutants: await readMutants(kind.kind) })),
);
const names = tables.flatMap(({ mutants }) => mutants.map(({ name }) => name));
const unknown = positionals.find((name) => !names.includes(name));
if (unknown) fail(`unknown mutant ${unknown}; allowed: ${names.join(", ")}`);

for (const { kind, of, isWanted, build, mutants } of tables) {
  const isNamed = (/** @type {Mutant} */ { name }) => positionals.includes(name);
  const chosen = mutants
    .filter(positionals.length > 0 ? isNamed : () => isWanted)
    .filter(({ model }) => !values.model || model);
  if (chosen.length === 0) continue;
  const isFound = values.model ? isFoundByModel : finder(kind, build, chosen);
  const missed = chosen.filter((mutant) => !isFound(mutant)).map(({ name }) => name);
  if (missed.length > 0)
    fail(`no check finds ${missed.join(", ")}; add a test, or a rule to the simulation`);
  console.log(`all ${chosen.length} mutants of ${of} were found`);
}

/**
 * Prepares a copy of the checkout, and verifies that the checks other than the simulation pass in
 * it. Returns a function that tries a mutant.
 *
 * @param {typeof kinds[number]["kind"]} kind
 * @param {(copy: string) => boolean} build returns whether the copy builds
 * @param {Mutant[]} chosen
 */
function finder(kind, build, chosen) {
  const copy = join(root, "target", "mutants", kind);
  if (kind !== "core") run("node", ["tools", "build", "package"]);
  makeCopy(copy);
  if (!build(copy)) fail("the copy without a mutant does not build");
  const program = join(copy, "target", "simulation", "simulate");
  const sound = `${program}-sound`;
  if (kind === "core") cpSync(program, sound);
  for (const place of new Set(chosen.map(({ place }) => place))) {
    if (!WORLDS.has(place)) requireSound(copy, place);
  }

  return (/** @type {Mutant} */ mutant) => {
    const { name, place, breaks } = mutant;
    const foundBy = mutant.found_by.map((text) => RegExp(text));
    const isMeant = (/** @type {Failure} */ { message }) => foundBy.some((by) => by.test(message));
    const restore = apply(mutant, copy);
    if (!build(copy)) fail(`${name} does not build`);
    const options = WORLDS.get(place);
    const { failures, tried, text } = options
      ? failuresOf([program, ...options], isMeant)
      : failuresIn(copy, place, FAILURES);
    restore();
    const found = failures.filter(isMeant);
    const seeds = found.map(({ seed }) => seed);
    console.log(`${name}: ${breaks}\n  ${tried}; failures that find it: ${seeds.join(" ")}`);
    for (const by of foundBy) {
      const [first, ...others] = found.filter(({ message }) => by.test(message));
      console.log(`  ${first ? others.length + 1 : 0} with "${by.source}": ${short(first)}`);
    }
    const other = failures.filter((failure) => !isMeant(failure));
    if (other[0]) console.log(`  ${other.length} other failures: ${short(other[0])}`);
    if (found.length === 0) console.log(`  not found: ${text.slice(-300)}`);
    if (!options) return found.length >= (place.startsWith("tests/") ? 1 : FAILURES);
    for (const seed of seeds) {
      const { status } = spawnSync(sound, [...options, "--seeds=1", `--from=${seed}`]);
      if (status !== 0) fail(`seed ${seed} fails without the mutant, too`);
    }
    return found.length > 0;
  };
}

/** @param {Failure | undefined} failure */
function short(failure) {
  return failure?.message.slice(0, 300) ?? "";
}

/** Builds the simulation of a copy. @param {string} copy */
function buildSimulation(copy) {
  const env = {
    ...process.env,
    CARGO_TARGET_DIR: join(copy, "target"),
    RUSTFLAGS: "--allow=warnings",
  };
  const what = ["--package=edgeflake-world", "--bin=simulate", "--profile=simulation", "--quiet"];
  return exitCode("cargo", ["build", ...what], { cwd: copy, env }) === 0;
}

/** Compiles the TypeScript of a copy into the folder that its tests use. @param {string} copy */
function buildPackage(copy) {
  buildJavaScript(copy);
  return true;
}

/**
 * Builds the Worker and the lease module of a copy with the profile of `npm run dev`, and puts them
 * where tests look for them.
 *
 * @param {string} copy
 */
function buildWorker(copy) {
  const env = { ...process.env, EDGEFLAKE_PROFILE: "development" };
  const options = { cwd: copy, env, encoding: /** @type {const} */ ("utf8") };
  const parts = ["worker", "lease"];
  const { status, stdout, stderr } = spawnSync("node", ["tools", "build", ...parts], options);
  if (status !== 0) {
    console.error(`${stdout}${stderr}`);
    return false;
  }
  for (const file of ["glue.js", "index_bg.wasm"]) {
    const built = join(copy, "build/module/worker", file);
    cpSync(built, join(copy, "packages/edgeflake/dist/worker", file));
  }
  return true;
}

/**
 * Runs simulated worlds until enough of them fail with a message that the mutant names. After
 * `RARE_S`, one such failure is enough; after `LIMIT_S`, the mutant counts as not found.
 *
 * @param {string[]} command the simulation with its options
 * @param {(failure: Failure) => boolean} isMeant
 */
function failuresOf([program = "", ...options], isMeant) {
  const begun = performance.now();
  /** @type {Failure[]} */
  const failures = [];
  let tried = 0;
  for (let from = 0, missing = FAILURES; missing > 0; ) {
    const passed = (performance.now() - begun) / 1000;
    const isRare = passed >= RARE_S;
    if (isRare && (missing < FAILURES || passed >= LIMIT_S)) break;
    const seconds = Math.ceil((isRare ? LIMIT_S : RARE_S) - passed);
    const args = [`--from=${from}`, "--seeds=1000000", `--seconds=${seconds}`];
    const { stdout, stderr } = spawnSync(
      program,
      [...options, ...args, `--failures=${isRare ? 1 : missing}`],
      { encoding: "utf8", maxBuffer: 1 << 28 },
    );
    const some = Number(/(\d+) {2}seeds from/.exec(stdout)?.[1]);
    if (Number.isNaN(some)) fail(`the simulation has ended without a summary: ${stderr}`);
    tried += some;
    from += some;
    for (const [, seed = "", message = ""] of stdout.matchAll(/^seed (\d+): (.*)/gm)) {
      failures.push({ seed, message });
      if (isMeant({ seed, message })) missing -= 1;
      from = Math.max(from, Number(seed) + 1);
    }
  }
  return { failures, tried: `${tried} worlds`, text: "" };
}

/**
 * Runs the check that `place` names (simulated worlds, schedules of calls, or tests) in a changed
 * copy of the repository, and returns the failures.
 *
 * @param {string} copy @param {string} place @param {number} count
 */
function failuresIn(copy, place, count) {
  const { command, failed } = checkAt(place, count);
  const [program = "", ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: copy,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const text = `${stdout}${stderr}`;
  const failures = [...text.matchAll(failed)].map(([, seed = "", message = ""]) => ({
    seed,
    message,
  }));
  return { failures, tried: place, status, text };
}

/**
 * Returns the command line of a check, and a pattern for the name and the message of a failure in
 * its output.
 *
 * @param {string} place @param {number} count
 */
function checkAt(place, count) {
  if (place.startsWith("tests/core ")) {
    const tests = place.slice("tests/core ".length);
    const command = ["cargo", "test", "--package=edgeflake", "--test=core", "--", tests];
    return { command, failed: /^test (.*::(.*)) \.\.\. FAILED/gm };
  }
  if (place.startsWith("tests/")) {
    const options = ["--test", "--test-timeout=180000", "--test-reporter=tap"];
    // Tests within a suite are indented.
    return {
      command: ["node", ...options, ...place.split(" ")],
      failed: /^ *not ok (\d+) - (.*)/gm,
    };
  }
  // If 60 worlds pass, the code without a mutant counts as correct. Otherwise, collect twice as many
  // failures as needed, because some worlds of a mutant fail with an unrelated message.
  const [seeds, failures] = count === 1 ? [60, 1] : [1_000_000, 2 * count];
  const what = place === "worlds" ? `--seeds=${seeds}` : "--schedules=1000";
  const program = "tests/package/simulation/main.js";
  const command = ["node", program, what, `--failures=${failures}`];
  return { command, failed: /^seed (\S+): (.*)/gm };
}

/** Fails if a check fails in a copy without a mutant. @param {string} copy @param {string} place */
function requireSound(copy, place) {
  const { failures, status, text } = failuresIn(copy, place, 1);
  if (failures.length === 0 && status === 0) return;
  fail(`${place} fails without a mutant: ${text.slice(-1_000)}`);
}

/** @param {Mutant} mutant */
function isFoundByModel({ name, breaks, model = "small" }) {
  console.log(`${name}: ${breaks}`);
  return exitCode("node", ["tools", "model", "--mutant", name, model]) === COUNTEREXAMPLE;
}

/** Runs cargo-mutants, with .cargo/mutants.toml, and returns its exit code. */
function changeInEveryWay() {
  installCargoTool(cargoMutants);
  const files = positionals.map((file) => `--file=${file}`);
  const what = ["mutants", "--package=edgeflake", "--output=target/every-way"];
  return exitCode(cargoMutants.path, [...what, ...files]);
}
