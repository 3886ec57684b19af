// A layout of one's own: its fields, epoch and tick, what it holds, and how it is written
// elsewhere.

import { Layout, presets } from "edgeflake";
import { widened } from "./borrow.js";
import { titleOf } from "./candidates.js";
import { copyButton, element, make, put, say } from "./dom.js";
import { figuresOf } from "./layout-facts.js";
import { count, day, duration, iso, neededMoment } from "./time.js";

/** @import { Field } from "edgeflake" */

const ROLES = /** @type {const} @satisfies {Field["role"][]} */ ([
  "timestamp",
  "node",
  "sequence",
  "tag",
  "unused",
]);

const preset = element("preset", HTMLSelectElement);
const text = element("layout", HTMLTextAreaElement);
const epoch = element("epoch", HTMLInputElement);
const tick = element("tick", HTMLInputElement);
const rows = element("layout-fields", HTMLElement);
const error = element("layout-error", HTMLElement);

/** @type {Layout} */
let shown;
/** What the rows say, which may be no layout yet. */
/** @type {Field[]} */
let draft = [];

/** @param {(layout: string) => void} choose a preset's name or a layout string */
export function setUpLayout(choose) {
  preset.append(...presets().map((name) => new Option(titleOf(name), name)));
  preset.addEventListener("change", () => {
    if (preset.value) choose(preset.value);
  });
  text.addEventListener("input", () => attempt(() => Layout.parse(text.value)));
  for (const input of [epoch, tick]) input.addEventListener("input", fromRows);
  element("add-field", HTMLButtonElement).addEventListener("click", () => {
    const names = draft.map(({ name }) => name);
    let name = "tag";
    for (let i = 2; names.includes(name); i++) name = `tag-${i}`;
    // From the widest field, so that the sum stays what it was.
    const widest = draft.reduce((a, b) => (b.bits > a.bits ? b : a));
    widest.bits -= 1;
    draft.push({ name, bits: 1, role: "tag" });
    fillRows();
    fromRows();
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
    fromRows();
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
    fromRows();
  });
  element("layout-copy", HTMLElement).append(copyButton("layout string", () => shown.toString()));
  for (const [id, name] of Object.entries(SNIPPETS)) {
    element(`${id}-copy`, HTMLElement).append(
      copyButton(name, () => element(id, HTMLElement).textContent ?? ""),
    );
  }

  function fromRows() {
    attempt(() => {
      const epochMs = neededMoment(epoch.value, "the epoch");
      return new Layout({ fields: draft, epochMs, tickMs: Number(tick.value) });
    });
  }

  /** @param {() => Layout} read */
  function attempt(read) {
    error.textContent = "";
    try {
      choose(read().toString());
    } catch (refusal) {
      if (!(refusal instanceof Error)) throw refusal;
      error.textContent = refusal.message;
    }
  }
}

/**
 * The layout whose field gains bits from the one before it, as a layout string; as it was if it
 * would be none.
 *
 * @param {Layout} layout
 * @param {number} field
 * @param {number} by
 */
export function withBorder(layout, field, by) {
  const fields = layout.fields.map((one) => ({ ...one }));
  const most = fields[field - 1].bits - 1;
  const least = 1 - fields[field].bits;
  const moved = Math.max(least, Math.min(most, by));
  fields[field - 1].bits -= moved;
  fields[field].bits += moved;
  try {
    return new Layout({ fields, epochMs: layout.epochMs, tickMs: layout.tickMs }).toString();
  } catch (refusal) {
    if (!(refusal instanceof Error)) throw refusal;
    say("status", refusal.message);
    return layout.toString();
  }
}

/**
 * @param {Layout} layout
 * @param {string} chosen a preset's name or a layout string
 */
export function showLayout(layout, chosen) {
  const string = layout.toString();
  preset.value = presets().includes(chosen) ? chosen : "";
  if (string !== shown?.toString()) {
    error.textContent = "";
    const same = JSON.stringify(draft) === JSON.stringify(layout.fields);
    draft = layout.fields.map((field) => ({ ...field }));
    if (!same) fillRows();
  }
  shown = layout;
  put(text, string);
  put(epoch, iso(layout.epochMs));
  put(tick, layout.tickMs);

  const { expiresAt, used } = layout.info();
  const { nodes, perSecond, inAll, fitsNumber } = figuresOf(layout);
  say("layout-nodes", count(nodes));
  say("layout-rate", count(Math.round(perSecond * 100) / 100));
  say("layout-all", count(Math.round(inAll)));
  say("layout-end", day(expiresAt.getTime()));
  const left = expiresAt.getTime() - Date.now();
  say("layout-left", left > 0 ? `in ${duration(left)}` : "it has run out");
  element("layout-used", HTMLMeterElement).value = used;
  say("layout-share", `${Math.floor(used * 100)} % of its time has passed`);
  say("layout-number", fitsNumber ? "number" : "bigint, string");
  snippets(layout, chosen);
}

/** What can be copied, by the id of its place. */
const SNIPPETS = {
  "as-toml": "variables of wrangler.toml",
  "as-js": "JavaScript",
  "as-rust": "Rust",
};

/**
 * @param {Layout} layout
 * @param {string} chosen
 */
function snippets(layout, chosen) {
  const string = layout.toString();
  const named = presets().includes(chosen);
  say("as-toml", `[vars]\nLAYOUT = "${named ? chosen : string}"`);
  const js = named ? `Layout.preset("${chosen}")` : `Layout.parse(\n  "${string}",\n)`;
  say("as-js", `import { Layout } from "edgeflake";\n\nconst layout = ${js};`);
  say("as-rust", `use edgeflake::Layout;\n\nlet layout: Layout = "${string}".parse()?;`);
}

/** The rows stay, since to make them anew takes long; and with them the focus. */
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
 * Says to who does not see the row which field its controls are of, and paints it as in the strip.
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
