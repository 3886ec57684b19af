// Changes of the state, each with an entry in the browser's history. So Back undoes a paste, a
// layout or a drag, and Undo goes back to the last state with other content.

import { signal } from "@preact/signals";
import { partOf, plainFragment, readFragment, writeFragment } from "./address.ts";
import { linkProblem, type State, state } from "./state.ts";

/**
 * The pause between a change and the writing of its address, because Chromium takes 200 addresses
 * in 30 s.
 */
const ADDRESS_PAUSE_MS = 300;
/** A change of one of these makes an entry of its own. */
const KEPT = ["part", "text", "encoding", "column", "layout", "pinned", "id", "scene"] as const;

/** The load of the page. Entries of an earlier load are read from their address. */
const load = performance.timeOrigin;
/** The states of this load, by step. */
let states: State[] = [];
let step = 0;
/** The gesture of the newest entry: typing in one input, or one drag. */
let gesture: unknown;
/** The input whose event is being handled. */
let typing: EventTarget | null = null;
let addressTimer: ReturnType<typeof setTimeout> | undefined;

/** Whether the address leaves the text out, because it is too long. */
export const isAddressPartial = signal(false);
export const canUndo = signal(false);

/** Opens the page's address, and follows the history from then on. */
export async function followHistory(): Promise<void> {
  addEventListener("input", ({ target }) => (typing = target), { capture: true });
  addEventListener("input", () => (typing = null));
  // Typing after the input was left, or after Enter, makes another entry.
  addEventListener("change", () => (gesture = undefined));
  addEventListener("popstate", (event) => {
    gesture = undefined;
    clearTimeout(addressTimer);
    const known = event.state?.load === load ? states[event.state.step] : undefined;
    if (known === undefined) return void openAddress();
    step = event.state.step;
    set(known);
  });
  const asked = new URLSearchParams(location.search).get("id");
  if (asked !== null && location.hash === "") history.replaceState(null, "", idAddress(asked));
  await openAddress();
}

/** Changes the state, for one gesture together with the other changes of this gesture. */
export function change(changes: Partial<State>, by: unknown = typing ?? undefined): void {
  const before = state.value;
  const next = { ...before, ...changes };
  linkProblem.value = "";
  const isKept = KEPT.some((name) => next[name] !== before[name]);
  clearTimeout(addressTimer);
  if (!isKept || (by !== undefined && by === gesture)) {
    states[step] = next;
    set(next);
    addressTimer = setTimeout(writeAddress, ADDRESS_PAUSE_MS);
    return;
  }
  gesture = by;
  states = [...states.slice(0, step + 1), next];
  step += 1;
  const fragment = plainFragment(next);
  history.pushState({ load, step }, "", fragment === undefined ? null : addressOf(fragment));
  set(next);
  isAddressPartial.value = false;
  if (fragment === undefined) addressTimer = setTimeout(writeAddress, ADDRESS_PAUSE_MS);
}

export function undo(): void {
  const to = undone();
  if (to >= 0) history.go(to - step);
}

export function redo(): void {
  if (step < states.length - 1) history.forward();
}

async function openAddress() {
  const fragment = location.hash.slice(1);
  const part = partOf(fragment);
  const isFirst = states.length === 0;
  let opened: State;
  if (!isFirst && fragment === part && part !== "") {
    // A link to a part keeps the pasted text.
    opened = { ...state.value, part };
  } else {
    const read = await readFragment(fragment);
    opened = read.state;
    linkProblem.value = read.problem;
  }
  states = [...states.slice(0, isFirst ? 0 : step + 1), opened];
  step = states.length - 1;
  history.replaceState({ load, step }, "");
  set(opened);
}

function set(next: State) {
  state.value = next;
  canUndo.value = undone() >= 0;
}

/** Returns the step before the last change of more than the part. */
function undone() {
  const now = states[step];
  return states.findLastIndex(
    (one, i) => i < step && KEPT.some((name) => name !== "part" && one[name] !== now?.[name]),
  );
}

async function writeAddress() {
  const [written, at] = [states[step], step];
  if (written === undefined) return;
  const fragment = await writeFragment(written);
  if (step !== at || states[at] !== written) return;
  history.replaceState({ load, step }, "", addressOf(fragment ?? ""));
  isAddressPartial.value = fragment === undefined;
}

function addressOf(fragment: string) {
  return fragment === "" ? location.pathname : `#${fragment}`;
}

function idAddress(id: string) {
  return `${location.pathname}#${new URLSearchParams({ text: id })}`;
}
