// Two layouts beside each other: A, which is pinned, and B, which the visitor changes.

import { Layout } from "edgeflake";
import { placesOf } from "./bits.js";
import { titleOf } from "./candidates.js";
import { element, make } from "./dom.js";
import { differences } from "./layout-facts.js";
import { toScale } from "./lifetimes.js";
import { presetNameOf } from "./preset-name.js";
import { day } from "./time.js";

/** @import { State } from "./state.js" */

const pin = element("pin", HTMLButtonElement);
const unpin = element("unpin", HTMLButtonElement);

/** @type {Layout} */
let shown;

/** @param {(changes: Partial<State>) => void} change */
export function setUpCompare(change) {
  pin.addEventListener("click", () => change({ pinned: shown.toString() }));
  unpin.addEventListener("click", () => {
    pin.focus();
    change({ pinned: "" });
  });
}

/**
 * @param {Layout} b
 * @param {Layout | undefined} a the pinned one
 */
export function showComparison(b, a) {
  shown = b;
  element("comparison", HTMLElement).hidden = a === undefined;
  unpin.hidden = a === undefined;
  element("pin-help", HTMLElement).hidden = a !== undefined;
  if (a === undefined) return;
  element("compare-bits", HTMLElement).replaceChildren(bitsOf("A", a), bitsOf("B", b));
  element("compare-rows", HTMLElement).replaceChildren(
    ...differences(a, b).map(({ name, a: of, b: other, difference }) => {
      const row = make("tr", difference === "" ? "" : "differs");
      const header = make("th", "", name);
      header.scope = "row";
      const cell = make("td", "");
      cell.append(make("span", "", other), " ", make("span", "aside", difference || "the same"));
      row.append(header, make("td", "", of), cell);
      return row;
    }),
  );
  drawLives(a, b);
}

/**
 * @param {string} letter
 * @param {Layout} layout
 */
function bitsOf(letter, layout) {
  const { places, outside } = placesOf(layout);
  const line = make("div", "compare-line");
  const bar = make("ol", "compare-bar");
  const name = presetNameOf(layout.toString());
  bar.ariaLabel = `${letter}, fields from the most significant bit on`;
  if (outside > 0) {
    const rest = make("li", "outside");
    rest.style.setProperty("--bits", String(outside));
    rest.append(make("span", "unseen", `${outside} bits outside the layout`));
    bar.append(rest);
  }
  for (const { name: field, bits, className } of places) {
    const part = make("li", `field-bar ${className}`);
    part.style.setProperty("--bits", String(bits));
    part.title = `${field}, ${bits} bits`;
    part.append(make("span", "", field), make("span", "width", bits));
    bar.append(part);
  }
  const known = name !== layout.toString();
  line.append(make("p", "compare-name", `${letter}: ${known ? titleOf(name) : name}`), bar);
  return line;
}

/**
 * @param {Layout} a
 * @param {Layout} b
 */
function drawLives(a, b) {
  const place = element("lifetimes", HTMLElement);
  const lives = [a, b].map((layout) => ({
    fromMs: layout.epochMs,
    untilMs: layout.info().expiresAt.getTime(),
  }));
  const scale = toScale(lives, Date.now());
  const bars = scale.lives.map(({ left, right }, i) => {
    const row = make("div", "life-row");
    const bar = make("span", "life", "AB"[i]);
    bar.style.setProperty("--left", String(left));
    bar.style.setProperty("--width", String(right - left));
    row.append(bar);
    return row;
  });
  const now = make("span", "life-now");
  now.style.setProperty("--left", String(scale.now));
  const axis = make("div", "life-axis");
  axis.append(make("span", "", day(scale.fromMs)), make("span", "", day(scale.untilMs)));
  place.replaceChildren(...bars, now, axis);
  place.ariaLabel = lives
    .map(({ fromMs, untilMs }, i) => `${"AB"[i]} from ${day(fromMs)} until ${day(untilMs)}`)
    .join("; ");
}
