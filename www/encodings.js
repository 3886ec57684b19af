// The encodings of ids, and the text that people and programs write around them.

import { encodings, format, identify, parse } from "edgeflake";
import { ungrouped } from "./grouped-digits.js";
import { idInAddress, isAddress, sourceOf } from "./links.js";

/** @import { Encoding } from "edgeflake" */
/** @import { Cell } from "./columns.js" */

/** They stand in the order in which the Worker tries them, too. */
export const ENCODINGS = encodings();

/** These texts show their own encoding. However, `0b12` may be hex. */
const HEX = /^0x/i;
const BINARY = /^0b[01]+$/i;
/** This is a decimal number that is surely below 2^64. */
const DECIMAL = /^\d{1,19}$/;
/** The number of cells that suffice to find the encoding of the others. */
const SAMPLE = 60;
/** The most characters of a cell. An address with an id in it has fewer. */
export const CELL_MAX = 300;
/** Every link, mention or name of a known system has one of these. */
const SAYS_SOURCE = /[/<]|activity[-:]/i;
/** The most characters of a plain word. Ids of 2^42 or more have 8 digits in base36 and up. */
const WORD_MAX = 7;

/**
 * Returns the encodings in which the cells may be written, the likeliest first.
 *
 * @param {Cell[]} cells
 * @returns {Encoding[]}
 */
export function likeliestEncodings(cells) {
  /** @type {Map<Encoding, number>} */
  const votes = new Map();
  for (const { text } of sample(cells)) {
    const own = sourceOf(text)?.encoding;
    if (own) return [own];
    encodingsOf(bare(text)).forEach((encoding, i) => {
      votes.set(encoding, (votes.get(encoding) ?? 0) + 1 + 1 / (i + 1));
    });
  }
  return [...votes].sort(([, a], [, b]) => b - a).map(([encoding]) => encoding);
}

/**
 * @template T
 * @param {T[]} all
 */
export function sample(all) {
  const step = Math.max(1, Math.floor(all.length / SAMPLE));
  return all.filter((_, i) => i % step === 0);
}

/**
 * Returns the encodings that can read a text. Those that would print exactly this text come first,
 * and of these, those whose date some system could have made.
 *
 * @param {string} text
 * @returns {Encoding[]}
 */
function encodingsOf(text) {
  if (HEX.test(text)) return reads(text.slice(2), "hex") === undefined ? [] : ["hex"];
  if (BINARY.test(text)) return reads(text.slice(2), "binary") === undefined ? [] : ["binary"];
  if (isWord(text)) return [];
  const readable = ENCODINGS.filter((encoding) => reads(text, encoding) !== undefined);
  if (readable[0] === "decimal") return readable;
  const scored = readable.map((encoding, i) => {
    const id = parse(text, encoding);
    const exact = format(id, encoding) === text;
    const dated = identify(id)[0]?.reasons.startsWith("date plausible");
    return { encoding, score: (exact ? 200 : 0) + (dated ? 100 : 0) - i };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ encoding }) => encoding);
}

/** @param {string} text */
export function isReadable(text) {
  if (HEX.test(text) || BINARY.test(text)) return encodingsOf(text).length > 0;
  return !isWord(text) && ENCODINGS.some((encoding) => reads(text, encoding) !== undefined);
}

/** @param {string} text */
function isWord(text) {
  return text.length <= WORD_MAX && !/^-?\d+$/.test(text);
}

/**
 * @param {string} text
 * @param {Encoding} encoding
 */
export function reads(text, encoding) {
  try {
    return parse(text, encoding);
  } catch {
    return undefined;
  }
}

/**
 * Returns the encoding of a cell, which the cell may show itself.
 *
 * @param {string} cell
 * @param {Encoding} encoding encoding of the cells that do not show it
 * @returns {Encoding}
 */
export function encodingOf(cell, encoding) {
  // This avoids the slower search of the text around an id, for 100,000 cells.
  if (encoding === "decimal" && DECIMAL.test(cell)) return encoding;
  const text = bare(cell);
  if (HEX.test(text)) return "hex";
  if (BINARY.test(text)) return "binary";
  return /^-\d+$/.test(text) ? "signed-decimal" : encoding;
}

/**
 * @param {string} cell
 * @param {Encoding} encoding encoding of this cell
 */
export function idOf(cell, encoding) {
  if (encoding === "decimal" && DECIMAL.test(cell)) return BigInt(cell);
  const text = bare(cell);
  if (text === "") throw new RangeError("there is no id in it");
  if (/^\d+(\.\d+)?e\+?\d+$/i.test(text)) {
    throw new RangeError(`${text} was rounded: its last digits are lost, so copy the id as text`);
  }
  const says = encoding === "hex" ? HEX : encoding === "binary" ? BINARY : undefined;
  return parse(says?.test(text) ? text.slice(2) : text, encoding);
}

/**
 * Returns a cell without the text that people and programs write around an id.
 *
 * @param {string} cell
 */
export function bare(cell) {
  if (cell.length > CELL_MAX) return cell;
  if (SAYS_SOURCE.test(cell)) {
    const whole = cell.replace(/^[\s"'`(]+|[\s"'`,;.)]+$/g, "");
    const id = sourceOf(whole)?.id;
    if (id !== undefined) return id;
    if (isAddress(whole)) return idInAddress(whole);
  }
  let text = cell.replace(/^[\s"'`<>()[\]{},;@!#&]+|[\s"'`<>()[\]{},;!.]+$/g, "");
  // This is the text around the id in `ObjectId("...")`.
  text = text.replace(/^(?:new )?[A-Za-z]+\(["']?/, "");
  // This is the text before the id in `id: 1`, `user=1`, `<:name:1>` and `ord_1ptWyK4WgZU`.
  text = ungrouped(text.replace(/^[\w .:@#-]*[:=#]\s*/, "").replace(/^["']|["']$/g, ""));
  const named = /^[a-z]+_(\d+|[0-9A-Za-z]{10,})$/i.exec(text);
  if (named && text.length !== 11) text = named[1];
  return /^\d+n$/.test(text) ? text.slice(0, -1) : text;
}

/**
 * Returns whether a text could be an id, from its characters alone, because parsing each of 100,000
 * words would take seconds.
 *
 * @param {string} cell
 * @param {Encoding} encoding
 */
export function couldBe(cell, encoding) {
  if (cell.length > CELL_MAX || !/\d/.test(cell)) return false;
  const text = bare(cell);
  if (HEX.test(text) || BINARY.test(text)) return true;
  if (encoding === "decimal" || encoding === "signed-decimal") return /^-?\d{1,20}$/.test(text);
  return /^-?[\w-]{1,64}$/.test(text) && !isWord(text);
}
