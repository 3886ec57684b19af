// The systems that may have made the id, the likeliest first.

import { identify } from "edgeflake";
import { element, make } from "./dom.js";
import { ago, iso } from "./time.js";
import { isPlausible } from "./verdict.js";

/** @import { Candidate } from "edgeflake" */

/** The number of systems that are shown at first. */
const FEW = 5;
/** The last moment that people write as a date, in Unix ms. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const list = element("candidates", HTMLElement);
const more = element("more-candidates", HTMLButtonElement);
let all = false;

/**
 * The name of each system, because an id of 0 may come from all of them.
 *
 * @type {Map<string, string>}
 */
const titles = new Map(identify(0n).map(({ preset, title }) => [preset, title]));

/** @param {string} preset */
export function titleOf(preset) {
  return titles.get(preset) ?? preset;
}

/** @param {(preset: string) => void} choose */
export function setUpCandidates(choose) {
  list.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("button");
    if (button) choose(button.value);
  });
  more.addEventListener("click", () => {
    all = !all;
    arrange();
  });
}

/**
 * @param {bigint} id
 * @param {bigint[]} around ids that were found with it, if there are any
 * @param {string} chosen a preset's name, or a layout string
 */
export function showCandidates(id, around, chosen) {
  const found = around.length > 1 ? identify(id, { around }) : identify(id);
  // The buttons stay, and so does the focus.
  while (list.children.length > found.length) list.lastElementChild?.remove();
  while (list.children.length < found.length) list.append(row());
  found.forEach((candidate, i) => {
    fill(list.children[i], candidate, candidate.preset === chosen);
  });
  arrange();
}

function arrange() {
  let hidden = 0;
  [...list.children].forEach((line, i) => {
    const pressed = line.querySelector("button")?.ariaPressed === "true";
    if (line instanceof HTMLElement) line.hidden = !all && i >= FEW && !pressed;
    if (i >= FEW) hidden += 1;
  });
  more.hidden = hidden === 0;
  more.textContent = all ? "Show the likeliest" : `Show ${hidden} more`;
  more.ariaExpanded = String(all);
}

function row() {
  const line = make("li", "");
  const button = make("button", "candidate");
  button.type = "button";
  for (const name of ["title", "share", "when", "reasons"]) button.append(make("span", name));
  line.append(button);
  return line;
}

/**
 * @param {Element} line
 * @param {Candidate} candidate
 * @param {boolean} chosen
 */
function fill(line, { preset, title, share, reasons, timestampMs, decoded }, chosen) {
  const button = line.querySelector("button");
  if (!button) return;
  button.value = preset;
  button.ariaPressed = String(chosen);
  // An implausible candidate has no share.
  const fits = isPlausible(reasons);
  button.style.setProperty("--share", String(fits ? share : 0));
  // Unix time has no layout to choose.
  button.disabled = decoded === undefined;
  const isLate = timestampMs > LAST_MS;
  const when = isLate ? "after the year 9999" : `${iso(timestampMs)}, ${ago(timestampMs)}`;
  const texts = [title, fits ? percent(share) : "", when, reasons];
  texts.forEach((text, i) => {
    button.children[i].textContent = text;
  });
}

/** @param {number} share 0 to 1 */
export function percent(share) {
  if (share < 0.01) return "< 1 %";
  return share > 0.99 && share < 1 ? "> 99 %" : `${Math.round(share * 100)} %`;
}
