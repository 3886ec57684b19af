// node tools gates [--write] [names]: counts the instructions of the hot paths with callgrind, and
// fails if a count differs by more than 3 % from the stored count, even if the new count is lower.
// With --write, it stores the new counts.
//
// It does not measure time, because only the instruction count is the same on a busy machine.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail, output, run } from "../command/run.js";
import { gatePrograms, requirePrograms } from "../setup/programs.js";
import { setup } from "../setup/setup.js";

/** Counts of the same code may differ by this fraction between compilers and processors. */
const MARGIN = 0.03;

/**
 * Number of calls counted per path. The number is large, so that the counted calls contain a
 * typical amount of rare work.
 */
const COUNT = 2_000;

const kept = join(root, "benches", "gates", "instructions.json");

const { values: options, positionals: only } = readArguments({
  options: { write: { type: "boolean", default: false } },
  allowPositionals: true,
});

if (process.platform !== "linux" || process.arch !== "x64") {
  console.log(
    `skipped: the stored counts are for linux on x64; this is ${process.platform} on ${process.arch}`,
  );
  process.exit(0);
}
await setup();
requirePrograms(gatePrograms);
run("cargo", ["build", "--quiet", "--release", "--package=edgeflake-gates"]);

const program = join(root, "target", "release", "edgeflake-gates");
const names = (output(program, []) ?? fail(`${program} does not run`)).trimEnd().split("\n");
const asked = names.filter((name) => only.length === 0 || only.some((part) => name.includes(part)));
if (asked.length === 0)
  fail(`no path has ${only.join(" or ")} in its name; the paths are: ${names.join("; ")}`);

const directory = mkdtempSync(join(tmpdir(), "edgeflake-gates-"));
process.on("exit", () => rmSync(directory, { force: true, recursive: true }));

/** @type {Record<string, number>} instructions per call */
const before = JSON.parse(readFileSync(kept, "utf8"));
/** @type {Record<string, number>} */
const counted = {};
const waiting = asked.values();
const countWaiting = async () => {
  for (const name of waiting) counted[name] = await count(name);
};
await Promise.all(Array.from({ length: availableParallelism() }, countWaiting));
const worse = asked.map(report).filter((verdict) => verdict !== undefined);
const gone = Object.keys(before).filter((name) => !names.includes(name));
if (gone.length > 0)
  worse.push(`these paths have a stored count, but no longer exist: ${gone.join("; ")}`);

if (options.write) {
  // Write the paths in the order in which the program lists them.
  const all = names.map((name) => [name, counted[name] ?? before[name]]);
  writeFileSync(kept, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`);
} else if (worse.length > 0) {
  console.error(`\n${worse.join("\n")}\nIf you intended this, run: npm run gates -- --write`);
  process.exitCode = 1;
}

/** @param {string} name @returns {Promise<number>} instructions per call */
async function count(name) {
  const out = join(directory, name.replaceAll(/\W/g, "-"));
  const args = ["--tool=callgrind", `--callgrind-out-file=${out}`, "--toggle-collect=*measured*"];
  const command = [...args, program, name, `${COUNT}`];
  const { code, stderr } = await promisify(execFile)("valgrind", command).catch((error) => error);
  const collected = Number(stderr.match(/Collected : (\d+)/)?.[1]);
  if (code || !(collected >= COUNT)) {
    fail(`${name}: nothing was counted: ${stderr.replaceAll(/^==.*\n/gm, "")}`);
  }
  return Math.round(collected / COUNT);
}

/** @param {string} name @returns {string | undefined} what is wrong */
function report(name) {
  const [now, then] = [counted[name], before[name]];
  const change = then === undefined ? Number.NaN : now / then - 1;
  const percent = Number.isNaN(change) ? "new" : `${(100 * change).toFixed(1)} %`;
  console.log(`${`${now}`.padStart(8)} ${percent.padStart(8)}  ${name}`);
  if (then === undefined) return `${name}: ${now} instructions, but no count is stored`;
  // One instruction more or fewer is always allowed, because 3 % of a small count is less than one.
  if (Math.abs(now - then) <= Math.max(1, MARGIN * then)) return undefined;
  const what = now > then ? "more than" : "fewer than";
  return `${name}: ${now} instructions, ${what} the stored ${then} (3 % is allowed)`;
}
