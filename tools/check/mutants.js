// node tools mutants [--model] [--js] [--worker] [names]: breaks the protocol on purpose, one rule at a
// time, and shows that the simulation finds each; with --model, that the model check finds those that
// it can reach; with --js and --worker, that the checks of the JavaScript and of the Worker's objects
// find theirs. A mutant is a patch in tests/mutants, whose head says what it breaks and by which
// message of which check that is found, see mutant-patch.js: worlds that fail by anything else do not
// count. It is applied to a copy of the checkout, never to the checkout.

import { spawnSync } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { exitCode, fail, run } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { apply, copyCheckout, head } from "./mutant-patch.js";
import { ofScripts, ofWorker } from "./mutants-js.js";

/** In so many seconds the simulation must find a mutant, in so many worlds. */
const SECONDS = 240;
const FAILURES = 3;

/** The exit code of a model check that has found a way to two owners of one counter. */
const COUNTEREXAMPLE = 4;

const patches = join(root, "tests", "mutants");
/** @param {string} name */
const patchOf = (name) => join(patches, `${name}.patch`);
const copy = join(root, "target", "mutants", "tree");
const target = join(root, "target", "mutants", "target");

const names = readdirSync(patches)
  .filter((file) => file.endsWith(".patch"))
  .map((file) => file.replace(/\.patch$/, ""));
const { positionals, values } = readArguments({
  allowPositionals: true,
  options: {
    model: { type: "boolean", default: false },
    js: { type: "boolean", default: false },
    worker: { type: "boolean", default: false },
  },
});
const known = [...names, ...ofScripts.names, ...ofWorker.names];
const unknown = positionals.find((name) => !known.includes(name));
if (unknown) fail(`unknown mutant ${unknown}; allowed: ${known.join(", ")}`);
const isAll = positionals.length === 0;
const isOther = values.js || values.worker;
/** @param {string[]} names @param {boolean} isWanted if none are named */
const choose = (names, isWanted) =>
  names.filter((name) => (isAll ? isWanted : positionals.includes(name)));
const all = values.model ? names.filter((name) => head(patchOf(name)).setting) : names;
const chosen = choose(all, !isOther);

await setup();
if (values.model) {
  const missed = chosen.filter((name) => !isFoundByModel(name));
  if (missed.length > 0)
    fail(`not found by the model check: ${missed.join(", ")}; a test or a rule is missing`);
  console.log(`all ${chosen.length} mutants were found by the model check`);
  process.exit();
}
for (const [isWanted, group, what] of /** @type {const} */ ([
  [values.js, ofScripts, "the JavaScript"],
  [values.worker, ofWorker, "the Worker's objects"],
])) {
  const chosen = choose(group.names, isWanted);
  if (chosen.length === 0) continue;
  run("node", ["tools", "build", "package"]);
  const missed = group.missedOf(chosen);
  if (missed.length > 0) fail(`not found: ${missed.join(", ")}`);
  console.log(`all ${chosen.length} mutants of ${what} were found`);
}
if (chosen.length === 0) process.exit();
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
  const { status, stdout } = spawnSync(
    "cargo",
    ["simulation", "--no-run", "--message-format=json-render-diagnostics"],
    {
      cwd: copy,
      encoding: "utf8",
      env: { ...process.env, CARGO_TARGET_DIR: target, RUSTFLAGS: "--allow=warnings" },
      stdio: ["ignore", "pipe", "inherit"],
      maxBuffer: 1 << 28,
    },
  );
  if (status !== 0) return undefined;
  const messages = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return messages.find((message) => message.executable)?.executable;
}

/** @param {string} name */
function isFound(name) {
  const patch = patchOf(name);
  const { what, messages } = head(patch);
  apply(patch, copy);
  const program = build();
  apply(patch, copy, ["--reverse"]);
  if (!program) fail(`${name} does not build`);
  const { failures, tried } = failuresOf(program, messages);
  const found = failures.filter(({ isMeant }) => isMeant);
  const seeds = found.map(({ seed }) => seed);
  const counts = `${String(found.length).padStart(5)}  ${String(tried).padStart(11)}`;
  console.log(`${name.padEnd(22)}  ${counts}  ${seeds.join(" ")}\n  ${what}`);
  for (const source of messages.map(({ source }) => source)) {
    const by = found.filter(({ message }) => message.match(source));
    console.log(`  ${by.length} by "${source}"${by[0] ? `: ${by[0].message}` : ""}`);
  }
  const other = failures.find(({ isMeant }) => !isMeant);
  if (other) console.log(`  ${failures.length - found.length} by others: ${other.message}`);
  for (const seed of seeds) {
    const { status } = spawnSync(`${sound}-sound`, ["--seeds=1", `--from=${seed}`]);
    if (status !== 0) fail(`seed ${seed} fails without the patch, too`);
  }
  return found.length >= FAILURES;
}

/**
 * Worlds that fail, until enough of them do so by one of these messages, or the time is over; and
 * in how many worlds that was.
 *
 * @param {string} program
 * @param {RegExp[]} messages
 */
function failuresOf(program, messages) {
  const until = Date.now() + SECONDS * 1_000;
  const failures = [];
  let tried = 0;
  for (let from = 0, missing = FAILURES; missing > 0 && Date.now() < until; ) {
    const seconds = Math.ceil((until - Date.now()) / 1_000);
    const args = [`--from=${from}`, "--seeds=1000000", `--seconds=${seconds}`];
    const { stdout } = spawnSync(program, [...args, `--failures=${missing}`], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    tried += Number(/(\d+) {2}seeds from/.exec(stdout)?.[1]);
    for (const [, seed, message = ""] of stdout.matchAll(/^seed (\d+): (.*)/gm)) {
      const isMeant = messages.some((meant) => meant.test(message));
      failures.push({ seed: Number(seed), message, isMeant });
      if (isMeant) missing -= 1;
      from = Math.max(from, Number(seed) + 1);
    }
  }
  return { failures, tried };
}

/** @param {string} name */
function isFoundByModel(name) {
  const patch = patchOf(name);
  const { what, setting = "small" } = head(patch);
  console.log(`${name}: ${what}`);
  return exitCode("node", ["tools", "model", "--mutant", patch, setting]) === COUNTEREXAMPLE;
}
