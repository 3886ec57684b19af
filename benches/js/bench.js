// The rows in Node and in Chromium, in one run: `npm run bench:js`. A target that is not reached in
// Node fails the bench; those of Chromium are only said. With --json there are figures, no targets.

import { parseArgs } from "node:util";
import { Snowflake as NodejsSnowflake } from "nodejs-snowflake";
import { integer } from "../../tools/bench/table.js";
import { lacking, pagePrograms } from "../../tools/setup/programs.js";
import { inChromium } from "./chromium.js";
import { measured, TIGHT, TWITTER_EPOCH_MS } from "./rows.js";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    json: { type: "boolean", default: false },
  },
});
const rounds = integer("rounds", options.rounds);

const nodejsSnowflake = new NodejsSnowflake({ custom_epoch: TWITTER_EPOCH_MS, instance_id: 1 });

/** Its glue requires Node's fs. */
const onlyInNode = {
  "an id as a bigint": [
    { name: "nodejs-snowflake (10 sequence bits)", call: () => nodejsSnowflake.getUniqueID() },
  ],
};

/**
 * @typedef {import("./rows.js").Measured} Measured
 *
 * @typedef {[string, number, number]} Target what, found and allowed, in ns
 */

/** @type {(Measured & { platform: string })[]} */
const all = [];
/** @type {string[]} */
const skipped = [];

add("Node", process.versions.node, await measured(rounds, onlyInNode));
if (lacking(pagePrograms).length > 0) {
  skipped.push("skipped: js in Chromium: Chromium not found");
} else {
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
    for (const { name, nanos } of ofGroup) line(name, `${column(best(nanos))} ns`);
  }
  console.log(`\n${platform}: duplicates among ${TIGHT} ids in a tight loop`);
  for (const { name, duplicates } of rows) {
    if (duplicates !== undefined) line(name, String(duplicates).padStart(9));
  }
}

/**
 * Prints what was to be reached, and says whether something was missed.
 *
 * @param {string} platform
 * @param {Measured[]} rows
 */
function judge(platform, rows) {
  /** The best round. @param {string} start of a name */
  const time = (start) => {
    const found = rows.find(({ name }) => name.startsWith(start));
    if (!found) throw new Error(`no row begins with ${start}`);
    return best(found.nanos);
  };
  const floor = time("floor: Date.now() and");
  /** @type {(what: string, ours: string, theirs: string) => Target} */
  const beside = (what, ours, theirs) => [what, time(ours), time(theirs)];
  /** @type {(what: string, ours: string, group: string) => Target[]} */
  const besidePeers = (what, ours, group) =>
    rows
      .filter((row) => row.group === group && !/^(floor|edgeflake)/.test(row.name))
      .map(({ name }) => beside(`${what} beside ${name}`, ours, name));

  const next = ["edgeflake next (16", "edgeflake next (tw", "edgeflake next (ha"];
  /** @type {Target[]} */
  const targets = [
    ["next: 1.2 times the floor", Math.max(...next.map(time)), 1.2 * floor],
    ...besidePeers("next", next[0], "an id as a bigint"),
    ...besidePeers("nextString", "edgeflake nextString, d", "an id as a string"),
    ["fill, an id", time("edgeflake fill"), 1.5],
    beside("decode beside deconstruct", "edgeflake decode (", "@sapphire/snowflake deconstruct"),
    ["decodeMany, an id", time("edgeflake decodeMany of a"), 100],
  ];
  console.log(`\n${platform}: targets`);
  let isMissed = false;
  for (const [what, found, allowed] of targets) {
    const reached = found <= allowed;
    // Nothing that asks for the time is faster than what takes less than asking for it (nanoid).
    const possible = !what.endsWith("nanoid") || allowed > floor;
    isMissed ||= !reached && possible;
    const verdict = reached ? "reached" : possible ? "MISSED" : "missed: below the floor";
    line(what, `${column(found)} of ${allowed.toFixed(2)} ns  ${verdict}`);
  }
  return isMissed;
}

/** @param {number[]} nanos */
function best(nanos) {
  return Math.min(...nanos);
}

/** @param {number} nanos */
function column(nanos) {
  return nanos.toFixed(2).padStart(9);
}

/** @param {string} name @param {string} value */
function line(name, value) {
  console.log(`  ${name.padEnd(58)}${value}`);
}
