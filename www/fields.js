// The parts of an id that can be changed: its fields, its date, and its encodings.

import { format } from "edgeflake";
import { digitsOf, fieldValue, placesOf, replaced } from "./bits.js";
import { accept, copyButton, element, make, put } from "./dom.js";
import { ENCODINGS, idOf } from "./encodings.js";
import { meaningOf } from "./meaning.js";
import { iso, neededMoment } from "./time.js";

/** @import { DecodedId, Layout } from "edgeflake" */
/** @import { Place } from "./bits.js" */

const rows = element("fields", HTMLElement);
const date = element("date", HTMLInputElement);

/** @type {{ id: bigint, layout: Layout, decoded: DecodedId | undefined }} */
let shown;

/** @param {(id: bigint) => void} changeId */
export function setUpFields(changeId) {
  date.addEventListener("input", () => {
    const id = accept(date, "date-error", () => {
      const { node = 0, sequence = 0, tag = 0 } = shown.decoded ?? {};
      const timestampMs = neededMoment(date.value, "the date");
      return shown.layout.encode({ timestampMs, node, sequence, tag });
    });
    if (id !== undefined) changeId(id);
  });
  date.addEventListener("blur", () => {
    if (shown.decoded) date.value = iso(shown.decoded.timestampMs);
    accept(date, "date-error", () => {});
  });
  rows.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const place = placesOf(shown.layout).places[Number(target.dataset.field)];
    const id = accept(target, "fields-error", () => replaced(shown.id, place, target.value));
    if (id !== undefined) changeId(id);
  });
  rows.addEventListener("focusout", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    accept(target, "fields-error", () => {});
    const place = placesOf(shown.layout).places[Number(target.dataset.field)];
    if (place) target.value = String(fieldValue(digitsOf(shown.id), place));
  });
  for (const encoding of ENCODINGS)
    element("encodings", HTMLElement).append(encodingRow(encoding, changeId));
}

/**
 * @param {bigint} id
 * @param {Layout} layout
 * @param {DecodedId | undefined} decoded undefined if the layout refuses the id
 */
export function showFields(id, layout, decoded) {
  shown = { id, layout, decoded };
  const digits = digitsOf(id);
  const info = layout.info();
  const { places } = placesOf(layout);
  while (rows.children.length > places.length) rows.lastElementChild?.remove();
  while (rows.children.length < places.length) rows.append(fieldRow(rows.children.length));
  places.forEach((place, i) => {
    const value = fieldValue(digits, place);
    fillRow(rows.children[i], place, value, meaningOf(place, value, layout, info));
  });
  put(date, decoded ? iso(decoded.timestampMs) : "");
  for (const encoding of ENCODINGS)
    put(element(`encoding-${encoding}`, HTMLInputElement), format(id, encoding));
}

/** @param {number} i */
function fieldRow(i) {
  const row = make("li", "");
  const name = make("p", "name");
  name.append(make("span", ""), make("span", "bits"));
  const input = make("input", "value");
  input.inputMode = "numeric";
  input.autocomplete = "off";
  input.dataset.field = String(i);
  input.setAttribute("aria-describedby", "fields-error");
  row.append(name, input, make("p", "meaning"));
  return row;
}

/**
 * @param {Element} row
 * @param {Place} place
 * @param {bigint} value
 * @param {string} meaning
 */
function fillRow(row, { name, bits, className }, value, meaning) {
  const [header, , words] = row.children;
  const [swatch, width] = header.children;
  row.className = `field ${className}`;
  swatch.className = `swatch ${className}`;
  swatch.textContent = name;
  width.textContent = bits === 1 ? "1 bit" : `${bits} bits`;
  words.textContent = meaning;
  const input = row.querySelector("input");
  if (!input) return;
  input.ariaLabel = `value of ${name}`;
  put(input, value);
}

/**
 * @param {typeof ENCODINGS[number]} encoding
 * @param {(id: bigint) => void} changeId
 */
function encodingRow(encoding, changeId) {
  const row = make("div", "encoding");
  const label = make("label", "", encoding);
  const input = make("input", "");
  input.id = `encoding-${encoding}`;
  label.htmlFor = input.id;
  input.autocomplete = "off";
  input.spellcheck = false;
  input.setAttribute("autocapitalize", "off");
  input.setAttribute("aria-describedby", "encodings-error");
  input.addEventListener("input", () => {
    const id = accept(input, "encodings-error", () => idOf(input.value, encoding));
    if (id !== undefined) changeId(id);
  });
  input.addEventListener("blur", () => {
    input.value = format(shown.id, encoding);
    accept(input, "encodings-error", () => {});
  });
  row.append(
    label,
    input,
    copyButton(encoding, () => input.value),
  );
  return row;
}
