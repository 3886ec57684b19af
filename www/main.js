import { EdgeflakeError, Layout, presets } from "edgeflake";
import { setUpAnswer, showAnswer } from "./answer.js";
import { setUpCandidates, showCandidates } from "./candidates.js";
import { element, say, sayAll } from "./dom.js";
import { setUpFields, showFields } from "./fields.js";
import { setUpKind, showKind } from "./kind-card.js";
import { setUpLayout, showLayout, withBorder } from "./layout-editor.js";
import { setUpLive } from "./live.js";
import { hideMany, setUpMany, showMany } from "./many.js";
import { readPaste } from "./paste.js";
import { clearText, EXAMPLE, setUpText, showReading, showText } from "./paste-box.js";
import { setUpRange, showRange } from "./range.js";
import { readFragment, START, writeFragment } from "./state.js";
import { setUpStrip, showStrip } from "./strip.js";
import { iso } from "./time.js";
import { around, verdictOfIds } from "./verdict.js";

/** @import { Decoded, DecodedColumns } from "edgeflake" */
/** @import { Reading, Refused } from "./paste.js" */
/** @import { State } from "./state.js" */
/** @import { Verdict } from "./verdict.js" */

/** Addresses change when nothing else does: Chromium takes 200 changes in 30 s. */
const ADDRESS_PAUSE_MS = 300;

/** @type {State} */
let state = START;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let addressTimer;
/** The last fragment that was read or written. */
let fragment = "";

/**
 * @typedef {object} Read
 * @property {string} text
 * @property {string} encoding
 * @property {string} column
 * @property {Reading} reading
 * @property {Verdict} verdict
 * @property {bigint[]} around some of its ids
 * @property {string} preset a preset's name or a layout string: that of its source, or the likeliest
 */
/** @type {Read | undefined} */
let read;
/**
 * @typedef {object} Table the ids of a reading in a layout
 * @property {Reading} reading
 * @property {string} layout its layout string
 * @property {number[]} lines where each of them stands
 * @property {Refused[]} refused dates that the layout does not have
 * @property {DecodedColumns} columns
 */
/** @type {Table | undefined} kept, for there may be many */
let table;

setUpText(change);
setUpStrip(edit, (field, by) => {
  const layout = chosenLayout();
  change({ layout: withBorder(layout, field, by) });
});
setUpFields(edit);
setUpAnswer((preset) => change({ layout: preset }));
setUpKind(change);
setUpCandidates((preset) => change({ layout: preset }));
setUpLayout((layout) => change({ layout }));
setUpMany(change);
setUpRange(change);
setUpLive((text, layout) => {
  change({ ...START, text, layout });
  clearText();
  element("paste", HTMLElement).scrollIntoView();
});
element("parts", HTMLElement).addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  const part = element(target.value, HTMLElement);
  part.scrollIntoView();
  part.focus({ preventScroll: true });
});
addEventListener("hashchange", openAddress);
await openAddress();
// All at once, so that nothing moves.
for (const part of document.querySelectorAll("[data-needs-script]")) {
  if (part instanceof HTMLElement) part.hidden = false;
}
element("question", HTMLFieldSetElement).disabled = false;
navigator.serviceWorker?.register("sw.js");

async function openAddress() {
  const found = location.hash.slice(1);
  if (found === fragment && found !== "") return;
  fragment = found;
  state = found === "" ? { ...START, text: EXAMPLE } : await readFragment(found);
  clearText();
  show();
}

/** @param {Partial<State>} changes */
function change(changes) {
  state = { ...state, ...changes };
  show();
  clearTimeout(addressTimer);
  addressTimer = setTimeout(writeAddress, ADDRESS_PAUSE_MS);
}

async function writeAddress() {
  const written = await writeFragment(state);
  say(
    "link-note",
    written === undefined ? "This is too much for a link: the address leaves it out." : "",
  );
  fragment = written ?? "";
  history.replaceState(null, "", written === undefined ? location.pathname : `#${written}`);
}

/**
 * Another id in place of the one that is shown, in the layout that is shown.
 *
 * @param {bigint} id
 */
function edit(id) {
  const layout = state.layout || (read?.preset ?? "");
  if (read && read.reading.found.length > 1) change({ id: String(id), layout });
  else change({ text: String(id), encoding: "decimal", id: "", layout });
}

function chosenLayout() {
  const chosen = state.layout || (read?.preset ?? presets()[0]);
  try {
    return presets().includes(chosen) ? Layout.preset(chosen) : Layout.parse(chosen);
  } catch (error) {
    if (!(error instanceof EdgeflakeError)) throw error;
    // Of a link that somebody changed by hand.
    say("status", error.message);
    state = { ...state, layout: "" };
    return Layout.preset(read?.preset ?? presets()[0]);
  }
}

function show() {
  const { text, encoding, column } = state;
  if (read?.text !== text || read.encoding !== encoding || read.column !== column) {
    const reading = readPaste(text, encoding, column);
    const { source } = reading;
    const { ids: found, times } = idsOf(reading);
    const verdict = verdictOfIds(source ? new BigUint64Array() : found, times);
    const preset = source?.layout ?? verdict.layout;
    read = { text, encoding, column, reading, verdict, around: around(found), preset };
  }
  const { reading } = read;
  const layout = chosenLayout();
  const { columns, lines, refused } = tableOf(reading, layout);
  const ids = columns.id;
  showText(state);
  showReading(reading, refused, state);
  showLayout(layout, state.layout || read.preset);
  showKind(reading.kinds, state.row);

  element("answer", HTMLElement).hidden = ids.length === 0;
  element("candidates-card", HTMLElement).hidden = ids.length === 0;
  if (ids.length === 0) {
    hideMany();
    sayAll("warnings", []);
    showRange(layout, state, Date.now());
    return;
  }
  const row = Math.min(state.row, ids.length - 1);
  const id = idOf(state.id) ?? ids[row];
  const { decoded, refusal } = decode(layout, id);
  const { verdict, preset } = read;
  showAnswer({
    id,
    verdict,
    source: reading.source,
    chosen: state.layout,
    layout: state.layout || preset,
    decoded,
    refusal,
    ids: ids.length,
    row,
    isChanged: state.id !== "",
  });
  const isAnswered = state.layout !== "" || verdict.kind !== "none";
  const warnings = isAnswered ? (decoded?.warnings ?? []) : [];
  sayAll(
    "warnings",
    warnings.map(({ message }) => message),
  );
  showStrip(id, layout);
  showFields(id, layout, decoded);
  showCandidates(id, read.around, isAnswered ? state.layout || preset : "");
  showRange(layout, state, (isAnswered ? decoded?.timestampMs : undefined) ?? Date.now());
  if (ids.length > 1) showMany(columns, lines, reading.times, layout, { ...state, row });
  else hideMany();
}

/**
 * The ids without the dates among them, and when their lines were written.
 *
 * @param {Reading} reading
 */
function idsOf({ found, lines, times }) {
  /** @type {bigint[]} */
  const ids = [];
  /** @type {number[]} */
  const moments = [];
  for (const [row, one] of found.entries()) {
    if (typeof one !== "bigint") continue;
    ids.push(one);
    moments.push(times?.get(lines[row]) ?? NaN);
  }
  return { ids: BigUint64Array.from(ids), times: times && Float64Array.from(moments) };
}

/**
 * @param {Reading} reading
 * @param {Layout} layout
 * @returns {Table}
 */
function tableOf(reading, layout) {
  const string = layout.toString();
  if (table?.reading === reading && table.layout === string) return table;
  const ids = [];
  const lines = [];
  const refused = [];
  for (const [i, one] of reading.found.entries()) {
    const line = reading.lines[i];
    try {
      ids.push(typeof one === "bigint" ? one : layout.encode({ timestampMs: one }));
      lines.push(line);
    } catch (error) {
      if (!(error instanceof EdgeflakeError) || typeof one === "bigint") throw error;
      refused.push({ line, text: iso(one.getTime()), message: error.message });
    }
  }
  const columns = layout.decodeMany(BigUint64Array.from(ids));
  table = { reading, layout: string, lines, refused, columns };
  return table;
}

/** @param {string} text */
function idOf(text) {
  return /^\d{1,20}$/.test(text) && BigInt.asUintN(64, BigInt(text)) === BigInt(text)
    ? BigInt(text)
    : undefined;
}

/**
 * @param {Layout} layout
 * @param {bigint} id
 * @returns {{ decoded?: Decoded, refusal: string }}
 */
function decode(layout, id) {
  try {
    return { decoded: layout.decode(id), refusal: "" };
  } catch (error) {
    if (!(error instanceof EdgeflakeError)) throw error;
    return { refusal: error.message };
  }
}
