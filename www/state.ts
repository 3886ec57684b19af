// The state of the page. Every part of the page renders from it. The address contains it as a
// fragment, which the browser does not send to the server. The browser's history keeps earlier
// states, so Back undoes a paste, a layout or a flipped bit.

import { signal } from "@preact/signals";
import { isId } from "edgeflake";
import { EXAMPLE } from "./examples.ts";

/** The parts of the page. An address can name each of them. */
export const PARTS = ["decode", "many", "design", "live", "story"] as const;

export type Part = (typeof PARTS)[number];

export interface State {
  /** The shown part; empty for the part that suits the text. */
  part: Part | "";
  text: string;
  /** The encoding of the ids; empty for the likeliest. */
  encoding: string;
  /** The column of the ids; empty for the likeliest. */
  column: string;
  /** A preset's name or a layout string; empty for the layout of the verdict. */
  layout: string;
  row: number;
  /** The edited id, in decimal; empty for the id of the row. */
  id: string;
  /** The range of time whose ids are shown. */
  from: string;
  until: string;
  /** The scene of the story, counted from 1; 0 for its beginning. */
  scene: number;
}

export const START: State = {
  part: "",
  text: "",
  encoding: "",
  column: "",
  layout: "",
  row: 0,
  id: "",
  from: "",
  until: "",
  scene: 0,
};

/** The present state. Only this file sets it, so that each change also updates the address. */
export const state = signal<State>(START);

/** Why the opened link cannot be read completely; empty if it can. */
export const linkProblem = signal("");

/** The largest number of characters of a text that is put into the address uncompressed. */
const PLAIN_MAX = 2000;
/** A text of more characters is not compressed, because it would not fit into an address. */
const ZIPPED_MAX = 100_000;
/** The most characters of an address. Chats, mail programs and servers cut longer ones. */
export const ADDRESS_MAX = 8000;

/** Returns the part that a fragment such as `design&layout=twitter` names; empty without one. */
export function partOf(fragment: string): Part | "" {
  const [name] = fragment.split("&", 1);
  return PARTS.find((part) => part === name) ?? "";
}

/** Reads a fragment without its `#`. `problem` says what is wrong with it. */
async function readFragment(fragment: string): Promise<{ state: State; problem: string }> {
  const part = partOf(fragment);
  const rest = part === "" ? fragment : fragment.slice(part.length + 1);
  if (!/^[a-z]+=/.test(rest)) {
    return { state: { ...START, part, text: rest === "" ? EXAMPLE : decoded(rest) }, problem: "" };
  }
  const parameters = new URLSearchParams(rest);
  const given = (name: keyof State | "zip") => parameters.get(name) ?? "";
  let problem = "";
  let text = parameters.get("text") ?? (part === "" ? "" : EXAMPLE);
  if (parameters.has("zip")) {
    text = (await inflated(given("zip"))) ?? "";
    if (text === "") problem = "this link was cut short, so its ids are lost: copy it again whole";
  }
  let id = given("id");
  if (id !== "" && !parameters.has("text") && !parameters.has("zip")) {
    text = id;
    id = "";
  } else if (id !== "" && !isId(id)) {
    problem = `the link's id "${id}" is no id: give a decimal number up to 2^64 - 1`;
    id = "";
  }
  const state = {
    part,
    text,
    id,
    encoding: given("encoding"),
    column: given("column"),
    layout: given("layout"),
    row: whole(given("row")),
    from: given("from"),
    until: given("until"),
    scene: whole(given("scene")),
  };
  return { state, problem };
}

/** Returns what {@link writeFragment} does, or `undefined` if the text has to be compressed. */
export function plainFragment(state: State): string | undefined {
  return state.text.length > PLAIN_MAX ? undefined : fragmentOf(state);
}

/** Returns the fragment that opens a state again, or `undefined` if it is too long to send. */
export async function writeFragment(state: State): Promise<string | undefined> {
  const plain = plainFragment(state);
  if (plain !== undefined || state.text.length > ZIPPED_MAX) return plain;
  const fragment = fragmentOf(state, { zip: await deflated(state.text) });
  return fragment.length > ADDRESS_MAX ? undefined : fragment;
}

function fragmentOf({ part, text, ...rest }: State, written: Record<string, string> = { text }) {
  const chosen = Object.entries(rest).filter(([, value]) => value !== "" && value !== 0);
  const isPlain = part === "" && chosen.length === 0 && partOf(text) === "";
  if (isPlain && text === EXAMPLE) return "";
  if (isPlain && /^[\w-]+$/.test(text)) return text;
  const parameters = new URLSearchParams(text === EXAMPLE && part !== "" ? {} : written);
  for (const [name, value] of chosen) parameters.set(name, String(value));
  return [part, parameters.toString()].filter((one) => one !== "").join("&");
}

function decoded(fragment: string) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function whole(text: string) {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

async function deflated(text: string) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns `undefined` if the compressed text was cut short. */
async function inflated(zip: string) {
  try {
    const binary = atob(zip.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (byte) => byte.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await new Response(stream).text();
  } catch {
    return undefined;
  }
}

/** The pause before the address is updated. Chromium allows only 200 updates in 30 s. */
const ADDRESS_PAUSE_MS = 300;
/** A change of one of these values makes a new history entry. */
const KEPT = ["part", "text", "encoding", "column", "layout", "id", "scene"] as const;

/** Identifies this load of the page. Entries of an earlier load are restored from their address. */
const load = performance.timeOrigin;
/** The states of this load, by the step number in the history entry. */
const states: State[] = [];
let step = 0;
/** The input in which the newest entry was typed. */
let gesture: EventTarget | null = null;
/** The input whose event is being handled. */
let typing: EventTarget | null = null;
let addressTimer: ReturnType<typeof setTimeout> | undefined;

/** True if the address leaves the text out, because the text is too long. */
export const isAddressPartial = signal(false);

/** Opens the page's address, and follows the history from then on. */
export async function followHistory(): Promise<void> {
  addEventListener("input", ({ target }) => (typing = target), { capture: true });
  addEventListener("input", () => (typing = null));
  // After the visitor leaves the input or presses Enter, typing makes a new history entry.
  addEventListener("change", () => (gesture = null));
  addEventListener("popstate", (event) => {
    gesture = null;
    clearTimeout(addressTimer);
    const known = event.state?.load === load ? states[event.state.step] : undefined;
    if (known === undefined) return void openAddress();
    step = event.state.step;
    state.value = known;
  });
  const asked = new URLSearchParams(location.search).get("id");
  if (asked !== null && location.hash === "") {
    history.replaceState(null, "", `${location.pathname}#id=${encodeURIComponent(asked)}`);
  }
  await openAddress();
}

/** Changes the state. Typing in one input makes one entry of the history. */
export function change(changes: Partial<State>): void {
  const before = state.value;
  const next = { ...before, ...changes };
  linkProblem.value = "";
  const isKept = KEPT.some((name) => next[name] !== before[name]);
  let fragment: string | undefined;
  if (isKept && (typing === null || typing !== gesture)) {
    gesture = typing;
    step += 1;
    states.length = step;
    fragment = plainFragment(next);
    history.pushState({ load, step }, "", fragment === undefined ? null : addressOf(fragment));
    isAddressPartial.value = false;
  }
  states[step] = next;
  state.value = next;
  clearTimeout(addressTimer);
  if (fragment === undefined) addressTimer = setTimeout(writeAddress, ADDRESS_PAUSE_MS);
}

async function openAddress() {
  const fragment = location.hash.slice(1);
  const part = partOf(fragment);
  const isFirst = states.length === 0;
  // A link to a part keeps the pasted text.
  const keepsText = !isFirst && fragment === part && part !== "";
  const { state: opened, problem } = keepsText
    ? { state: { ...state.value, part }, problem: linkProblem.value }
    : await readFragment(fragment);
  linkProblem.value = problem;
  step = isFirst ? 0 : step + 1;
  states.splice(step, states.length, opened);
  history.replaceState({ load, step }, "");
  state.value = opened;
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
