// The id as 64 cells, coloured by field. A cell flips its bit, the border between two fields moves.

import { digitsOf, fieldValue, flipped, ID_BITS, placesOf } from "./bits.js";
import { element, make, say } from "./dom.js";
import { meaningOf } from "./meaning.js";

/** @import { Layout } from "edgeflake" */
/** @import { Place } from "./bits.js" */

/** How many cells a name takes. */
const LABEL_CELLS = 3;

const strip = element("strip", HTMLElement);

/** @type {HTMLButtonElement[]} */
const cells = [];
/** @type {string[]} what each cell shows, for to write it again would lay the page out again */
const painted = [];
/** How many cells a row has; to ask the style each time would do the same. */
let columns = 0;
/** @type {{ id: bigint, layout: Layout, places: Place[], outside: number }} */
let shown;
let focused = ID_BITS - 1;
/** @type {number | undefined} the cell whose field is explained */
let explained;
/** @type {number | undefined} the field whose left border is dragged */
let dragged;

/**
 * @param {(id: bigint) => void} changeId
 * @param {(field: number, by: number) => void} moveBorder a border's right field, and how many bits
 *   it gains
 */
export function setUpStrip(changeId, moveBorder) {
  for (let at = 0; at < ID_BITS; at++) {
    const cell = make("button", "cell");
    cell.type = "button";
    cell.tabIndex = -1;
    cell.addEventListener("click", () => changeId(flipped(shown.id, at)));
    cell.addEventListener("focus", () => {
      focused = at;
      focusable();
      explain(at);
    });
    cell.addEventListener("pointerenter", () => explain(at));
    cells.push(cell);
  }
  strip.append(...cells);
  focusable();
  strip.addEventListener("focusout", () => explain(undefined));
  strip.addEventListener("pointerleave", ({ pointerType }) => {
    // A finger leaves when it is lifted, and then is the time to read.
    if (pointerType === "mouse") explain(cells[focused].matches(":focus") ? focused : undefined);
  });
  columns = columnCount();
  new ResizeObserver(() => {
    const before = columns;
    columns = columnCount();
    if (shown && columns !== before) showStrip(shown.id, shown.layout);
  }).observe(strip);
  strip.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLElement && event.target.role === "separator") {
      const by = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      moveBorder(Number(event.target.dataset.field), by);
      return;
    }
    const next = neighbour(event.key);
    if (next === undefined) return;
    event.preventDefault();
    cells[Math.max(0, Math.min(ID_BITS - 1, next))].focus();
  });
  strip.addEventListener("pointerdown", (event) => {
    if (!(event.target instanceof HTMLElement) || event.target.role !== "separator") return;
    event.preventDefault();
    dragged = Number(event.target.dataset.field);
    strip.setPointerCapture(event.pointerId);
  });
  strip.addEventListener("pointermove", (event) => {
    if (dragged === undefined) return;
    const under = document
      .elementsFromPoint(event.clientX, event.clientY)
      .find((found) => found instanceof HTMLButtonElement && cells.includes(found));
    if (!(under instanceof HTMLButtonElement)) return;
    const at = cells.indexOf(under);
    const box = cells[at].getBoundingClientRect();
    const border = at + (event.clientX > box.left + box.width / 2 ? 1 : 0);
    const by = shown.places[dragged].start - border;
    if (by !== 0) moveBorder(dragged, by);
  });
  for (const type of ["pointerup", "pointercancel"]) {
    strip.addEventListener(type, () => {
      dragged = undefined;
    });
  }
}

/**
 * @param {bigint} id
 * @param {Layout} layout
 */
export function showStrip(id, layout) {
  const digits = digitsOf(id);
  const { places, outside } = placesOf(layout);
  shown = { id, layout, places, outside };
  for (let at = 0; at < outside; at++) paint(at, digits, "outside", "outside the layout", "", 1);
  for (const { name, bits, className, start } of places) {
    const labelled = labelledBit(start, bits);
    for (let i = 0; i < bits; i++) {
      const label = i === labelled && bits > 1 ? name : "";
      paint(start + i, digits, className, `${name} ${i + 1} of ${bits}`, label, bits - i);
    }
  }
  borders();
  explain(explained);
}

/**
 * @param {number} at
 * @param {string} digits
 * @param {string} className
 * @param {string} where
 * @param {string} label
 * @param {number} room of the label, in cells
 */
function paint(at, digits, className, where, label, room) {
  const now = [digits[at], className, where, label, room].join();
  if (painted[at] === now) return;
  painted[at] = now;
  const cell = cells[at];
  cell.className = `cell ${className}`;
  cell.classList.toggle("one", digits[at] === "1");
  cell.textContent = digits[at];
  cell.ariaLabel = `bit ${ID_BITS - 1 - at} is ${digits[at]}, ${where}`;
  if (label) {
    cell.dataset.label = label;
    cell.style.setProperty("--span", String(room));
  } else delete cell.dataset.label;
}

/** A handle on the left of each field that has a field before it; the same one for the same field. */
function borders() {
  const handles = [...strip.querySelectorAll(".border")];
  shown.places.slice(1).forEach((place, i) => {
    const left = shown.places[i];
    let handle = handles.shift();
    if (!(handle instanceof HTMLElement)) {
      handle = make("div", "border");
      handle.setAttribute("role", "separator");
    }
    if (!(handle instanceof HTMLElement)) return;
    handle.tabIndex = 0;
    handle.ariaOrientation = "vertical";
    handle.ariaLabel = `border between ${left.name} and ${place.name}`;
    handle.ariaValueNow = String(left.bits);
    handle.ariaValueMin = "1";
    handle.ariaValueMax = String(left.bits + place.bits - 1);
    handle.ariaValueText = `${left.name} ${left.bits} bits, ${place.name} ${place.bits} bits`;
    handle.dataset.field = String(i + 1);
    handle.style.setProperty("--at", String(place.start));
    if (!handle.isConnected) strip.append(handle);
  });
  for (const handle of handles) handle.remove();
}

/**
 * The bit of a field above which its name stands: the first one, unless the row ends there and the
 * name has more room in the next one.
 *
 * @param {number} start
 * @param {number} bits
 */
function labelledBit(start, bits) {
  const room = columns - (start % columns);
  return room < LABEL_CELLS && bits - room > room ? room : 0;
}

function columnCount() {
  return Number(getComputedStyle(strip).getPropertyValue("--columns"));
}

/** @param {number | undefined} at */
function explain(at) {
  const { id, layout, places, outside } = shown;
  explained = at;
  for (const cell of cells) cell.classList.remove("lit");
  if (at === undefined) {
    say("strip-detail", "");
    return;
  }
  const place = places.findLast(({ start }) => start <= at);
  if (!place) {
    say("strip-detail", `The first ${outside} bits are outside the layout: always 0.`);
    return;
  }
  const value = fieldValue(digitsOf(id), place);
  const meaning = meaningOf(place, value, layout, layout.info());
  const width = place.bits === 1 ? "1 bit" : `${place.bits} bits`;
  say("strip-detail", `${place.name}, ${width}: ${value}, ${meaning}`);
  for (let i = 0; i < place.bits; i++) cells[place.start + i].classList.add("lit");
}

function focusable() {
  for (const [at, cell] of cells.entries()) cell.tabIndex = at === focused ? 0 : -1;
}

/**
 * The cell that a key goes to.
 *
 * @param {string} key
 */
function neighbour(key) {
  switch (key) {
    case "ArrowLeft":
      return focused - 1;
    case "ArrowRight":
      return focused + 1;
    case "ArrowUp":
      return focused - columns;
    case "ArrowDown":
      return focused + columns;
    case "Home":
      return 0;
    case "End":
      return ID_BITS - 1;
  }
}
