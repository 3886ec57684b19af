// The state as the fragment of an address, which a browser does not send.

import { EXAMPLE, PARTS, type Part, START, type State } from "./state.ts";

/** The most characters of a text that is not compressed. */
const PLAIN_MAX = 2000;
/** The most characters of a text that is compressed. A longer one would not fit in an address. */
const ZIPPED_MAX = 100_000;
/** The most characters of an address, because chats, mail programs and servers cut longer ones. */
export const ADDRESS_MAX = 8000;

/**
 * Returns the part that a fragment names, such as `design` of `design&layout=twitter`; empty if it
 * names none.
 */
export function partOf(fragment: string): Part | "" {
  const [name] = fragment.split("&", 1);
  return PARTS.find((part) => part === name) ?? "";
}

/** Reads a fragment without its `#`. `problem` says what is wrong with it. */
export async function readFragment(fragment: string): Promise<{ state: State; problem: string }> {
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
    problem = `the link's id "${id}" is no id: decimal numbers up to 2^64 - 1 are allowed`;
    id = "";
  }
  const state = {
    part,
    text,
    id,
    encoding: given("encoding"),
    column: given("column"),
    layout: given("layout"),
    pinned: given("pinned"),
    row: whole(given("row")),
    from: given("from"),
    until: given("until"),
    node: given("node"),
    scene: whole(given("scene")),
  };
  return { state, problem };
}

/**
 * Returns the fragment that opens a state again, or `undefined` if only {@link writeFragment} can
 * write it, because its text is long.
 */
export function plainFragment(state: State): string | undefined {
  return state.text.length > PLAIN_MAX ? undefined : fragmentOf(state, { text: state.text });
}

/** Returns the fragment that opens a state again, or `undefined` if it is too long to send. */
export async function writeFragment(state: State): Promise<string | undefined> {
  const plain = plainFragment(state);
  if (plain !== undefined || state.text.length > ZIPPED_MAX) return plain;
  const fragment = fragmentOf(state, { zip: await deflated(state.text) });
  return fragment.length > ADDRESS_MAX ? undefined : fragment;
}

function fragmentOf(
  { part, text, ...rest }: State,
  written: { text: string } | { zip: string },
): string {
  const chosen = Object.entries(rest).filter(([, value]) => value !== "" && value !== 0);
  const isPlain = part === "" && chosen.length === 0 && partOf(text) === "";
  if (isPlain && text === EXAMPLE) return "";
  if (isPlain && /^[\w-]+$/.test(text)) return text;
  const parameters = new URLSearchParams(text === EXAMPLE && part !== "" ? {} : written);
  for (const [name, value] of chosen) parameters.set(name, String(value));
  return [part, parameters.toString()].filter((one) => one !== "").join("&");
}

/** Returns whether a text is an id in decimal. */
export function isId(text: string): boolean {
  return /^\d{1,20}$/.test(text) && BigInt.asUintN(64, BigInt(text)) === BigInt(text);
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
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns `undefined` for a text that was cut short. */
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
