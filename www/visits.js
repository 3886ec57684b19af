// The states of the page, one for each entry of the browser's history. So Back undoes a paste, a
// layout or a drag, and Undo goes back to the last state with other content.

import { plainFragment, writeFragment } from "./state.js";

/** @import { State } from "./state.js" */

/**
 * The pause between a change and the writing of its address, because Chromium takes 200 addresses
 * in 30 s.
 */
const ADDRESS_PAUSE_MS = 300;
/** A change of one of these makes an entry of its own. */
const KEPT = /** @type {const} */ ([
  "part",
  "text",
  "encoding",
  "column",
  "layout",
  "pinned",
  "id",
]);

/** The load of the page. Entries of an earlier load are read from their address. */
const load = performance.timeOrigin;
/** @type {State[]} states of this load, by step */
let states = [];
let step = 0;
/** The gesture of the newest entry: typing in one input, or one drag. @type {unknown} */
let gesture;
/** @type {EventTarget | null} the input whose event is being handled */
let typing = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let addressTimer;
/** @type {(isTooLong: boolean) => void} */
let wrote;

/**
 * @param {(state: State | undefined) => void} show shows the state of an entry, or of the address
 * if there is none
 * @param {(isTooLong: boolean) => void} onAddress hears of each address that was written
 */
export function setUpVisits(show, onAddress) {
  wrote = onAddress;
  addEventListener("input", ({ target }) => (typing = target), { capture: true });
  addEventListener("input", () => (typing = null));
  // Typing after the input was left, or after Enter, makes another entry.
  addEventListener("change", () => (gesture = undefined));
  addEventListener("popstate", ({ state }) => {
    gesture = undefined;
    clearTimeout(addressTimer);
    const known = state?.load === load ? states[state.step] : undefined;
    if (known) step = state.step;
    show(known);
  });
}

/**
 * Notes the state that an address has opened.
 *
 * @param {State} state
 */
export function arrive(state) {
  states = [...states.slice(0, states.length === 0 ? 0 : step + 1), state];
  step = states.length - 1;
  history.replaceState({ load, step }, "");
}

/**
 * Notes a change, as an entry of its own or as a part of the newest one.
 *
 * @param {State} state
 * @param {unknown} by gesture that the change belongs to, if there is one
 */
export function visit(state, by = typing ?? undefined) {
  const before = states[step];
  const isKept = KEPT.some((name) => state[name] !== before[name]);
  if (isKept && (by === undefined || by !== gesture)) {
    gesture = by;
    states = [...states.slice(0, step + 1), state];
    step += 1;
    clearTimeout(addressTimer);
    const fragment = plainFragment(state);
    history.pushState({ load, step }, "", fragment === undefined ? null : `#${fragment}`);
    if (fragment === undefined) writeAddress();
    else wrote(false);
    return;
  }
  states[step] = state;
  clearTimeout(addressTimer);
  addressTimer = setTimeout(writeAddress, ADDRESS_PAUSE_MS);
}

/** Returns whether there is anything to undo. */
export function canUndo() {
  return undone() >= 0;
}

export function undo() {
  const to = undone();
  if (to >= 0) history.go(to - step);
}

export function redo() {
  if (step < states.length - 1) history.forward();
}

/** Returns the step before the last change of more than the part. */
function undone() {
  const now = states[step];
  return states.findLastIndex(
    (state, i) => i < step && KEPT.some((name) => name !== "part" && state[name] !== now[name]),
  );
}

async function writeAddress() {
  const [state, at] = [states[step], step];
  const fragment = await writeFragment(state);
  if (step !== at || states[at] !== state) return;
  history.replaceState(
    { load, step },
    "",
    fragment === undefined ? location.pathname : `#${fragment}`,
  );
  wrote(fragment === undefined);
}
