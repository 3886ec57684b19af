// Lines that were written late: their number, the latest ones, and a button that shows no others.

import { element, make, say } from "./dom.js";
import { lagSummary } from "./lag.js";
import { rowsShown } from "./rows-shown.js";
import { count, duration } from "./time.js";

/** The largest number of lines that are named. */
const NAMED_MAX = 6;
/** The smallest lag that counts as late, in ms. */
const LEAST_MS = 1000;
/** A line is late when its lag is this many times the median. */
const TIMES = 10;

const input = element("late-ms", HTMLInputElement);
const only = element("late-only", HTMLButtonElement);
const list = element("late", HTMLElement);

/**
 * @param {() => void} changed
 * @param {(row: number) => void} select
 */
export function setUpLate(changed, select) {
  input.addEventListener("input", changed);
  only.addEventListener("click", () => {
    only.ariaPressed = String(!isLateOnly());
    changed();
  });
  list.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLButtonElement) select(Number(target.value));
  });
}

export function isLateOnly() {
  return only.ariaPressed === "true";
}

export function showAllLags() {
  only.ariaPressed = "false";
}

/** Returns the lag from which a line is late, in ms. */
export function lateMs() {
  return Math.max(0, Number(input.value) || 0);
}

/**
 * Sets the lag from which a line is late, from the other lines: to 1, 2 or 5 s, or to these times a
 * power of ten.
 *
 * @param {Float64Array} lags
 */
export function resetLate(lags) {
  const median = lagSummary(lags)?.median ?? 0;
  const most = Math.max(LEAST_MS, median * TIMES);
  const ten = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 5, 10].find((one) => one * ten >= most) ?? 10;
  input.value = String(step * ten);
  showAllLags();
}

/**
 * @param {Float64Array} lags
 * @param {number[]} lines line of each row in the paste
 */
export function showLate(lags, lines) {
  const late = rowsShown(lags, lags, { range: undefined, lateMs: lateMs() }) ?? new Uint32Array();
  say("late-count", late.length === 1 ? "1 line" : `${count(late.length)} lines`);
  only.hidden = late.length === 0 && !isLateOnly();
  const latest = [...late].sort((a, b) => lags[b] - lags[a]).slice(0, NAMED_MAX);
  const shown = latest.map((row) => {
    const item = make("li", "");
    const button = make("button", "link", `Line ${count(lines[row])}`);
    button.type = "button";
    button.value = String(row);
    item.append(button, ` ${duration(lags[row])}`);
    return item;
  });
  const more = late.length - latest.length;
  if (more > 0) shown.push(make("li", "aside", `and ${count(more)} more`));
  list.replaceChildren(...shown);
}
