// The mutants of the JavaScript and of the Worker's objects: patches in tests/mutants/js, which need no
// Rust to be compiled, and in tests/mutants/worker, for each of which the Worker is built anew. What
// finds them: seeded worlds, orders of a store's calls, or a test.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../command/paths.js";
import { fail, output } from "../command/run.js";
import { apply, head } from "./mutant-patch.js";

/** In so many seconds a mutant must be found in so many worlds. */
const SECONDS = 120;
const FAILURES = 3;

/** What is compiled stays in a copy, so that only what a mutant changes is compiled anew. */
const COMPILED = ["target", "build"];

/** What is JavaScript in the checkout. */
const SCRIPTS = /^(package\.json|tests\/(package|harness|worker)\/|packages\/|worker\/)/;

/** What the Worker is built from, and what tests it. */
const SOURCES = /\.(rs|toml|lock|js|ts|json)$/;

export const ofScripts = group("js", SCRIPTS, () => true);
export const ofWorker = group("worker", SOURCES, buildWorker);

/**
 * The mutants of a folder.
 *
 * @param {string} folder
 * @param {RegExp} wanted the files of the checkout that the copy has
 * @param {(copy: string) => boolean} build whether it builds
 */
function group(folder, wanted, build) {
  const patches = join(root, "tests", "mutants", folder);
  const patchOf = (/** @type {string} */ name) => join(patches, `${name}.patch`);
  const names = readdirSync(patches)
    .filter((file) => file.endsWith(".patch"))
    .map((file) => file.replace(/\.patch$/, ""));
  const copy = join(root, "target", "mutants", folder);

  /** @param {string} name */
  function isFound(name) {
    const patch = patchOf(name);
    const { what, messages, place } = head(patch);
    apply(patch, copy);
    if (!build(copy)) fail(`${name} does not build`);
    const { failures, text } = failuresIn(copy, place, messages, FAILURES);
    apply(patch, copy, ["--reverse"]);
    const wanted = place.startsWith("tests/") ? 1 : FAILURES;
    console.log(
      `${name.padEnd(22)}  ${place} ${failures.map(({ seed }) => seed).join(" ")}\n  ${what}`,
    );
    console.log(`  ${(failures[0]?.message ?? `NOT FOUND: ${text}`).slice(0, 300)}`);
    return failures.length >= wanted;
  }

  /** Those of these mutants that are not found. @param {string[]} chosen */
  function missedOf(chosen) {
    copyCheckout(copy, wanted);
    if (!build(copy)) fail("the Worker does not build");
    for (const place of new Set(chosen.map((name) => head(patchOf(name)).place))) {
      const { failures, status, text } = failuresIn(copy, place, [/./], 1);
      if (failures.length > 0 || status !== 0) fail(`${place} fails without a mutant: ${text}`);
    }
    console.log("mutant                  found by");
    return chosen.filter((name) => !isFound(name));
  }
  return { names, missedOf };
}

/**
 * A copy of the checkout, with the modules as they were built.
 *
 * @param {string} copy
 * @param {RegExp} wanted
 */
function copyCheckout(copy, wanted) {
  mkdirSync(copy, { recursive: true });
  for (const name of readdirSync(copy)) {
    if (!COMPILED.includes(name)) rmSync(join(copy, name), { recursive: true, force: true });
  }
  const files = output("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  if (files === undefined) fail("git ls-files failed: is this a checkout?");
  // Their times are those of the copy, because a mutant that was broken off would else stay compiled.
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

/** Builds the Worker of a copy, as for `npm run dev`, where its tests find it. @param {string} copy */
function buildWorker(copy) {
  const env = { ...process.env, EDGEFLAKE_PROFILE: "development" };
  const options = { cwd: copy, env, encoding: /** @type {const} */ ("utf8") };
  const { status, stdout, stderr } = spawnSync("node", ["tools", "build", "worker"], options);
  if (status !== 0) {
    console.error(`${stdout}${stderr}`);
    return false;
  }
  for (const file of ["glue.js", "index_bg.wasm"]) {
    cpSync(
      join(copy, "build/module/worker", file),
      join(copy, "packages/edgeflake/dist/worker", file),
    );
  }
  return true;
}

/**
 * What fails, by one of these messages.
 *
 * @param {string} copy
 * @param {string} place
 * @param {RegExp[]} messages
 * @param {number} count
 */
function failuresIn(copy, place, messages, count) {
  const script = { worlds: WORLDS, schedules: SCHEDULES }[place];
  const args = script
    ? ["--input-type=module", `--eval=const count = ${count}, seconds = ${SECONDS};${script}`]
    : ["--test", "--test-timeout=180000", "--test-reporter=tap", ...place.split(" ")];
  const { status, stdout, stderr } = spawnSync("node", args, {
    cwd: copy,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const text = `${stdout}${stderr}`;
  // A test within a suite is indented.
  const failed = script ? /^seed (\S+): (.*)/gm : /^ *not ok (\d+) - (.*)/gm;
  const failures = [...text.matchAll(failed)]
    .map(([, seed, message = ""]) => ({ seed, message }))
    .filter(({ message }) => messages.some((meant) => meant.test(message)));
  return { failures, status, text: text.slice(-1_000) };
}

const WORLDS = `
import { simulate } from "./tests/package/simulation/simulate.js";
// Some fail by another message.
const options = { seeds: count === 1 ? 60 : 1_000_000, from: 0, seconds, failures: 2 * count };
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
