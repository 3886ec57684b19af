import { EdgeflakeError, Layout, presets } from "edgeflake";
import { setUpAnswer, showAnswer } from "./answer.js";
import { setUpCandidates, showCandidates, titleOf } from "./candidates.js";
import { setUpCompare, showComparison } from "./compare.js";
import { element, say, sayAll } from "./dom.js";
import { setUpFields, showFields } from "./fields.js";
import { tableOf } from "./id-table.js";
import { setUpKind, showKind } from "./kind-card.js";
import { setUpLayout, showLayout, withBorder } from "./layout-editor.js";
import { serverLayout, setUpLive } from "./live.js";
import { setUpMakeOne } from "./make-one.js";
import { hideMany, setUpMany, showMany } from "./many.js";
import { setUpSystems, showSystems } from "./many-system.js";
import { setUpNeeds } from "./needs-form.js";
import { setUpParts, showPart } from "./parts.js";
import { readPaste } from "./paste.js";
import { clearText, setUpText, showReading, showText } from "./paste-box.js";
import { showPlayground } from "./playground.js";
import { presetNameOf } from "./preset-name.js";
import { setUpRange, showRange } from "./range.js";
import { rewritten } from "./rewritten.js";
import { setUpShare, showAddress } from "./share.js";
import { EXAMPLE, partOf, plainFragment, readFragment, START } from "./state.js";
import { setUpStrip, showStrip } from "./strip.js";
import { around, verdictOfIds } from "./verdict.js";
import { arrive, canUndo, redo, setUpVisits, undo, visit } from "./visits.js";

/** @import { DecodedId } from "edgeflake" */
/** @import { Reading } from "./paste.js" */
/** @import { Part, State } from "./state.js" */
/** @import { Verdict } from "./verdict.js" */

/** @type {State} */
let state = START;
/** Whether an address has been shown. */
let isOpen = false;

/**
 * @typedef {object} Read
 * @property {string} text
 * @property {string} encoding
 * @property {string} column
 * @property {Reading} reading
 * @property {Verdict} verdict
 * @property {boolean} isEdited whether the verdict is that of the text before an edit
 * @property {bigint[]} around some of its ids
 * @property {string} preset a preset's name or a layout string: the layout of the source, or the
 * likeliest
 */
/** @type {Read | undefined} */
let read;
/** Whether the next state is an edit of the id, which keeps the verdict. */
let isEdit = false;
/** The parts that have sent an id into the strip. Others do not show it. @type {Set<Part>} */
const withId = new Set();
/** The layouts that were chosen for the columns of this text. @type {Map<string, string>} */
const layoutsByColumn = new Map();
/** The reading of an empty text. */
const NOTHING = readPaste("", "", "");
const openedMs = Date.now();

setUpText(openText, chooseColumn);
setUpStrip(
  (id) => standStill(() => edit(id)),
  (field, by, drag) => {
    const layout = withBorder(chosenLayout(), field, by);
    standStill(() => change({ layout }, drag));
  },
);
setUpFields(edit);
setUpAnswer((preset) => change({ layout: preset }));
setUpKind(change);
setUpCandidates((preset) => change({ layout: preset }));
setUpLayout((layout) => change({ layout }));
setUpNeeds((layout) => change({ layout }));
setUpMany(change);
setUpSystems((preset) => change({ layout: preset }));
setUpRange(change);
setUpCompare(change);
setUpLive((text, layout) => {
  clearText();
  change({ ...START, text, layout });
});
setUpMakeOne((id, layout) => sendTo("live", id, layout));
setUpParts((part) => {
  const natural = { ...state, part: /** @type {const} */ ("") };
  change({ part: part === partShown(natural) ? "" : part });
});
setUpShare(() => state);
setUpVisits((known) => {
  clearText();
  if (known === undefined) return openAddress();
  state = known;
  keepFocus(show);
}, showAddress);
element("undo", HTMLButtonElement).addEventListener("click", undo);
addEventListener("keydown", (event) => {
  const isInInput = event.target instanceof Element && event.target.matches("input, textarea");
  // An input has an undo of its own.
  if (isInInput || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) undo();
  else if (key === "y" || key === "z") redo();
  else return;
  event.preventDefault();
});
await openAddress();
// All of them appear at once, so that nothing moves.
for (const part of document.querySelectorAll("[data-needs-script]")) {
  if (part instanceof HTMLElement) part.hidden = false;
}
element("question", HTMLFieldSetElement).disabled = false;
navigator.serviceWorker?.register("sw.js");

async function openAddress() {
  const found = location.hash.slice(1);
  const part = partOf(found);
  if (found === part) {
    // A link to a part keeps the pasted text.
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
 * @param {unknown} [gesture] the gesture that consists of this change and others
 */
function change(changes, gesture) {
  if (changes.text !== undefined && changes.text !== state.text) layoutsByColumn.clear();
  state = { ...state, ...changes };
  visit(state, gesture);
  keepFocus(show);
}

/**
 * Shows an id in the strip of a part that has no paste.
 *
 * @param {Part} part
 * @param {bigint} id
 * @param {string} layout its layout string
 */
function sendTo(part, id, layout) {
  withId.add(part);
  clearText();
  change({ ...START, part, text: String(id), layout: String(layout) });
}

/**
 * Opens a pasted or opened text in the part that suits it, or stays in the part that designs
 * layouts.
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
 * Shows another column of the same text, in the layout that was chosen for this column, because its
 * ids may come from another system.
 *
 * @param {string} column
 */
function chooseColumn(column) {
  if (read) layoutsByColumn.set(read.reading.column, state.layout);
  const layout = state.part === "design" ? state.layout : (layoutsByColumn.get(column) ?? "");
  change({ column, layout, encoding: "", row: 0, other: 0, id: "" });
}

/**
 * Replaces the shown id by another one, in the shown layout.
 *
 * @param {bigint} id
 */
function edit(id) {
  const layout = state.layout || (read?.preset ?? "");
  if (read && read.reading.found.length > 1) change({ id: String(id), layout });
  else {
    const written = rewritten(id, read?.reading.encoding ?? "", state.text);
    isEdit = true;
    change({ ...written, id: "", layout });
    isEdit = false;
  }
}

/**
 * Keeps the focus in its place. If that is gone, puts the focus in front of it, so that the next
 * Tab goes on from there.
 *
 * @param {() => void} render
 */
function keepFocus(render) {
  const before = document.activeElement;
  render();
  if (before === null || before === document.body) return;
  const after = document.activeElement;
  if (after !== null && after !== document.body && after.checkVisibility()) return;
  const near = element(partShown(state) === "live" ? "server" : "paste", HTMLElement);
  near.focus({ preventScroll: true });
}

/**
 * Keeps the strip in its place on the screen, because the pointer is on it.
 *
 * @param {() => void} render
 */
function standStill(render) {
  const strip = element("strip", HTMLElement);
  const before = strip.getBoundingClientRect().top;
  render();
  const moved = strip.getBoundingClientRect().top - before;
  if (moved !== 0) scrollBy({ top: moved, behavior: "instant" });
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
    return Layout.parse(chosen);
  } catch (error) {
    if (!(error instanceof EdgeflakeError)) throw error;
    // The link was changed by hand.
    say("status", error.message);
    state = { ...state, layout: "" };
    return Layout.preset(read?.preset ?? presets()[0]);
  }
}

/** Returns the layout of the comparison; `undefined` if a link was changed by hand. */
function pinnedLayout() {
  try {
    return state.pinned === "" ? undefined : Layout.parse(state.pinned);
  } catch (error) {
    if (!(error instanceof EdgeflakeError)) throw error;
    say("status", error.message);
  }
}

function show() {
  const { text, encoding, column } = state;
  const isRead = read?.text === text && read.encoding === encoding && read.column === column;
  if (!read || !isRead || (read.isEdited && state.layout === "")) {
    const isEdited = isEdit && read !== undefined;
    const reading = readPaste(text, encoding, column);
    const { source } = reading;
    const { ids: found, times } = idsOf(reading);
    const verdict =
      isEdited && read ? read.verdict : verdictOfIds(source ? new BigUint64Array() : found, times);
    const preset = source?.layout ?? verdict.layout;
    read = { text, encoding, column, reading, verdict, isEdited, around: around(found), preset };
  }
  const layout = chosenLayout();
  const part = partShown(state);
  // A layout is designed for future ids, so the example is left out.
  const isBare = part === "design" && text === EXAMPLE;
  const reading = isBare ? NOTHING : read.reading;
  const { columns, lines, refused } = tableOf(reading, layout);
  const ids = columns.id;
  const chosen = presetNameOf(state.layout || read.preset);
  showPart(part, linkTo);
  element("undo", HTMLButtonElement).ariaDisabled = String(!canUndo());
  showText(isBare ? "" : text);
  showReading(reading, refused, isBare ? { ...state, text: "" } : state);
  showLayout(layout, chosen);
  showComparison(layout, pinnedLayout());
  showKind(reading.kinds, state.row);
  const isEmpty = ids.length === 0;
  // A layout has a strip before there is an id.
  const isApart = part === "live" || part === "clock";
  element("answer", HTMLElement).hidden = isApart
    ? !withId.has(part)
    : isEmpty && part !== "design";
  for (const id of ["candidates-card", "texts"]) element(id, HTMLElement).hidden = isEmpty;
  element("no-many", HTMLElement).hidden = ids.length > 1;
  const row = Math.max(0, Math.min(state.row, ids.length - 1));
  const id = isEmpty ? idOfOpening(layout) : (idOf(state.id) ?? ids[row]);
  const { decoded, refusal } = decode(layout, id);
  const { verdict } = read;
  showAnswer({
    id,
    verdict,
    source: reading.source,
    chosen: state.layout === "" ? "" : chosen,
    layout: chosen,
    name: nameOf(chosen),
    decoded,
    refusal,
    ids: ids.length,
    row,
    isChanged: state.id !== "",
  });
  const isAnswered = state.layout !== "" || verdict.kind !== "none";
  const isDated = !isEmpty && isAnswered;
  sayAll("warnings", (isDated && decoded?.warnings.map(({ message }) => message)) || []);
  showStrip(id, layout);
  showFields(id, layout, decoded);
  if (!isEmpty) showCandidates(id, read.around, isAnswered ? chosen : "");
  showRange(layout, state, (isDated && decoded?.timestampMs) || Date.now());
  showSystems(verdict, chosen);
  if (ids.length > 1) showMany(columns, lines, reading.times, layout, { ...state, row });
  else hideMany();
  if (part === "clock") showPlayground((shownId, of) => sendTo("clock", shownId, of));
}

/**
 * Returns the id that the layout has for the moment at which the page was opened; 0 if it has none.
 *
 * @param {Layout} layout
 */
function idOfOpening(layout) {
  try {
    return layout.encode({ timestampMs: openedMs });
  } catch (error) {
    if (!(error instanceof EdgeflakeError)) throw error;
    return 0n;
  }
}

/** @param {string} layout a preset's name, or a layout string */
function nameOf(layout) {
  if (presets().some((name) => name === layout)) return titleOf(layout);
  return layout === serverLayout() ? "the layout of this server" : "your own layout";
}

/**
 * Returns the ids without the dates among them, and the times of their lines.
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
 * @param {Layout} layout
 * @param {bigint} id
 * @returns {{ decoded?: DecodedId, refusal: string }}
 */
function decode(layout, id) {
  try {
    return { decoded: layout.decode(id), refusal: "" };
  } catch (error) {
    if (!(error instanceof EdgeflakeError)) throw error;
    return { refusal: error.message };
  }
}

/** @param {string} text */
function idOf(text) {
  return /^\d{1,20}$/.test(text) && BigInt.asUintN(64, BigInt(text)) === BigInt(text)
    ? BigInt(text)
    : undefined;
}
