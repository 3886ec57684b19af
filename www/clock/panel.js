// The texts around the picture: the cards of the clocks, the score, and the costs of both ways.

import { count } from "../time.js";
import { doing, length, offset, preciseTime } from "./words.js";

/** @import { Snapshot, Tally } from "./run.js" */

/** @param {HTMLElement} section @param {number} process */
export function cardOf(section, process) {
  const card = section.querySelector(`[data-process="${process}"]`);
  if (!(card instanceof HTMLElement)) throw new Error(`the playground has no card ${process}`);
  return card;
}

/** @param {HTMLElement} section @param {number} index @param {Snapshot} snapshot */
export function writeCard(section, index, { trueMs, processes }) {
  const card = cardOf(section, index);
  const process = processes[index];
  const { clockMs, isFrozen, issued, waiting, failed, refusal, why } = process;
  put(card, ".clock-reading", preciseTime(clockMs));
  put(card, ".clock-offset", offset(process));
  put(card, ".clock-doing", doing(process, trueMs));
  put(
    card,
    ".clock-figures",
    `${count(issued)} ids issued, ${count(waiting)} requests wait, ${count(failed)} got no id`,
  );
  put(card, "button", isFrozen ? "Go on" : "Freeze");
  const freeze = card.querySelector("button");
  if (freeze) freeze.ariaPressed = String(isFrozen);
  card.classList.toggle("clock-without-ids", Boolean(refusal ?? why));
}

/** @param {HTMLElement} section @param {Snapshot} snapshot */
export function writeCounts(section, { leased, classic }) {
  writeScore(section, "#clock-score-leased strong", leased);
  writeScore(section, "#clock-score-classic strong", classic);
  for (const row of section.querySelectorAll("[data-cost]")) {
    const key = /** @type {keyof Tally} */ (row.getAttribute("data-cost"));
    const text = key === "latestMs" || key === "longestMs" ? length : count;
    const cells = row.querySelectorAll("td");
    for (const [i, tally] of [leased, classic].entries()) say(cells[i], text(tally[key]));
  }
}

/** @param {HTMLElement} section @param {string} selector @param {Tally} tally */
function writeScore(section, selector, { duplicates }) {
  put(section, selector, count(duplicates));
  section.querySelector(selector)?.classList.toggle("clock-has-duplicates", duplicates > 0);
}

/**
 * @param {Element} place
 * @param {string} selector
 * @param {string} text
 */
export function put(place, selector, text) {
  say(place.querySelector(selector), text);
}

/**
 * Writes a text if it has changed, because each write is laid out.
 *
 * @param {Element | null} part
 * @param {string} text
 */
function say(part, text) {
  if (!part || part.textContent === text) return;
  // The node is kept, because a new one for each text would have to be collected.
  if (part.firstChild instanceof Text) part.firstChild.data = text;
  else part.textContent = text;
}
