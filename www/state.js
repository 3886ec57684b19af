// The state of the page, all of it in the address's fragment. So the address opens the same page
// again, and a browser does not send it.

/** The parts of the page. An address can name each of them. */
export const PARTS = /** @type {const} */ (["decode", "many", "design", "live", "clock"]);

/** @typedef {typeof PARTS[number]} Part */

/**
 * @typedef {object} State
 * @property {Part | ""} part the shown part; empty for the one that suits the paste
 * @property {string} text the pasted text
 * @property {string} encoding encoding of its ids; empty for the likeliest one
 * @property {string} column the column of its ids; empty for the likeliest one
 * @property {string} layout a preset's name or a layout string; empty for the likeliest preset
 * @property {string} pinned the layout that the chosen one is compared with; empty for none
 * @property {number} row the row of the shown id
 * @property {string} id the edited id, in decimal; empty for that of the row
 * @property {number} other the row that it is compared with
 * @property {string} from beginning of the range
 * @property {string} until end of the range
 * @property {string} node node of the range
 */

/**
 * The text in the page at first, which the address of a part leaves out. It is a link and not the
 * id alone, because Discord's years began 4.15 years later than Twitter's, so a tweet's id is a
 * possible Discord id, too, once it is 4.15 years old.
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

/** The most characters of a text that is not compressed. */
const PLAIN_MAX = 2000;
/** The most characters of an address. Chromium takes addresses of up to 2 MB. */
const LINK_MAX = 1_900_000;

/**
 * Returns the part that a fragment names, such as `design` of `design&layout=twitter`; empty if it
 * names none.
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
 * Returns the fragment that opens a state again, or `undefined` if its text is so long that only
 * {@link writeFragment} writes it.
 *
 * @param {State} state
 */
export function plainFragment(state) {
  return state.text.length > PLAIN_MAX ? undefined : fragmentOf(state, { text: state.text });
}

/**
 * Returns the fragment that opens a state again, or `undefined` if it is too long for an address.
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
    // A link that was cut short has no readable text.
    return "";
  }
}
