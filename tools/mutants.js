// node tools/mutants.js [--model] [names]: breaks the protocol on purpose, one line at a time, and
// shows that the simulation finds each; with --model, that the model check finds those that it can
// reach. A mutant is a patch in tests/mutants, with a first line that says what it breaks; it is
// applied to a copy of the checkout, never to the checkout.

import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { apply, copyCheckout } from "./mutant.js";
import { root } from "./paths.js";
import { exitCode, fail } from "./run.js";
import { setup } from "./setup.js";
import { simulation } from "./simulation.js";

/** In so many seconds the simulation must find a mutant, in so many worlds. */
const SECONDS = 60;
const FAILURES = 3;

/** The exit code of a model check that has found a way to two owners of one counter. */
const COUNTEREXAMPLE = 4;

/** What the smallest settings of the model check reach. */
const inModel = [
  "adopt-twice",
  "borrow-past-end",
  "close-early",
  "memory-only",
  "renew-of-others",
  "renewal-as-grant",
  "reply-before-write",
  "step-back-resets",
  "token-survives",
  "until-included",
];

const patches = join(root, "tests", "mutants");
const copy = join(root, "target", "mutants", "tree");
const target = join(root, "target", "mutants", "target");

const names = readdirSync(patches).map((file) => file.replace(/\.patch$/, ""));
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "boolean", default: false } },
});
const unknown = positionals.find((name) => !names.includes(name));
if (unknown) fail(`unknown mutant ${unknown}; allowed: ${names.join(", ")}`);
const chosen = positionals.length > 0 ? positionals : values.model ? inModel : names;

setup();
if (values.model) {
  const missed = chosen.filter((name) => !isFoundByModel(name));
  if (missed.length > 0) fail(`not found by the model check: ${missed.join(", ")}`);
  console.log(`all ${chosen.length} mutants were found by the model check`);
  process.exit();
}
copyCheckout(copy);
const sound = build();
if (!sound) fail("the simulation does not build");
cpSync(sound, `${sound}-sound`);

console.log(
  "mutant                  found  seeds tried  first seeds, each sound without the patch",
);
const missed = chosen.filter((name) => !isFound(name));
if (missed.length > 0) fail(`not found ${FAILURES} times in ${SECONDS} s: ${missed.join(", ")}`);
console.log(`all ${chosen.length} mutants were found; ${availableParallelism()} threads`);

/** Answers the program, or nothing if it does not build. */
function build() {
  const { status, stdout } = spawnSync("cargo", simulation("build"), {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, CARGO_TARGET_DIR: target, RUSTFLAGS: "--allow=warnings" },
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1 << 28,
  });
  if (status !== 0) return undefined;
  const messages = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return messages.find((message) => message.executable)?.executable;
}

/** @param {string} name */
function isFound(name) {
  const patch = join(patches, `${name}.patch`);
  apply(patch, copy);
  const program = build();
  apply(patch, copy, ["--reverse"]);
  if (!program) fail(`${name} does not build`);
  const args = ["--seeds=1000000", `--seconds=${SECONDS}`, `--failures=${FAILURES}`];
  const { stdout } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const failures = [...stdout.matchAll(/^seed (\d+): (.*)/gm)];
  const tried = /(\d+) {2}seeds from/.exec(stdout)?.[1] ?? "?";
  const seeds = failures.map(([, seed]) => seed);
  const found = String(failures.length).padStart(5);
  console.log(`${name.padEnd(22)}  ${found}  ${tried.padStart(11)}  ${seeds.join(" ")}`);
  const what = readFileSync(patch, "utf8").split("\n")[0];
  console.log(`  ${what}\n  ${failures[0]?.[2] ?? "no world failed"}`);
  for (const seed of seeds) {
    const { status } = spawnSync(`${sound}-sound`, ["--seeds=1", `--from=${seed}`]);
    if (status !== 0) fail(`seed ${seed} fails without the patch, too`);
  }
  return failures.length >= FAILURES;
}

/** @param {string} name */
function isFoundByModel(name) {
  const patch = join(patches, `${name}.patch`);
  console.log(`${name}: ${readFileSync(patch, "utf8").split("\n")[0]}`);
  return exitCode("node", ["tools/model.js", "--mutant", patch, "small"]) === COUNTEREXAMPLE;
}
