// The input for a paste. A long text does not go into the input, because that would be slow.

import { showChips } from "./chips.js";
import { element, put, say, sayAll } from "./dom.js";
import { EXAMPLE, START } from "./state.js";
import { count } from "./time.js";

/** @import { Reading, Refused } from "./paste.js" */
/** @import { State } from "./state.js" */

/** The most characters of a text in the input. */
const TYPED_MAX = 20_000;
/** The most bytes of a file. */
const FILE_MAX = 100_000_000;

/** The number of characters that are shown of a long text. */
const START_MAX = 120;

/** The number of refused lines that are shown at first. */
const UNASKED_MAX = 5;

const box = element("text", HTMLTextAreaElement);
const long = element("long-text", HTMLElement);
const examples = element("examples", HTMLElement);

/** Whether the input had an example in it when the visitor entered it, and is unchanged since. */
let isUntouched = false;

/**
 * @param {(changes: Partial<State>) => void} change
 * @param {(column: string) => void} chooseColumn
 */
export function setUpText(change, chooseColumn) {
  /** @param {string} text */
  const open = (text) => change({ ...START, text });
  box.addEventListener("input", () => {
    // The chosen layout stays while the visitor edits the id.
    change({ text: box.value, encoding: "", column: "", row: 0, other: 0, id: "" });
  });
  // The first typed or pasted text replaces an example. A second click places the caret in it.
  box.addEventListener("focus", () => {
    isUntouched = isExample(box.value);
    if (isUntouched) box.select();
  });
  box.addEventListener("click", () => {
    // The browser has put the caret at the pointer.
    if (isUntouched && box.selectionStart === box.selectionEnd) box.select();
    isUntouched = false;
  });
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const elsewhere = event.target instanceof HTMLInputElement || event.target === null;
    const inOther = event.target instanceof HTMLTextAreaElement && event.target !== box;
    if (elsewhere || inOther || text === "") return;
    const whole =
      isExample(box.value) || box.selectionEnd - box.selectionStart === box.value.length;
    if (text.length <= TYPED_MAX && event.target === box && !whole) return;
    event.preventDefault();
    clearText();
    open(text);
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) openFile(file);
  });
  const picker = element("file", HTMLInputElement);
  picker.addEventListener("change", () => {
    if (picker.files?.[0]) openFile(picker.files[0]);
    picker.value = "";
  });
  element("clear", HTMLButtonElement).addEventListener("click", () => {
    clearText();
    open("");
    box.focus();
  });
  examples.addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    clearText();
    open(target.value);
  });
  element("other-encodings", HTMLElement).addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("button");
    if (button) change({ encoding: button.value, id: "" });
  });
  element("columns", HTMLElement).addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("button");
    if (button) chooseColumn(button.value);
  });
  element("likeliest", HTMLButtonElement).addEventListener("click", () => change({ layout: "" }));

  /** @param {File} file */
  async function openFile(file) {
    if (file.size > FILE_MAX) {
      say(
        "text-error",
        `${file.name} has ${count(file.size)} bytes: at most ${count(FILE_MAX)} are allowed. Open a part of it`,
      );
      return;
    }
    const text = await file.text();
    clearText();
    open(text);
  }
}

/** @param {string} text */
function isExample(text) {
  if (text === EXAMPLE) return true;
  return [...examples.querySelectorAll("button")].some(({ value }) => value === text);
}

/** Allows the next text into the input, even while the input has the focus. */
export function clearText() {
  box.value = "";
  box.blur();
}

/** @param {string} text */
export function showText(text) {
  const isLong = text.length > TYPED_MAX;
  long.hidden = !isLong;
  box.hidden = isLong;
  if (isLong) {
    const start = text.slice(0, START_MAX).replaceAll(/\s+/g, " ");
    say("long-text-start", `${start} …`);
    const lines = lineCount(text);
    const size = `${count(lines)} ${lines === 1 ? "line" : "lines"}, ${inBytes(text.length)}`;
    say("long-text-size", size);
  } else put(box, text);
}

/** @param {string} text */
function lineCount(text) {
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** @param {number} bytes */
function inBytes(bytes) {
  return bytes < 1e6
    ? `${count(Math.round(bytes / 1000))} kB`
    : `${count(Math.round(bytes / 1e5) / 10)} MB`;
}

/**
 * @param {Reading} reading
 * @param {Refused[]} refusedDates dates that the layout does not have
 * @param {State} state
 */
export function showReading(reading, refusedDates, state) {
  const { how, otherEncodings, column, columns } = reading;
  const found = reading.found.length + reading.kinds.length - refusedDates.length;
  const refused = [...reading.refused, ...refusedDates];
  say("read-as", how);
  say("text-error", found > 0 || state.text.trim() === "" ? "" : reasonOf(refused));
  box.ariaInvalid = String(refused.length > 0 && found === 0);
  showChips(
    element("other-encodings", HTMLElement),
    otherEncodings.map((other) => ({ value: other, text: other, label: `read it as ${other}` })),
  );
  element("other-encodings-row", HTMLElement).hidden = otherEncodings.length === 0;
  element("column-row", HTMLElement).hidden = columns.length < 2;
  showChips(
    element("columns", HTMLElement),
    columns.map(({ name, count: cells }) => ({
      value: name,
      text: `${name || "without a key"} ${count(cells)}`,
      isPressed: name === column,
    })),
  );
  element("likeliest", HTMLButtonElement).hidden = state.layout === "" || found === 0;
  showRefused(refused, reading.refusedCount + refusedDates.length, found);
}

/**
 * @param {Refused[]} refused
 * @param {number} refusedCount
 * @param {number} found
 */
function showRefused(refused, refusedCount, found) {
  const part = element("refused-part", HTMLDetailsElement);
  // The reason for a single line already stands above.
  const lines = found === 0 && refusedCount < 2 && refused[0]?.line === 1 ? [] : refused;
  part.hidden = lines.length === 0;
  const more = refusedCount > lines.length ? `, the first ${lines.length} of them` : "";
  say("refused-title", `${count(refusedCount)} not read${more}`);
  const shown = lines.map(({ line, text, message }) => {
    const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    return `line ${line}, "${short}": ${message}`;
  });
  if (sayAll("refused", shown)) part.open = shown.length <= UNASKED_MAX;
}

/** @param {Refused[]} refused */
function reasonOf([first]) {
  return first?.message ?? "there is no id in it";
}
