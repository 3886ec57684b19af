// The smallest and the largest id between two dates, as a condition of SQL.

import { EdgeflakeError, toSigned } from "edgeflake";
import { copyButton, element, put, say } from "./dom.js";
import { neededMoment } from "./time.js";

/** @import { Layout } from "edgeflake" */
/** @import { State } from "./state.js" */

const inputs = {
  from: element("from", HTMLInputElement),
  until: element("until", HTMLInputElement),
  node: element("range-node", HTMLInputElement),
};
const sql = element("sql", HTMLElement);
const min = element("range-min", HTMLInputElement);
const max = element("range-max", HTMLInputElement);

const DAY_MS = 86_400_000;

/** @param {(changes: Partial<State>) => void} change */
export function setUpRange(change) {
  for (const [name, input] of Object.entries(inputs)) {
    input.addEventListener("input", () => change({ [name]: input.value }));
  }
  element("sql-copy", HTMLElement).append(copyButton("SQL", () => sql.textContent ?? ""));
  element("range-min-copy", HTMLElement).append(copyButton("smallest id", () => min.value));
  element("range-max-copy", HTMLElement).append(copyButton("largest id", () => max.value));
}

/**
 * @param {Layout} layout
 * @param {State} state
 * @param {number} shownMs date of the shown id; its day is the default range
 */
export function showRange(layout, { from, until, node }, shownMs) {
  const day = shownMs - (shownMs % DAY_MS);
  const begin = from || dated(day);
  const end = until || dated(day + DAY_MS);
  put(inputs.from, begin);
  put(inputs.until, end);
  put(inputs.node, node);
  let refused = "";
  try {
    const fromMs = neededMoment(begin, "from");
    const untilMs = neededMoment(end, "until");
    const one = node.trim() === "" ? {} : { node: nodeOf(node, layout) };
    const range = layout.range(fromMs, untilMs, one);
    min.value = String(range.min);
    max.value = String(range.max);
    say("sql", condition(range, layout, one.node));
  } catch (refusal) {
    if (!(refusal instanceof EdgeflakeError) && !(refusal instanceof RangeError)) throw refusal;
    refused = refusal.message;
    say("sql", "");
  }
  say("range-error", refused);
  for (const id of ["range-ids", "range-sql"]) element(id, HTMLElement).hidden = refused !== "";
}

/**
 * @param {string} text
 * @param {Layout} layout
 */
function nodeOf(text, layout) {
  const trimmed = text.trim();
  if (/^\d{1,15}$/.test(trimmed)) return Number(trimmed);
  throw new RangeError(
    `node "${trimmed}" is no node: an integer from 0 to ${layout.info().nodes - 1} is allowed`,
  );
}

/** @param {number} ms */
function dated(ms) {
  return new Date(ms).toISOString().replace("T00:00:00.000Z", "");
}

/**
 * @param {{ min: bigint, max: bigint }} range
 * @param {Layout} layout
 * @param {number | undefined} node
 */
function condition({ min, max }, layout, node) {
  const lines = [`SELECT * FROM events WHERE id BETWEEN ${min} AND ${max};`];
  if (toSigned(max) < 0n) {
    const signed = toSigned(min) < 0n ? [`id BETWEEN ${toSigned(min)} AND ${toSigned(max)}`] : [];
    if (signed.length === 0) signed.push(`(id >= ${min} OR id <= ${toSigned(max)})`);
    lines[0] += " -- BIGINT UNSIGNED";
    lines.push(`SELECT * FROM events WHERE ${signed[0]}; -- BIGINT`);
  }
  const split = layout.fields.findIndex(({ role }) => role === "node");
  if (node !== undefined && split >= 0) lines.push("-- ids of other nodes may lie between them");
  return lines.join("\n");
}
