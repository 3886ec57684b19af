import { EdgeflakeError, Layout, presets } from "edgeflake";

/** @import { Decoded, FieldValue } from "edgeflake" */

const ID_BITS = 64;

const question = element("question", HTMLFieldSetElement);
const idInput = element("id", HTMLInputElement);
const presetSelect = element("preset", HTMLSelectElement);
const layoutInput = element("layout", HTMLTextAreaElement);
const answer = element("answer", HTMLElement);

presetSelect.prepend(...presets().map((name) => new Option(name)));
presetSelect.selectedIndex = 0;
question.disabled = false;
presetChosen();
hashChanged();

idInput.addEventListener("input", show);
presetSelect.addEventListener("change", presetChosen);
layoutInput.addEventListener("input", () => {
  presetSelect.value = "";
  show();
});
addEventListener("hashchange", hashChanged);

function presetChosen() {
  if (presetSelect.value) {
    layoutInput.value = Layout.preset(presetSelect.value).toString();
    show();
  } else {
    layoutInput.focus();
  }
}

/** `#<id>` opens that id. */
function hashChanged() {
  const id = location.hash.slice(1);
  if (id) {
    idInput.value = id;
    show();
  }
}

function show() {
  const layout = accept(layoutInput, "layout-error", () => Layout.parse(layoutInput.value));
  const decoded = layout && accept(idInput, "id-error", () => layout.decode(idInput.value.trim()));
  answer.hidden = !decoded;
  if (decoded) fill(decoded);
}

/**
 * What `read` makes of an input, or `undefined` with the reason shown beside the input.
 *
 * @template T
 * @param {HTMLElement} input
 * @param {string} errorId
 * @param {() => T} read
 */
function accept(input, errorId, read) {
  let refusal = "";
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EdgeflakeError)) throw error;
    refusal = error.message;
  } finally {
    input.ariaInvalid = String(refusal !== "");
    element(errorId, HTMLElement).textContent = refusal;
  }
}

/** @param {Decoded} decoded */
function fill({ timestampMs, node, sequence, fields }) {
  const date = new Date(timestampMs);
  const time = element("time", HTMLTimeElement);
  time.dateTime = date.toISOString();
  time.textContent = date.toISOString();
  element("local-time", HTMLElement).textContent = date.toLocaleString(undefined, {
    dateStyle: "full",
    timeStyle: "long",
  });
  element("node", HTMLElement).textContent = String(node);
  element("sequence", HTMLElement).textContent = String(sequence);

  const paints = classNames(fields);
  const unpainted = ID_BITS - fields.reduce((sum, { bits }) => sum + bits, 0);
  element("strip", HTMLElement).replaceChildren(
    cells("0".repeat(unpainted), "outside"),
    ...fields.map(({ bits, value }, i) => cells(value.toString(2).padStart(bits, "0"), paints[i])),
  );
  const rows = fields.map((field, i) => row(field, paints[i]));
  element("fields", HTMLElement).replaceChildren(...rows);
}

/**
 * The class of each field: its role, and another shade beside a field of the same role, as of
 * Twitter's datacenter and worker.
 *
 * @param {FieldValue[]} fields
 */
function classNames(fields) {
  /** @type {string[]} */
  const names = [];
  for (const { role } of fields) names.push(names.at(-1) === role ? `${role} shaded` : role);
  return names;
}

/**
 * @param {string} digits
 * @param {string} className
 */
function cells(digits, className) {
  const field = make("span", className);
  field.append(...Array.from(digits, (digit) => make("span", digit === "1" ? "one" : "", digit)));
  return field;
}

/**
 * @param {FieldValue} field
 * @param {string} className
 */
function row({ name, role, bits, value }, className) {
  const header = make("th", `swatch ${className}`, name);
  header.scope = "row";
  if (name !== role) header.append(" ", make("span", "role", role));
  const line = make("tr", "");
  line.append(header, make("td", "", bits), make("td", "", value));
  return line;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {string | number | bigint} content
 */
function make(tag, className, content = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = String(content);
  return made;
}

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 */
function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} with the id ${id}`);
  return found;
}
