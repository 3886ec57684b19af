// Many ids at once: their statistics, plots, a table, a file, and the difference of any two.

import { CSV_COLUMNS, csvOf } from "./csv.js";
import { element, make, put, say } from "./dom.js";
import { lagSummary, lagsOf } from "./lag.js";
import { setUpLagPlot, showLagPlot, signed } from "./lag-plot.js";
import { isLateOnly, lateMs, resetLate, setUpLate, showAllLags, showLate } from "./late.js";
import { setUpPlot, showPlot } from "./plot.js";
import { rowsShown } from "./rows-shown.js";
import { statisticsOf } from "./statistics.js";
import { setUpTable, showTable } from "./table.js";
import { count, duration, iso } from "./time.js";

/** @import { DecodedColumns, Layout } from "edgeflake" */
/** @import { Range } from "./rows-shown.js" */
/** @import { Pairs } from "./statistics.js" */
/** @import { State } from "./state.js" */

const section = element("many", HTMLElement);
const here = element("difference-row", HTMLInputElement);
const other = element("difference-other", HTMLInputElement);
const exported = element("export-columns", HTMLSelectElement);

/** @type {DecodedColumns | undefined} */
let columns;
/** @type {import("./statistics.js").Statistics} */
let statistics;
/** @type {number[]} line of each row in the paste */
let lines = [];
/** @type {Float64Array | undefined} ms from each id to the writing of its line */
let lags;
/** @type {Range | undefined} times of the shown ids; all of them without it */
let range;
/** @type {Uint32Array | undefined} shown rows; all of them without it */
let rows;
/** Shows the same ids again, narrowed as they are now. */
let showAgain = () => {};

/** @param {(changes: Partial<State>) => void} change */
export function setUpMany(change) {
  const select = (/** @type {number} */ row) => change({ row, id: "" });
  setUpTable(select);
  setUpLate(() => {
    rows = undefined;
    showAgain();
  }, select);
  setUpPlot(narrow);
  setUpLagPlot(narrow);
  element("all-rows", HTMLButtonElement).addEventListener("click", () => {
    showAllLags();
    narrow(undefined);
    exported.focus();
  });
  exported.append(
    new Option("all columns", ""),
    ...CSV_COLUMNS.map((name) => new Option(name, name)),
  );
  here.addEventListener("input", () => change({ row: rowOf(here), id: "" }));
  other.addEventListener("input", () => change({ other: rowOf(other) }));
  element("export", HTMLButtonElement).addEventListener("click", () => {
    if (columns) download("ids.csv", csvOf(columns, lines, lags, rows, exported.value));
  });
  for (const list of ["duplicates", "backwards"]) {
    element(list, HTMLElement).addEventListener("click", ({ target }) => {
      if (target instanceof HTMLButtonElement) change({ row: Number(target.value), id: "" });
    });
  }
}

/** @param {Range | undefined} to */
function narrow(to) {
  range = to;
  rows = undefined;
  showAgain();
}

/** @param {HTMLInputElement} input */
function rowOf({ value }) {
  return Math.max(0, Math.trunc(Number(value) || 1) - 1);
}

export function hideMany() {
  section.hidden = true;
  columns = undefined;
}

/**
 * @param {DecodedColumns} decoded
 * @param {number[]} lineOfRow line of each row in the paste
 * @param {Map<number, number> | undefined} timeOfLine time of each line, if the lines have times
 * @param {Layout} layout
 * @param {State} state
 */
export function showMany(decoded, lineOfRow, timeOfLine, layout, { row, other: otherRow }) {
  section.hidden = false;
  if (decoded !== columns) {
    columns = decoded;
    lines = lineOfRow;
    range = undefined;
    rows = undefined;
    statistics = statisticsOf(decoded);
    lags = timeOfLine && lagsOf(lines, timeOfLine, decoded.timestampMs);
    summarise(decoded);
    showLag();
    showPairs("duplicates", statistics.duplicates, "repeats");
    showPairs("backwards", statistics.backwards, "is smaller than");
  }
  showAgain = () => showRows(decoded, layout.tickMs, row);
  showAgain();
  showDifference(decoded, row, otherRow, layout.tickMs);
}

/**
 * @param {DecodedColumns} decoded
 * @param {number} tickMs
 * @param {number} row
 */
function showRows(decoded, tickMs, row) {
  const late = lags && isLateOnly() ? lateMs() : undefined;
  rows ??= rowsShown(decoded.timestampMs, lags, { range, lateMs: late });
  const all = count(decoded.id.length);
  say("table-title", rows ? `${count(rows.length)} of ${all} ids` : `All ${all} ids`);
  const when = range ? `from ${iso(range.fromMs)} to ${iso(range.untilMs)}` : "";
  const than = late === undefined ? "" : `more than ${duration(late)} late`;
  say("rows-words", [when, than].filter((words) => words !== "").join(", "));
  element("all-rows", HTMLElement).hidden = rows === undefined;
  showPlot(statistics.times, tickMs, range);
  if (lags && lagSummary(lags)) {
    showLate(lags, lines);
    showLagPlot(decoded.timestampMs, lags, range);
  }
  showTable(decoded, lines, lags, rows, row);
}

/** @param {DecodedColumns} decoded */
function summarise({ id, refused }) {
  const { times, busiest, ticks, gaps, nodes, nodeCount } = statistics;
  const fit = id.length - refused.length;
  const misfits = refused.length > 0 ? `, of which ${count(refused.length)} do not fit` : "";
  say("many-title", `${count(id.length)} ids${misfits}`);
  if (fit > 0) {
    const [first, last] = [times[0], times[times.length - 1]];
    say("many-first", iso(first));
    say("many-last", iso(last));
    say("many-length", duration(last - first));
    say("many-most", busiest.ids === 1 ? "one id" : `${count(busiest.ids)} ids`);
    say("many-busiest", iso(busiest.timestampMs));
  } else {
    for (const place of ["first", "last", "length", "busiest"]) say(`many-${place}`, "–");
    say("many-most", "no id");
  }
  say("many-ticks", count(ticks));
  say("many-nodes", count(nodeCount));
  const most = nodes[0]?.ids ?? 1;
  element("nodes", HTMLElement).replaceChildren(
    ...nodes.map(({ node, ids }) =>
      bar(`node ${node}`, ids === 1 ? "1 id" : `${count(ids)} ids`, ids / most),
    ),
  );
  const longest = gaps[0] ? gaps[0].untilMs - gaps[0].fromMs : 1;
  element("gaps", HTMLElement).replaceChildren(
    ...gaps.map(({ fromMs, untilMs }) =>
      bar(iso(fromMs), duration(untilMs - fromMs), (untilMs - fromMs) / longest),
    ),
  );
}

function showLag() {
  const summary = lags && lagSummary(lags);
  for (const id of ["lag", "late-part"]) element(id, HTMLElement).hidden = summary === undefined;
  showAllLags();
  if (!lags || !summary) return;
  resetLate(lags);
  const { count: some, least, median, most } = summary;
  const who =
    some === 1 ? "One line has its own time" : `${count(some)} lines have times of their own`;
  say(
    "lag-words",
    `${who}. From the time of the id to that of its line: ` +
      `${signed(least)} at least, ${signed(median)} in the median, ${signed(most)} at most.`,
  );
}

/**
 * @param {string} name
 * @param {string[]} parts
 */
function download(name, parts) {
  const link = make("a", "");
  link.href = URL.createObjectURL(new Blob(parts, { type: "text/csv" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * @param {"duplicates" | "backwards"} name
 * @param {Pairs} pairs
 * @param {string} relation
 */
function showPairs(name, { count: all, first }, relation) {
  say(`many-${name}`, count(all));
  element(`${name}-part`, HTMLElement).hidden = all === 0;
  const shown = first.map(([row, before]) => {
    const line = make("li", "");
    const button = make("button", "link", `Line ${count(lines[row])}`);
    button.type = "button";
    button.value = String(row);
    line.append(button, ` ${relation} line ${count(lines[before])}`);
    return line;
  });
  if (all > first.length) shown.push(make("li", "aside", `and ${count(all - first.length)} more`));
  element(name, HTMLElement).replaceChildren(...shown);
}

/**
 * @param {string} name
 * @param {string} value
 * @param {number} share part of the longest bar
 */
function bar(name, value, share) {
  const line = make("li", "bar");
  line.style.setProperty("--share", String(share));
  line.append(make("span", "", name), make("span", "", value));
  return line;
}

/**
 * @param {DecodedColumns} decoded
 * @param {number} row
 * @param {number} otherRow
 * @param {number} tickMs
 */
function showDifference({ id, timestampMs, node }, row, otherRow, tickMs) {
  const last = id.length - 1;
  const [a, b] = [Math.min(row, last), Math.min(otherRow || (row === last ? 0 : last), last)];
  for (const [input, at] of /** @type {const} */ ([
    [here, a],
    [other, b],
  ])) {
    input.max = String(id.length);
    put(input, at + 1);
  }
  const ms = timestampMs[b] - timestampMs[a];
  if (Number.isNaN(ms)) {
    say("difference", "One of them does not fit the layout.");
    return;
  }
  const ticks = tickMs === 1 ? "" : ` (${count(Math.abs(ms) / tickMs)} ticks)`;
  const order =
    ms === 0
      ? "in the same tick"
      : `${duration(Math.abs(ms))}${ticks} ${ms > 0 ? "later" : "earlier"}`;
  const nodes = node[a] === node[b] ? "of the same node" : `of node ${node[b]}, not ${node[a]}`;
  const numbers = id[b] >= id[a] ? id[b] - id[a] : id[a] - id[b];
  say("difference", `${id[b]} is ${order}, ${nodes}; the numbers are ${count(numbers)} apart.`);
}
