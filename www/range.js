// The smallest and the largest id between two dates, as a condition of SQL.

import { EdgeflakeError, toSigned } from "edgeflake";
import { copyButton, element, put } from "./dom.js";
import { neededMoment } from "./time.js";

/** @import { Layout } from "edgeflake" */
/** @import { State } from "./state.js" */

const inputs = {
  from: element("from", HTMLInputElement),
  until: element("until", HTMLInputElement),
  node: element("range-node", HTMLInputElement),
};
const error = element("range-error", HTMLElement);
const sql = element("sql", HTMLElement);

const DAY_MS = 86_400_000;

/** @param {(changes: Partial<State>) => void} change */
export function setUpRange(change) {
  for (const [name, input] of Object.entries(inputs)) {
    input.addEventListener("input", () => change({ [name]: input.value }));
  }
  element("sql-copy", HTMLElement).append(copyButton("the SQL", () => sql.textContent ?? ""));
}

/**
 * @param {Layout} layout
 * @param {State} state
 * @param {number} shownMs the date of the id that is shown; its day is the range without more
 */
export function showRange(layout, { from, until, node }, shownMs) {
  const day = shownMs - (shownMs % DAY_MS);
  const begin = from || dated(day);
  const end = until || dated(day + DAY_MS);
  put(inputs.from, begin);
  put(inputs.until, end);
  put(inputs.node, node);
  error.textContent = "";
  sql.textContent = "";
  try {
    const fromMs = neededMoment(begin, "from");
    const untilMs = neededMoment(end, "until");
    const one = node.trim() === "" ? {} : { node: Number(node) };
    sql.textContent = condition(layout.range(fromMs, untilMs, one), layout, one.node);
  } catch (refusal) {
    if (!(refusal instanceof EdgeflakeError) && !(refusal instanceof RangeError)) throw refusal;
    error.textContent = refusal.message;
  }
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
