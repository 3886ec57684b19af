// The parts of an id, each of which can be changed: its fields, its date, and its text forms.

import { encode } from "edgeflake";
import { digitsOf, fieldValue, placesOf, replaced } from "./bits.js";
import { accept, copyButton, element, make, put } from "./dom.js";
import { FORMS, idOf } from "./forms.js";
import { meaningOf } from "./meaning.js";
import { iso, neededMoment } from "./time.js";

/** @import { Decoded, Layout } from "edgeflake" */

const rows = element("fields", HTMLElement);
const date = element("date", HTMLInputElement);

/** @type {{ id: bigint, layout: Layout, decoded: Decoded | undefined }} */
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
  for (const form of FORMS) element("forms", HTMLElement).append(formRow(form, changeId));
}

/**
 * @param {bigint} id
 * @param {Layout} layout
 * @param {Decoded | undefined} decoded nothing if the layout refuses the id
 */
export function showFields(id, layout, decoded) {
  shown = { id, layout, decoded };
  const digits = digitsOf(id);
  const info = layout.info();
  const { places } = placesOf(layout);
  const identical =
    rows.children.length === places.length &&
    places.every(({ name, role, bits }, i) => rows.children[i].id === `f-${role}-${name}-${bits}`);
  if (!identical) rows.replaceChildren(...places.map((place, i) => fieldRow(place, i)));
  places.forEach((place, i) => {
    const value = fieldValue(digits, place);
    const input = rows.children[i].querySelector("input");
    if (input) put(input, value);
    const meaning = rows.children[i].querySelector(".meaning");
    if (meaning) meaning.textContent = meaningOf(place, value, layout, info);
  });
  put(date, decoded ? iso(decoded.timestampMs) : "");
  for (const form of FORMS) put(element(`form-${form}`, HTMLInputElement), encode(id, form));
}

/**
 * @param {import("./bits.js").Place} place
 * @param {number} i
 */
function fieldRow({ name, role, bits, className }, i) {
  const row = make("tr", "");
  row.id = `f-${role}-${name}-${bits}`;
  const header = make("th", "");
  header.scope = "row";
  header.append(make("span", `swatch ${className}`, name));
  if (name !== role) header.append(make("span", "role", role));
  const input = make("input", "value");
  input.inputMode = "numeric";
  input.autocomplete = "off";
  input.dataset.field = String(i);
  input.ariaLabel = `value of ${name}`;
  input.setAttribute("aria-describedby", "fields-error");
  const cell = make("td", "");
  cell.append(input);
  row.append(header, make("td", "bits", bits), cell, make("td", "meaning"));
  return row;
}

/**
 * @param {typeof FORMS[number]} form
 * @param {(id: bigint) => void} changeId
 */
function formRow(form, changeId) {
  const row = make("div", "form");
  const label = make("label", "", form);
  const input = make("input", "");
  input.id = `form-${form}`;
  label.htmlFor = input.id;
  input.autocomplete = "off";
  input.spellcheck = false;
  input.setAttribute("autocapitalize", "off");
  input.setAttribute("aria-describedby", "forms-error");
  input.addEventListener("input", () => {
    const id = accept(input, "forms-error", () => idOf(input.value, form));
    if (id !== undefined) changeId(id);
  });
  input.addEventListener("blur", () => {
    input.value = encode(shown.id, form);
    accept(input, "forms-error", () => {});
  });
  row.append(
    label,
    input,
    copyButton(form, () => input.value),
  );
  return row;
}
