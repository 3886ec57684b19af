// Measures the cases of rows.js in Node and in Chromium, in one run: `npm run bench:js`. A missed
// target fails the bench in Node, and is only reported in Chromium. With --json it prints figures,
// and no targets.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Snowflake as NodejsSnowflake } from "nodejs-snowflake";
import { lacking, pagePrograms, requirePrograms } from "../../tools/setup/programs.js";
import { isNoise, median, ratio, spread } from "../table.js";
import { inChromium } from "./chromium.js";
import { measured, TIGHT, TWITTER_EPOCH_MS } from "./rows.js";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "21" },
    json: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds);

const nodejsSnowflake = new NodejsSnowflake({ custom_epoch: TWITTER_EPOCH_MS, instance_id: 1 });

/** Number of rounds for `edgeflake decode` in a pipe. Each of these rounds takes seconds. */
const LINE_ROUNDS = 5;

/**
 * Rows that only Node can run, because the JavaScript of nodejs-snowflake requires Node's fs.
 *
 * @type {Record<string, import("./rows.js").Row[]>}
 */
const onlyInNode = {
  "an id as a bigint": [
    ["nodejs-snowflake (waits: 1,024 ids per ms)", () => nodejsSnowflake.getUniqueID()],
  ],
};

/**
 * Number of lines that `edgeflake decode` reads. It runs between two pipes of a shell, as does a
 * program that only copies the lines.
 */
const LINES = 1_000_000;
const FIRST = 1541815603606036480n;

const cli = fileURLToPath(new URL("../../packages/edgeflake/dist/cli/cli.js", import.meta.url));
const COPY = "process.stdin.pipe(process.stdout)";

/** @type {[string, string[]][]} */
const PROGRAMS = [
  ["floor: a program that copies the lines", ["--eval", COPY]],
  ["edgeflake decode --layout twitter", [cli, "decode", "--layout", "twitter"]],
  ["edgeflake decode --layout twitter --json", [cli, "decode", "--layout", "twitter", "--json"]],
  ["edgeflake decode, in the likeliest layout", [cli, "decode"]],
];

/**
 * Runs a Node program between two pipes. `grep` counts the lines that do not begin with a space.
 * Each id has exactly one such line.
 */
const PIPES = `input=$1; shift; cat "$input" | "$@" | LC_ALL=C grep -c '^[^ ]'`;

/**
 * @typedef {import("./rows.js").Measured} Measured
 *
 * @typedef {[what: string, ours: Measured[], theirs: Measured, most: number]} Target each row in
 * `ours` takes at most `most` times as long as `theirs`
 */

/** @type {(Measured & { platform: string })[]} */
const all = [];
/** @type {string[]} */
const skipped = [];

add("Node", process.versions.node, [
  ...(await measured(rounds, onlyInNode)),
  ...measuredLines(Math.min(rounds, LINE_ROUNDS)),
]);
if (lacking(pagePrograms).length > 0) {
  skipped.push("skipped: js in Chromium: Chromium not found");
} else {
  requirePrograms(pagePrograms);
  const { version, rows } = await inChromium(rounds);
  add("Chromium", version, rows);
  skipped.push("skipped: js in Chromium: nodejs-snowflake, which is for Node only");
}
if (options.json) console.log(JSON.stringify({ rounds, rows: all, skipped }));
else console.log(`\n${skipped.join("\n")}`);

/** @param {string} platform @param {string} version @param {Measured[]} rows */
function add(platform, version, rows) {
  all.push(...rows.map((row) => ({ platform, ...row })));
  if (options.json) return;
  report(`${platform} ${version}`, rows);
  const isMissed = judge(`${platform} ${version}`, rows);
  if (isMissed && platform === "Node") process.exitCode = 1;
}

/** @param {string} platform @param {Measured[]} rows */
function report(platform, rows) {
  for (const [group, ofGroup = []] of Object.entries(Object.groupBy(rows, ({ group }) => group))) {
    console.log(`\n${platform}: ${group}`);
    for (const { name, nanos } of ofGroup) line(name, told(nanos));
  }
  console.log(`\n${platform}: duplicates among ${TIGHT} ids in a tight loop`);
  for (const { name, duplicates } of rows) {
    if (duplicates !== undefined) line(name, String(duplicates).padStart(9));
  }
}

/**
 * Prints the targets, and returns whether one was missed.
 *
 * @param {string} platform @param {Measured[]} rows
 */
function judge(platform, rows) {
  /** @param {string} start the start of the row's name */
  const row = (start) => {
    const found = rows.find(({ name }) => name.startsWith(start));
    return found ?? fail(`no row begins with ${start}`);
  };
  const floor = row("floor: Date.now() and");
  const next = ["edgeflake next (16", "edgeflake next (tw", "edgeflake next (ha"].map(row);
  const strings = ["decimal", "base62", "base58", "hex"].map((name) =>
    row(`edgeflake nextString, ${name}`),
  );
  const peers = (/** @type {string} */ group) =>
    rows.filter((row) => row.group === group && !/^(floor|edgeflake)/.test(row.name));
  /** @type {Target[]} */
  const targets = [
    ["next beside its floor", next, floor, 1.2],
    ...peers("an id as a bigint").map(
      (peer) => /** @type {Target} */ ([`next beside ${peer.name}`, [next[0]], peer, 1]),
    ),
    [
      "next in a loop, clockEvery: 64, beside Date.now()",
      [row("edgeflake next in a loop, clockEvery")],
      row("floor: Date.now() in a loop"),
      0.4,
    ],
    ["nextString beside next", strings, next[0], 1.6],
    ...peers("an id as a string").map(
      (peer) => /** @type {Target} */ ([`nextString beside ${peer.name}`, strings, peer, 1]),
    ),
    ...["format", "parse"].map(
      (call) =>
        /** @type {Target} */ ([
          `public ${call} beside nextString`,
          [row(`edgeflake/public ${call} (`)],
          row("edgeflake nextString, base62"),
          3,
        ]),
    ),
    ["batch beside new memory", [row("edgeflake batch")], row("floor: new memory"), 2.5],
    [
      "decode beside deconstruct",
      [row("edgeflake decode (")],
      row("@sapphire/snowflake deconstruct"),
      1,
    ],
    [
      "decodeMany of a text beside strings",
      [row("edgeflake decodeMany of a text")],
      row("edgeflake decodeMany of strings"),
      0.85,
    ],
  ];
  console.log(`\n${platform}: targets, medians of the ratios of ${rounds} rounds`);
  let isMissed = false;
  for (const [what, ours, theirs, most] of targets) {
    const ratios = ours.map(({ nanos }) => ratio(nanos, theirs.nanos));
    const slowest = ratios.toSorted((a, b) => b.median - a.median)[0];
    // If nanoid or uid, which read no clock, takes less time than reading the clock, no generator
    // that reads the clock can reach the target.
    const isPossible = !/ (nanoid|uid)$/.test(what) || median(theirs.nanos) > median(floor.nanos);
    const isReached = slowest.median <= most;
    const isUnknown = isNoise(slowest);
    isMissed ||= !isReached && !isUnknown && isPossible;
    const verdict = isReached ? "reached" : isPossible ? "MISSED" : "missed: it is below the floor";
    const found = `${slowest.median.toFixed(2)} (${slowest.low.toFixed(2)} to ${slowest.high.toFixed(2)})`;
    line(what, `${found}, at most ${most.toFixed(2)}  ${isUnknown ? "n/a" : verdict}`);
  }
  return isMissed;
}

/** Formats the median of the rounds, and the range of the middle half. @param {number[]} nanos */
function told(nanos) {
  const found = spread(nanos);
  const value = isNoise(found) ? "n/a" : found.median.toFixed(2);
  return `${value.padStart(9)} ns (${found.low.toFixed(2)} to ${found.high.toFixed(2)})`;
}

/** @param {string} message @returns {never} */
function fail(message) {
  throw new Error(message);
}

/** @param {string} name @param {string} value */
function line(name, value) {
  console.log(`  ${name.padEnd(60)}${value}`);
}

/** @param {number} rounds @returns {Measured[]} */
function measuredLines(rounds) {
  const group = `${LINES} lines from a pipe to a pipe, a line`;
  const rows = PROGRAMS.map(([name, args]) => {
    return { group, name, args, nanos: /** @type {number[]} */ ([]) };
  });
  const folder = mkdtempSync(join(tmpdir(), "edgeflake-lines-"));
  try {
    const input = join(folder, "ids.txt");
    const ids = Array.from({ length: LINES }, (_, i) => `${FIRST + BigInt(i) * 4_194_304_001n}\n`);
    writeFileSync(input, ids.join(""));
    for (let round = 0; round < rounds; round++) {
      for (const { name, args, nanos } of rows) {
        const start = performance.now();
        const { status, stdout, stderr } = spawnSync(
          "bash",
          ["-o", "pipefail", "-c", PIPES, "bash", input, process.execPath, ...args],
          { encoding: "utf8" },
        );
        nanos.push(((performance.now() - start) * 1e6) / LINES);
        if (status !== 0 || stderr !== "" || Number(stdout) !== LINES) {
          throw new Error(
            `${name}: ${stdout.trim()} of ${LINES} ids, exit code ${status}: ${stderr}`,
          );
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return rows.map(({ name, nanos }) => ({ group, name, nanos }));
}
