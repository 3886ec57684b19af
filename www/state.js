// What the page shows, all of it in the address's fragment: it opens the same page again, and a
// browser does not send it.

/** The parts of the page, each of which an address names. */
export const PARTS = /** @type {const} */ (["decode", "many", "design", "live", "clock"]);

/** @typedef {typeof PARTS[number]} Part */

/**
 * @typedef {object} State
 * @property {Part | ""} part that is shown; empty for the one that suits what was pasted
 * @property {string} text what was pasted
 * @property {string} encoding how its ids are written; empty for the likeliest encoding
 * @property {string} column which of its columns are the ids; empty for the likeliest one
 * @property {string} layout a preset's name or a layout string; empty for the likeliest preset
 * @property {string} pinned the layout that the chosen one is compared with; empty for none
 * @property {number} row which of its ids is taken apart
 * @property {string} id the id instead of that of the row, in decimal, once it was edited
 * @property {number} other the row that it is compared with
 * @property {string} from the range's begin
 * @property {string} until the range's end
 * @property {string} node the range's node
 */

/**
 * What stands in the page at first, which the address of a part leaves out. The id of a tweet alone is
 * one of Discord's as well as soon as Discord's years, which began 4.15 later, have come to it.
 */
export const EXAMPLE = "https://x.com/i/status/1593572310593806338";

/** @type {State} */
export const START = {
  part: "",
  text: "",
  encoding: "",
  column: "",
  layout: "",
  pinned: "",
  row: 0,
  id: "",
  other: 0,
  from: "",
  until: "",
  node: "",
};

/** In characters: longer texts are compressed. */
const PLAIN_MAX = 2000;
/** In characters: Chromium takes addresses of up to 2 MB. */
const LINK_MAX = 1_900_000;

/**
 * The part that a fragment names, such as `design` of `design&layout=twitter`; empty if it names none.
 *
 * @param {string} fragment without the `#`
 */
export function partOf(fragment) {
  const [name] = fragment.split("&", 1);
  return PARTS.find((part) => part === name) ?? "";
}

/**
 * @param {string} fragment without the `#`
 * @returns {Promise<State>}
 */
export async function readFragment(fragment) {
  const part = partOf(fragment);
  const rest = part === "" ? fragment : fragment.slice(part.length + 1);
  if (!/^[a-z]+=/.test(rest)) return { ...START, part, text: decoded(rest) };
  const parameters = new URLSearchParams(rest);
  /** @param {keyof State} name */
  const text = (name) => parameters.get(name) ?? "";
  const zip = parameters.get("zip");
  return {
    part,
    text: zip === null ? (parameters.get("text") ?? missingText(part)) : await inflated(zip),
    encoding: text("encoding"),
    column: text("column"),
    layout: text("layout"),
    pinned: text("pinned"),
    row: whole(text("row")),
    id: text("id"),
    other: whole(text("other")),
    from: text("from"),
    until: text("until"),
    node: text("node"),
  };
}

/** @param {State["part"]} part */
function missingText(part) {
  return part === "" ? "" : EXAMPLE;
}

/**
 * The fragment that opens a state again, or `undefined` if its text is so long that only
 * {@link writeFragment} writes it.
 *
 * @param {State} state
 */
export function plainFragment(state) {
  return state.text.length > PLAIN_MAX ? undefined : fragmentOf(state, { text: state.text });
}

/**
 * The fragment that opens a state again, or `undefined` if it is too long for an address.
 *
 * @param {State} state
 */
export async function writeFragment(state) {
  const plain = plainFragment(state);
  if (plain !== undefined) return plain;
  const fragment = fragmentOf(state, { zip: await deflated(state.text) });
  return fragment.length > LINK_MAX ? undefined : fragment;
}

/**
 * @param {State} state
 * @param {{ text: string } | { zip: string }} written its text
 */
function fragmentOf({ part, text, ...rest }, written) {
  const chosen = Object.entries(rest).filter(([, value]) => value !== "" && value !== 0);
  if (part === "" && chosen.length === 0 && /^[\w-]*$/.test(text) && partOf(text) === "")
    return text;
  const parameters = new URLSearchParams(text === missingText(part) && part !== "" ? {} : written);
  for (const [name, value] of chosen) parameters.set(name, String(value));
  return [part, parameters.toString()].filter((one) => one !== "").join("&");
}

/** @param {string} fragment */
function decoded(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** @param {string} text */
function whole(text) {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** @param {string} text */
async function deflated(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} zip */
async function inflated(zip) {
  try {
    const binary = atob(zip.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (byte) => byte.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await new Response(stream).text();
  } catch {
    // Of a link that was cut short, nothing is left to show.
    return "";
  }
}
