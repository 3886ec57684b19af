import { EdgeflakeError, Layout, presets } from "edgeflake";
import { likeliestPreset, setUpCandidates, showCandidates, titleOf } from "./candidates.js";
import { element, make, say, sayAll } from "./dom.js";
import { setUpFields, showFields } from "./fields.js";
import { setUpLayout, showLayout, withBorder } from "./layout-editor.js";
import { setUpLive } from "./live.js";
import { hideMany, setUpMany, showMany } from "./many.js";
import { setUpParts, showPart } from "./parts.js";
import { readPaste } from "./paste.js";
import { clearText, EXAMPLE, setUpText, showReading, showText } from "./paste-box.js";
import { setUpRange, showRange } from "./range.js";
import { rewritten } from "./rewritten.js";
import { setUpShare, showAddress } from "./share.js";
import { partOf, plainFragment, readFragment, START } from "./state.js";
import { setUpStrip, showStrip } from "./strip.js";
import { ago, count as grouped, iso } from "./time.js";
import { arrive, canUndo, redo, setUpVisits, undo, visit } from "./visits.js";

/** @import { Decoded, DecodedColumns } from "edgeflake" */
/** @import { Reading, Refused } from "./paste.js" */
/** @import { Part, State } from "./state.js" */

/** @type {State} */
let state = START;
/** Whether an address has been shown. */
let isOpen = false;

/** @type {{ text: string, encoding: string, column: string, reading: Reading, preset: string } | undefined} */
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

/** A module of its own, which the first load leaves out. */
const CLOCK = "./clock/clock.js";
let isClockShown = false;

setUpText(openText);
setUpStrip(edit, (field, by, drag) => {
  const layout = chosenLayout();
  change({ layout: withBorder(layout, field, by) }, drag);
});
setUpFields(edit);
setUpCandidates((preset) => change({ layout: preset }));
setUpLayout((layout) => change({ layout }));
setUpMany(change);
setUpRange(change);
setUpLive((text, layout) => {
  change({ ...START, text, layout });
  clearText();
});
setUpParts((part) => {
  const natural = { ...state, part: /** @type {const} */ ("") };
  change({ part: part === partShown(natural) ? "" : part });
});
setUpShare(() => state);
setUpVisits((known) => {
  clearText();
  if (known === undefined) return openAddress();
  state = known;
  show();
}, showAddress);
element("undo", HTMLButtonElement).addEventListener("click", undo);
addEventListener("keydown", (event) => {
  const isInInput = event.target instanceof Element && event.target.matches("input, textarea");
  // An input undoes what was typed in it by itself.
  if (isInInput || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) undo();
  else if (key === "y" || key === "z") redo();
  else return;
  event.preventDefault();
});
await openAddress();
// All at once, so that nothing moves.
for (const part of document.querySelectorAll("[data-needs-script]")) {
  if (part instanceof HTMLElement) part.hidden = false;
}
element("question", HTMLFieldSetElement).disabled = false;
navigator.serviceWorker?.register("sw.js");

async function openAddress() {
  const found = location.hash.slice(1);
  const part = partOf(found);
  if (found === part) {
    // The name of a part alone keeps what was pasted.
    state = isOpen ? { ...state, part } : { ...START, text: EXAMPLE, part };
    if (isOpen && part === "") state = { ...START, text: EXAMPLE };
  } else state = await readFragment(found);
  isOpen = true;
  clearText();
  arrive(state);
  show();
}

/**
 * @param {Partial<State>} changes
 * @param {unknown} [gesture] that this is one of more changes of
 */
function change(changes, gesture) {
  state = { ...state, ...changes };
  visit(state, gesture);
  keepFocus(show);
}

/**
 * What is pasted or opened is shown by the part that suits it; a layout is designed on.
 *
 * @param {Partial<State>} changes
 */
function openText(changes) {
  if (state.part === "design") {
    const { layout, pinned } = state;
    change({ ...changes, part: "design", layout: changes.layout || layout, pinned });
  } else change("text" in changes ? { part: "", ...changes } : changes);
}

/**
 * Another id in place of the one that is shown, in the layout that is shown.
 *
 * @param {bigint} id
 */
function edit(id) {
  const layout = state.layout || (read?.preset ?? "");
  if (read && read.reading.found.length > 1) change({ id: String(id), layout });
  else {
    const written = rewritten(id, read?.reading.encoding ?? "", state.text);
    change({ ...written, id: "", layout });
  }
}

/**
 * Leaves the focus where it was, or in front of it if that is gone: the next Tab goes on from there.
 *
 * @param {() => void} render
 */
function keepFocus(render) {
  const before = document.activeElement;
  render();
  if (before === null || before === document.body) return;
  const after = document.activeElement;
  if (after !== null && after !== document.body && after.checkVisibility()) return;
  const near = element(partShown(state) === "live" ? "live" : "paste", HTMLElement);
  near.focus({ preventScroll: true });
}

/** @param {State} of */
function partShown({ part }) {
  return part || ((read?.reading.found.length ?? 0) > 1 ? "many" : "decode");
}

/** @param {Part} part */
function linkTo(part) {
  const natural = partShown({ ...state, part: "" });
  const fragment = plainFragment({ ...state, part: part === natural ? "" : part });
  return fragment || part;
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
    read = {
      text,
      encoding,
      column,
      reading,
      preset: reading.preset || likeliestPreset(reading.found),
    };
  }
  const { reading } = read;
  const layout = chosenLayout();
  const { columns, lines, refused } = tableOf(reading, layout);
  const ids = columns.id;
  const part = partShown(state);
  const chosen = state.layout || read.preset;
  showPart(part, linkTo);
  element("undo", HTMLButtonElement).disabled = !canUndo();
  showText(state);
  showReading(reading, refused, state);
  showLayout(layout, chosen);
  const isEmpty = ids.length === 0;
  // A layout has a strip before there is an id.
  element("answer", HTMLElement).hidden = isEmpty && part !== "design";
  for (const id of ["candidates-card", "texts"]) element(id, HTMLElement).hidden = isEmpty;
  element("no-many", HTMLElement).hidden = ids.length > 1;
  const row = Math.max(0, Math.min(state.row, ids.length - 1));
  const id = isEmpty ? 0n : (idOf(state.id) ?? ids[row]);
  const { decoded, refusal } = decode(layout, id);
  showMade(decoded, refusal, ids.length, row);
  sayAll("warnings", (!isEmpty && decoded?.warnings.map(({ message }) => message)) || []);
  showStrip(id, layout);
  showFields(id, layout, decoded);
  if (!isEmpty) showCandidates(id, chosen);
  showRange(layout, state, (!isEmpty && decoded?.timestampMs) || Date.now());
  if (ids.length > 1) showMany(columns, lines, layout, { ...state, row });
  else hideMany();
  if (part === "clock") showClock();
}

/** The playground is loaded when it is first shown. */
async function showClock() {
  if (isClockShown) return;
  isClockShown = true;
  const section = element("clock", HTMLElement);
  try {
    const { mount } = await import(CLOCK);
    mount(section, {
      /**
       * Takes an id of the playground apart.
       *
       * @param {bigint} id
       * @param {string} layout its layout string
       */
      showId(id, layout) {
        change({ ...START, part: "clock", text: String(id), layout: String(layout) });
      },
    });
  } catch (error) {
    isClockShown = false;
    section.replaceChildren(
      make("p", "error", "The playground could not be loaded: go online, then open Clock again."),
    );
    if (!(error instanceof TypeError)) throw error;
  }
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

/**
 * @param {Decoded | undefined} decoded
 * @param {string} refusal
 * @param {number} count
 * @param {number} row
 */
function showMade(decoded, refusal, count, row) {
  const name = presets().includes(state.layout) ? state.layout : state.layout ? "" : read?.preset;
  say("system", name ? titleOf(name) : "your own layout");
  say(
    "which",
    count > 1 ? `id ${grouped(row + 1)} of ${grouped(count)}${state.id ? ", changed" : ""}` : "",
  );
  say("refusal", refusal && `This is no id of the layout: ${refusal}.`);
  element("made", HTMLElement).hidden = !decoded;
  if (!decoded) return;
  const { timestampMs, date, node, sequence, tag } = decoded;
  const time = element("time", HTMLTimeElement);
  time.dateTime = iso(timestampMs);
  say("time", iso(timestampMs));
  const local = date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" });
  say("local-time", `${ago(timestampMs)} · here ${local}`);
  say("node", node);
  say("sequence", sequence);
  say("tag", tag);
  element("tag-part", HTMLElement).hidden = !decoded.fields.some(({ role }) => role === "tag");
}
