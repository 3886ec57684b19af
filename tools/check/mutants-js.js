// The mutants of the JavaScript: patches in tests/mutants/js, each of which breaks the package or
// the JavaScript of the Worker's objects. What finds them needs no Rust to be compiled: seeded
// worlds, orders of a store's calls, or a test.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../command/paths.js";
import { fail, output } from "../command/run.js";
import { apply, head } from "./mutant-patch.js";

/** In so many seconds a mutant must be found in so many worlds. */
const SECONDS = 120;
const FAILURES = 3;

/** Where what finds a mutant is run, with the mutant in it. */
const copy = join(root, "target", "mutants", "js");

const folder = join(root, "tests", "mutants", "js");

/** The mutants of the JavaScript, by name. */
export const names = readdirSync(folder)
  .filter((file) => file.endsWith(".patch"))
  .map((file) => file.replace(/\.patch$/, ""));

/** @param {string} name */
const patchOf = (name) => join(folder, `${name}.patch`);

/** Those of these mutants that are not found. @param {string[]} chosen */
export function missedOf(chosen) {
  copyCheckout();
  for (const place of new Set(chosen.map((name) => head(patchOf(name)).place))) {
    const { failures, text } = failuresIn(place, [/./], 1);
    if (failures.length > 0) fail(`${place} fails without a mutant: ${text}`);
  }
  console.log("mutant                  found by");
  return chosen.filter((name) => !isFound(name));
}

/** What is JavaScript in the checkout, and the modules as they were built. */
function copyCheckout() {
  rmSync(copy, { recursive: true, force: true });
  const files = output("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  if (files === undefined) fail("git ls-files failed: is this a checkout?");
  const wanted = /^(package\.json|tests\/(package|harness|worker\/harness)\/|packages\/|worker\/)/;
  for (const file of files.split("\0").filter((file) => wanted.test(file))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  cpSync(join(root, "packages/edgeflake/dist"), join(copy, "packages/edgeflake/dist"), {
    recursive: true,
  });
  const modules = join(copy, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules"))) {
    const target = name === "edgeflake" ? join(copy, "packages") : join(root, "node_modules");
    symlinkSync(join(target, name), join(modules, name));
  }
}

/** @param {string} name */
function isFound(name) {
  const patch = patchOf(name);
  const { what, messages, place } = head(patch);
  apply(patch, copy);
  const { failures, text } = failuresIn(place, messages, FAILURES);
  apply(patch, copy, ["--reverse"]);
  const wanted = place === "worlds" ? FAILURES : 1;
  console.log(
    `${name.padEnd(22)}  ${place} ${failures.map(({ seed }) => seed).join(" ")}\n  ${what}`,
  );
  console.log(`  ${(failures[0]?.message ?? `NOT FOUND: ${text}`).slice(0, 300)}`);
  return failures.length >= wanted;
}

/**
 * What fails, by one of these messages.
 *
 * @param {string} place
 * @param {RegExp[]} messages
 * @param {number} count
 */
function failuresIn(place, messages, count) {
  const script = { worlds: WORLDS, schedules: SCHEDULES }[place];
  const args = script
    ? ["--input-type=module", `--eval=const count = ${count}, seconds = ${SECONDS};${script}`]
    : ["--test", "--test-reporter=tap", ...place.split(" ")];
  const { stdout, stderr } = spawnSync("node", args, {
    cwd: copy,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const text = `${stdout}${stderr}`;
  const failed = script ? /^seed (\S+): (.*)/gm : /^not ok (\d+) - (.*)/gm;
  const failures = [...text.matchAll(failed)]
    .map(([, seed, message = ""]) => ({ seed, message }))
    .filter(({ message }) => messages.some((meant) => meant.test(message)));
  return { failures, text: text.slice(-1_000) };
}

const WORLDS = `
import { simulate } from "./tests/package/simulation/simulate.js";
const options = { seeds: count === 1 ? 60 : 1_000_000, from: 0, seconds, failures: count };
await simulate({ ...options, report: console.log });`;

const SCHEDULES = `
import { visitAll, visitRandom, visitRare } from "./tests/package/simulation/schedules.js";
const say = (seed, wrong) => wrong && console.log("seed " + seed + ": " + wrong.message);
const one = { places: 1, kills: 1, failures: 1, hasProc: false, isVolume: false };
const two = { ...one, places: 2, kills: 0, failures: 0 };
say("all", visitAll(one).wrong);
for (const other of [{}, { hasProc: true }, { isVolume: true }]) {
  say("all", visitAll({ ...two, ...other }).wrong);
}
for (const [visit, schedules] of [[visitRare, 60], [visitRandom, 1_000]]) {
  for (let i = 0, from = 0; i < count && from < schedules; i++) {
    const { tried, wrong } = visit({ schedules: schedules - from, from });
    say(wrong?.seed, wrong);
    from += tried;
  }
}`;
