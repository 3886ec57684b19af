// The id as 64 cells, coloured by field. A click on a cell flips its bit, and a drag moves the
// border between two fields.

import { digitsOf, fieldValue, flipped, ID_BITS, placesOf } from "./bits.js";
import { element, make, say } from "./dom.js";
import { meaningOf } from "./meaning.js";
import { borderAt } from "./strip-geometry.js";
import { columnShares, joints } from "./zoom.js";

/** @import { Layout } from "edgeflake" */
/** @import { Place } from "./bits.js" */
/** @import { Geometry } from "./strip-geometry.js" */

/** The number of cells that a name takes. */
const LABEL_CELLS = 3;
/** The largest number of fields for which there is room side by side. */
const COLUMNS_MAX = 8;
const SVG = "http://www.w3.org/2000/svg";

/** The number of cells per row from which the fields' names stand in the columns below. */
const ONE_ROW = ID_BITS;

const figure = element("strip-figure", HTMLElement);
const strip = element("strip", HTMLElement);
const borderPlace = element("borders", HTMLElement);
const fieldRows = element("fields", HTMLElement);
const zoom = document.getElementById("zoom");

/** @type {HTMLElement[]} */
const cells = [];
/** @type {string[]} state of each cell, because writing it again would lay out the page again */
const painted = [];
/** The number of cells per row, because asking the style each time would lay out the page. */
let columns = 0;
/** @type {{ id: bigint, layout: Layout, places: Place[], outside: number }} */
let shown;
/** The cell on which keys act. */
let active = ID_BITS - 1;
/** @type {number | undefined} the cell whose field is explained */
let explained;
/** @type {{ field: number, geometry: Geometry } | undefined} the drag of a field's left border */
let drag;

/**
 * @param {(id: bigint) => void} changeId
 * @param {(field: number, by: number, gesture?: object) => void} moveBorder takes a border's right
 * field, the number of bits that it gains, and the drag that this belongs to
 */
export function setUpStrip(changeId, moveBorder) {
  for (let at = 0; at < ID_BITS; at++) {
    const cell = make("span", "cell");
    cell.role = "option";
    cell.id = `bit-${ID_BITS - 1 - at}`;
    cells.push(cell);
  }
  strip.append(...cells);
  strip.addEventListener("click", ({ target }) => {
    const at = cellOf(target);
    if (at === undefined) return;
    activate(at);
    explain(at);
    changeId(flipped(shown.id, at));
  });
  strip.addEventListener("pointerover", ({ target }) => {
    const at = cellOf(target);
    if (at !== undefined) explain(at);
  });
  strip.addEventListener("focus", () => explain(active));
  strip.addEventListener("blur", () => explain(undefined));
  strip.addEventListener("pointerleave", ({ pointerType }) => {
    // A finger leaves when it is lifted, and then the visitor begins to read.
    if (pointerType === "mouse") explain(strip.matches(":focus") ? active : undefined);
  });
  columns = columnCount();
  new ResizeObserver(() => {
    const before = columns;
    columns = columnCount();
    if (shown && columns !== before) showStrip(shown.id, shown.layout);
  }).observe(strip);
  strip.addEventListener("keydown", (event) => {
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      changeId(flipped(shown.id, active));
      return;
    }
    const next = neighbour(event.key);
    if (next === undefined) return;
    event.preventDefault();
    activate(Math.max(0, Math.min(ID_BITS - 1, next)));
    explain(active);
  });
  activate(active);
  borderPlace.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
    if (by === undefined || !(event.target instanceof HTMLElement)) return;
    event.preventDefault();
    moveBorder(Number(event.target.dataset.field), by);
  });
  borderPlace.addEventListener("pointerdown", (event) => {
    if (!(event.target instanceof HTMLElement) || event.target.role !== "separator") return;
    event.preventDefault();
    drag = { field: Number(event.target.dataset.field), geometry: geometryNow() };
    borderPlace.setPointerCapture(event.pointerId);
  });
  borderPlace.addEventListener("pointermove", (event) => {
    if (drag === undefined) return;
    // This uses the places of the bits at the beginning of the drag, because the text above them
    // may have changed since.
    const border = borderAt(drag.geometry, event.clientX, event.clientY);
    const by = shown.places[drag.field].start - border;
    if (by !== 0) moveBorder(drag.field, by, drag);
  });
  for (const type of ["pointerup", "pointercancel"]) {
    borderPlace.addEventListener(type, () => {
      drag = undefined;
    });
  }
}

/** @param {EventTarget | null} target */
function cellOf(target) {
  const at = target instanceof HTMLElement ? cells.indexOf(target) : -1;
  return at < 0 ? undefined : at;
}

/** @returns {Geometry} */
function geometryNow() {
  const [first, last] = [cells[0], cells[ID_BITS - 1]].map((cell) => cell.getBoundingClientRect());
  const box = strip.getBoundingClientRect();
  const rows = ID_BITS / columns;
  return {
    left: box.left,
    top: first.top,
    width: box.width,
    columns,
    rowHeight: rows === 1 ? first.height : (last.top - first.top) / (rows - 1),
  };
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
      const label = i === labelled && bits > 1 && columns < ONE_ROW ? name : "";
      paint(start + i, digits, className, `${name} ${i + 1} of ${bits}`, label, bits - i);
    }
  }
  borders();
  zoomIn();
  explain(explained);
}

/**
 * Hides the digits of fields that are not decided yet.
 *
 * @param {string[]} roles
 */
export function showUndecided(roles) {
  const { places } = shown;
  for (const { role, start, bits } of places) {
    for (let i = 0; i < bits; i++) {
      cells[start + i].classList.toggle("undecided", roles.includes(role));
    }
  }
  places.forEach(({ role }, i) => {
    fieldRows.children[i]?.classList.toggle("undecided", roles.includes(role));
  });
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
  cell.ariaSelected = String(digits[at] === "1");
  cell.ariaLabel = `bit ${ID_BITS - 1 - at} is ${digits[at]}, ${where}`;
  if (label) {
    cell.dataset.label = label;
    cell.style.setProperty("--span", String(room));
  } else delete cell.dataset.label;
}

/**
 * Puts a handle on the left of each field that has a field before it, and keeps the handle of each
 * field.
 */
function borders() {
  const handles = [...borderPlace.children];
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
    if (!handle.isConnected) borderPlace.append(handle);
  });
  for (const handle of handles) handle.remove();
}

/** Joins the bits of each field to its column below, if all bits are in one row. */
function zoomIn() {
  const { places } = shown;
  const isOneRow = columns === ONE_ROW && places.length <= COLUMNS_MAX;
  figure.classList.toggle("one-row", isOneRow);
  const shares = columnShares(places).map((share) => `minmax(0, ${share.toFixed(4)}fr)`);
  figure.style.setProperty("--field-columns", shares.join(" "));
  const shapes = joints(places).map((corners, i) => {
    const shape = document.createElementNS(SVG, "polygon");
    shape.setAttribute("class", `joint ${places[i].className}`);
    shape.setAttribute("points", corners.map((corner) => corner.join()).join(" "));
    return shape;
  });
  zoom?.replaceChildren(...shapes);
}

/**
 * Returns the bit of a field above which its name stands. It is the first bit, unless the row ends
 * there and the name has more room in the next row.
 *
 * @param {number} start
 * @param {number} bits
 */
function labelledBit(start, bits) {
  const room = columns - (start % columns);
  return room < LABEL_CELLS && bits - room > room ? room : 0;
}

function columnCount() {
  return Number(getComputedStyle(figure).getPropertyValue("--columns"));
}

/** @param {number | undefined} at */
function explain(at) {
  const { id, layout, places, outside } = shown;
  explained = at;
  for (const one of figure.querySelectorAll(".lit")) one.classList.remove("lit");
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
  fieldRows.children[places.indexOf(place)]?.classList.add("lit");
}

/** @param {number} at */
function activate(at) {
  cells[active].classList.remove("active");
  active = at;
  cells[at].classList.add("active");
  strip.setAttribute("aria-activedescendant", cells[at].id);
}

/**
 * Returns the cell that a key goes to.
 *
 * @param {string} key
 */
function neighbour(key) {
  switch (key) {
    case "ArrowLeft":
      return active - 1;
    case "ArrowRight":
      return active + 1;
    case "ArrowUp":
      return active - columns;
    case "ArrowDown":
      return active + columns;
    case "Home":
      return 0;
    case "End":
      return ID_BITS - 1;
  }
}
