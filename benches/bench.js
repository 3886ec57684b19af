// node tools bench [--quick] [parts] runs every bench and prints one table. The parts are rust, js,
// worker and authority. Ratios come first. A ratio compares a row with the floor of its group
// in the same run. If a group has no floor, its rows are compared with its first row, which in Rust
// is the fastest. In all parts but rust, the rows take turns, and a ratio is the median of the
// ratios of the rounds. A spread contains half of the rounds. If the spread is as wide as the
// figure, n/a replaces the figure. Each bench counts its results, and fails if any are missing. A
// run of all parts without --quick also prints the tables and sentences for README.md and
// docs/FIGURES.md.

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../tools/command/arguments.js";
import { root } from "../tools/command/paths.js";
import { fail, output, run } from "../tools/command/run.js";
import { benchPrograms, lacking, requirePrograms } from "../tools/setup/programs.js";
import { setup } from "../tools/setup/setup.js";
import { measureAuthority } from "./authority.js";
import { figures } from "./figures.js";
import { isNoise, print, ratio, spread } from "./table.js";
import { measureWorker } from "./worker.js";

/**
 * @typedef {import("./table.js").Spread} Spread
 * @typedef {import("../tools/setup/programs.js").Program} Program
 *
 * @typedef {object} Row
 * @property {string} group
 * @property {string} name with its layout and allowed future if it issues ids
 * @property {Spread} value
 * @property {string} unit
 * @property {Spread} [ratio] to the row with which the group is compared, if there is one
 */

const { values: options, positionals: asked } = readArguments({
  options: {
    // A quick run only shows that everything runs.
    quick: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

/** @type {Record<string, [rows: () => Row[] | Promise<Row[]>, programs: Program[]]>} */
const parts = {
  rust: [rust, []],
  js: [js, []],
  worker: [worker, benchPrograms],
  authority: [authority, benchPrograms],
};

/** The number and the length of rounds in workerd. @type {[rounds: number, seconds: number]} */
const duration = options.quick ? [2, 1] : [7, 2];

const unknown = asked.find((name) => !Object.hasOwn(parts, name));
if (unknown) fail(`unknown part ${unknown}; allowed: ${Object.keys(parts).join(", ")}`);

await setup("lint");
/** @type {Row[]} */
const all = [];
/** @type {string[]} */
const skipped = [];
/** @type {Set<string>} */
const measured = new Set();
for (const [name, [rows, programs]] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const missing = lacking(programs).map((program) => program.name);
  if (missing.length > 0) {
    skipped.push(`skipped: ${name}: ${missing.join(", ")} not found`);
    continue;
  }
  requirePrograms(programs);
  console.error(`bench: ${name}`);
  all.push(...(await rows()));
  measured.add(name);
}
report();

/** @returns {Row[]} */
function rust() {
  const directory = join(root, "benches", "target", "criterion");
  // Results of an earlier run must not count.
  rmSync(directory, { force: true, recursive: true });
  const quick = options.quick ? ["--warm-up-time=0.2", "--measurement-time=0.5"] : [];
  const args = ["bench", "--quiet", "--manifest-path=benches/Cargo.toml", "--", ...quick];
  if (output("cargo", args) === undefined) fail("cargo bench failed; run it alone to see why");
  const samples = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(join("new", "sample.json")))
    .map((file) => criterion(join(directory, file)));
  if (samples.length === 0) fail(`criterion wrote no results to ${directory}`);
  return Object.values(Object.groupBy(samples, ({ group }) => group)).flatMap((group = []) => {
    const ordered = group.toSorted((a, b) => a.value.median - b.value.median);
    const floor = ordered.find(({ name }) => name.startsWith("floor")) ?? ordered[0];
    return ordered.map(({ nanos, ...row }) => {
      return { ...row, ratio: spread(nanos.map((ns) => ns / floor.value.median)) };
    });
  });
}

/** Reads the result that criterion has stored for a bench. @param {string} file */
function criterion(file) {
  const { times, iters } = JSON.parse(readFileSync(file, "utf8"));
  const about = JSON.parse(readFileSync(join(file, "..", "benchmark.json"), "utf8"));
  const elements = about.throughput?.Elements ?? 1;
  /** @type {number[]} */
  const nanos = times.map(
    (/** @type {number} */ time, /** @type {number} */ sample) => time / iters[sample] / elements,
  );
  const [group, name] = [`Rust: ${about.group_id}`, about.function_id];
  return { group, name, nanos, value: spread(nanos), unit: "ns" };
}

/** @returns {Row[]} */
function js() {
  // A stable median needs the default number of rounds, because the rounds are short.
  const args = ["tools", "bench:js", "--json", ...(options.quick ? ["--rounds=5"] : [])];
  const text = output("node", args) ?? fail("bench:js failed; run it alone to see why");
  // The set-up may print something before the JSON.
  const { rows, skipped: without } = JSON.parse(text.slice(text.indexOf("{")));
  skipped.push(...without);
  /** @type {Record<string, number[]>} */
  const floors = {};
  return rows.map((/** @type {any} */ { platform, group, name, nanos }) => {
    const title = `JavaScript, ${platform}: ${group}`;
    floors[title] ??= nanos;
    const value = spread(nanos);
    return { group: title, name, value, unit: "ns", ratio: ratio(nanos, floors[title]) };
  });
}

function worker() {
  build("worker", "smallest");
  return measureWorker(...duration);
}

function authority() {
  build("worker");
  return measureAuthority(...duration);
}

/** @param {string[]} names */
function build(...names) {
  run("node", ["tools", "build", ...names], { stdio: ["ignore", "ignore", "inherit"] });
}

function report() {
  for (const [group, rows = []] of Object.entries(Object.groupBy(all, ({ group }) => group))) {
    console.log(`\n${group}`);
    print([
      ["ratio", "spread", "median", "spread", "", ""],
      ...rows.map(({ name, value, unit, ratio }) => [
        ratio ? told(ratio) : "",
        ratio ? range(ratio) : "",
        told(value),
        value.least === value.most ? "" : range(value),
        unit,
        name,
      ]),
    ]);
  }
  for (const line of skipped) console.log(line);
  const isWhole = Object.keys(parts).every((name) => measured.has(name));
  if (isWhole && !options.quick) console.log(`\n${figures(all)}`);
}

/** @param {Spread} value */
function told(value) {
  return isNoise(value) ? "n/a" : short(value.median);
}

/** @param {Spread} value */
function range({ low, high }) {
  return `${short(low)}-${short(high)}`;
}

/** Formats a number with three digits, or as a whole number from 100 on. @param {number} value */
function short(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
