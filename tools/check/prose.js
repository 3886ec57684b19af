// node tools prose [--report] [--sources]: how the prose reads, by three kinds of words per 1,000:
// persons whom a reader cannot find (`whoever`, `nobody`), words that connect sentences (`because`,
// `however`), and `you`. Code, tables and URLs are left out. It fails when the Markdown is past
// a limit. Comments and messages are counted for comparison: they seldom talk to a reader.
//
// --report    only shows the counts
// --sources   also shows the counts of each source file

import { print } from "../bench/table.js";
import { readArguments } from "../command/arguments.js";
import { npmPackages, prepareEnvironment } from "../setup/setup.js";

const { report, sources } = readArguments({
  options: { report: { type: "boolean" }, sources: { type: "boolean" } },
}).values;
prepareEnvironment();
await npmPackages(true);
const { noCounts, readText } = await import("./prose/read.js");
const { limits } = await import("./prose/style.js");
const { texts } = await import("./prose/texts.js");

/** @typedef {import("./prose/read.js").Counts} Counts */

const totals = { page: noCounts(), comment: noCounts(), message: noCounts() };
const rows = [["file", "words", "persons", "connectives", "you"]];
for (const text of texts()) {
  const { counts } = await readText(text);
  const total = totals[text.kind];
  for (const name of /** @type {(keyof Counts)[]} */ (Object.keys(total))) {
    total[name] += counts[name];
  }
  if (counts.words === 0) continue;
  if (text.kind === "page") rows.push(row(text.file, counts));
  else if (sources) rows.push(row(`${text.file} (${text.kind}s)`, counts));
}
rows.push(row("all Markdown", totals.page));
rows.push(row("all comments", totals.comment));
rows.push(row("all messages", totals.message));
print(rows);

for (const excess of excesses()) {
  console.error(`error: ${excess}`);
  if (!report) process.exitCode = 1;
}

/** What is past its limit, a sentence each. */
function excesses() {
  const { persons, connectives, you } = rates(totals.page);
  const { personsBelow, connectivesAbove, youAbove } = limits;
  return [
    persons >= personsBelow &&
      `${found(persons, "indefinite persons")}: write fewer than ${personsBelow}, by naming the actor`,
    connectives <= connectivesAbove &&
      `${found(connectives, "connectives")}: write more than ${connectivesAbove}, by saying how sentences connect`,
    you <= youAbove &&
      `${found(you, "you and your")}: write more than ${youAbove}, by talking to the reader`,
  ].filter((line) => line !== false);
}

/** @param {number} rate @param {string} what */
function found(rate, what) {
  return `all Markdown has ${rate.toFixed(2)} ${what} per 1,000 words`;
}

/** @param {string} name @param {Counts} counts */
function row(name, counts) {
  const { persons, connectives, you } = rates(counts);
  const shown = [persons, connectives, you].map((rate) => rate.toFixed(2));
  return [name, String(counts.words), ...shown];
}

/** Per 1,000 words. @param {Counts} counts */
function rates({ words, persons, connectives, you }) {
  const rate = (/** @type {number} */ count) => (1000 * count) / Math.max(words, 1);
  return { persons: rate(persons), connectives: rate(connectives), you: rate(you) };
}
