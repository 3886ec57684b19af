// The fields of a layout as rows of inputs, which need not be a valid layout yet.

import { ID_BITS } from "./bits.js";
import { takenFrom, widened } from "./borrow.js";
import { element, make, put, say } from "./dom.js";

/** @import { Field } from "edgeflake" */

const ROLES = /** @type {const} @satisfies {Field["role"][]} */ ([
  "timestamp",
  "node",
  "sequence",
  "tag",
  "unused",
]);

const rows = element("layout-fields", HTMLElement);

/** The fields of the rows. @type {Field[]} */
let draft = [];

/** @param {() => void} changed */
export function setUpRows(changed) {
  element("add-field", HTMLButtonElement).addEventListener("click", () => {
    const before = draft.map((field) => ({ ...field }));
    const names = draft.map(({ name }) => name);
    let name = "tag";
    for (let i = 2; names.includes(name); i++) name = `tag-${i}`;
    // The bit comes from the widest field, so that the sum does not change.
    const widest = draft.reduce((a, b) => (b.bits > a.bits ? b : a));
    widest.bits -= 1;
    draft.push({ name, bits: 1, role: "tag" });
    fillRows();
    changed();
    sayBits(takenFrom(before, draft, draft.length - 1));
    rows.lastElementChild?.querySelector("input")?.select();
  });
  /** The fields when the input that has the focus was entered. @type {Field[]} */
  let before = [];
  rows.addEventListener("focusin", () => {
    before = draft;
  });
  rows.addEventListener("input", ({ target }) => {
    const read = [...rows.children].map(readRow);
    const at = [...rows.children].findIndex((line) => line.contains(/** @type {Node} */ (target)));
    const isWidth = target instanceof Element && target.matches(".bits-of");
    draft = isWidth ? widened(before, at, read[at].bits) : read;
    for (const [i, field] of draft.entries()) {
      nameControls(rows.children[i], field);
      const bits = rows.children[i].querySelector(".bits-of");
      if (bits instanceof HTMLInputElement) put(bits, field.bits);
    }
    const taken = isWidth ? takenFrom(before, draft, at) : "";
    changed();
    sayBits(taken);
  });
  rows.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("button");
    if (!button) return;
    const at = [...rows.children].findIndex((row) => row.contains(button));
    const [field] = draft.splice(at, 1);
    const to = { up: at - 1, down: at + 1 }[button.value];
    if (to !== undefined) draft.splice(Math.max(0, to), 0, field);
    fillRows();
    const row = rows.children[Math.min(to === undefined ? at : Math.max(0, to), draft.length - 1)];
    const again = row?.querySelector(`button[value=${button.value}]`);
    if (again instanceof HTMLElement) again.focus();
    changed();
    sayBits("");
  });
}

/** Returns the fields of the rows, which need not be a valid layout. */
export function fieldsOfRows() {
  return draft;
}

/** @param {readonly Field[]} fields of a layout */
export function showRows(fields) {
  const same = JSON.stringify(draft) === JSON.stringify(fields);
  draft = fields.map((field) => ({ ...field }));
  if (same) return;
  fillRows();
  sayBits("");
}

/**
 * Shows the number of bits, and the bits that an edit has taken from other fields.
 *
 * @param {string} taken
 */
function sayBits(taken) {
  const bits = (/** @type {Field[]} */ of) => of.reduce((sum, field) => sum + field.bits, 0);
  const over = bits(draft) - ID_BITS;
  const used = bits(draft.filter(({ role }) => role !== "unused"));
  const rest = over > 0 ? `${over} too many` : `${ID_BITS - used} free`;
  say("bits-total", `${over > 0 ? bits(draft) : used} of ${ID_BITS} bits used, ${rest}`);
  say("bits-taken", taken);
}

/** The rows stay, and so does the focus, because making new ones takes long. */
function fillRows() {
  while (rows.children.length > draft.length) rows.lastElementChild?.remove();
  while (rows.children.length < draft.length) rows.append(row());
  for (const [i, field] of draft.entries()) fillRow(rows.children[i], field);
}

function row() {
  const line = make("li", "");
  const name = make("input", "name-of");
  name.maxLength = 24;
  name.autocomplete = "off";
  name.spellcheck = false;
  const role = make("select", "role-of");
  role.append(...ROLES.map((one) => new Option(one, one)));
  const bits = make("input", "bits-of");
  bits.type = "number";
  bits.min = "1";
  bits.max = "64";
  const width = make("span", "width-of");
  width.append(bits, "bits");
  const buttons = make("span", "row-buttons");
  for (const [value, sign] of [
    ["up", "↑"],
    ["down", "↓"],
    ["remove", "×"],
  ]) {
    const button = make("button", "quiet", sign);
    button.type = "button";
    button.value = value;
    buttons.append(button);
  }
  line.append(name, role, width, buttons);
  return line;
}

/**
 * @param {Element} line
 * @param {Field} field
 */
function fillRow(line, field) {
  const [name, bits] = line.querySelectorAll("input");
  const role = line.querySelector("select");
  name.value = field.name;
  bits.value = String(field.bits);
  if (role) role.value = field.role;
  nameControls(line, field);
}

/**
 * Names the field in the labels of a row's controls, for readers who do not see the row, and paints
 * the row as in the strip.
 *
 * @param {Element} line
 * @param {Field} field
 */
function nameControls(line, { name, role }) {
  line.className = `layout-field ${role}`;
  for (const [selector, label] of [
    [".name-of", `name of ${name}`],
    [".role-of", `role of ${name}`],
    [".bits-of", `bits of ${name}`],
    ["[value=up]", `Move ${name} up`],
    ["[value=down]", `Move ${name} down`],
    ["[value=remove]", `Remove ${name}`],
  ]) {
    const control = line.querySelector(selector);
    if (control) control.ariaLabel = label;
  }
}

/**
 * @param {Element} line
 * @returns {Field}
 */
function readRow(line) {
  const [name, bits] = line.querySelectorAll("input");
  const role = line.querySelector("select")?.value;
  return {
    name: name.value,
    bits: Number(bits.value),
    role: ROLES.find((one) => one === role) ?? "unused",
  };
}
