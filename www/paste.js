// What was pasted, read as ids or dates, with a word on how.

import { encode, identify, parse } from "edgeflake";
import { CELLS_MAX, columnsOf, unquoted } from "./columns.js";
import { count, dateOf } from "./time.js";

/** @import { Form } from "edgeflake" */
/** @import { Cell } from "./columns.js" */

/** @typedef {Cell & { message: string }} Refused what is neither id nor date, and why */

/**
 * @typedef {object} Reading
 * @property {string} how a sentence on how the text was read
 * @property {(bigint | Date)[]} found ids, and dates that are yet to become ids
 * @property {number[]} lines where each of them stands, from 1 on
 * @property {Refused[]} refused the first of the rest
 * @property {number} refusedCount
 * @property {Form | ""} form of the ids; empty for dates alone
 * @property {Form[]} otherForms that could be meant as well
 * @property {string} preset of the system whose links or mentions these are; else empty
 * @property {string} column that was read
 * @property {string[]} columns all there are
 */

/** In the order in which the Worker tries them too. */
export const FORMS = /** @type {const} @satisfies {Form[]} */ ([
  "decimal",
  "signed-decimal",
  "hex",
  "binary",
  "base32",
  "z-base-32",
  "base36",
  "base58",
  "base58-flickr",
  "base62",
  "base64url",
]);

/** Beside the forms of ids. */
const DATES = "dates";
/** What says its form itself; `0b12` may be hex. */
const HEX = /^0x/i;
const BINARY = /^0b[01]+$/i;
/** What is below 2^64 without a look. */
const DECIMAL = /^\d{1,19}$/;
/** What only one system writes around its ids. */
const SOURCES = [
  { pattern: /\b(x|twitter)\.com\//, preset: "twitter", name: "a link to Twitter" },
  { pattern: /\bdiscord(app)?\.com\//, preset: "discord", name: "a link to Discord" },
  { pattern: /^<(@[!&]?|#|a?:\w+:)\d+>$/, preset: "discord", name: "a mention of Discord" },
  { pattern: /\binstagram\.com\//, preset: "instagram", name: "a link to Instagram" },
  { pattern: /\blinkedin\.com\//, preset: "linkedin", name: "a link to LinkedIn" },
];
/** How many cells tell how the others are written. */
const SAMPLE = 60;
/** How many refused cells are shown. */
const REFUSED_MAX = 100;
/** In characters: an address with an id in it has fewer. */
const CELL_MAX = 300;
/** In characters: a shorter word is a word. Ids of 2^42 or more have 8 digits in base36 and up. */
const WORD_MAX = 7;

/**
 * @param {string} text
 * @param {string} wantedForm empty for the likeliest
 * @param {string} wantedColumn empty for the likeliest
 * @returns {Reading}
 */
export function readPaste(text, wantedForm, wantedColumn) {
  const { kind, columns } = columnsOf(text);
  const names = [...columns.keys()];
  const column = columns.has(wantedColumn) ? wantedColumn : likeliestColumn(columns);
  const cells = columns.get(column) ?? [];
  const forms = likeliestForms(cells);
  const form = FORMS.find((one) => one === wantedForm) ?? forms[0] ?? "decimal";

  /** @type {Reading} */
  const reading = {
    how: "",
    found: [],
    lines: [],
    refused: [],
    refusedCount: 0,
    form: "",
    otherForms: [],
    preset: "",
    column,
    columns: names,
  };
  /** @type {Map<string, number>} how many are in each form, and how many are dates */
  const kinds = new Map();
  for (const cell of cells) {
    // A refusal with a reason takes long, and is not shown.
    if (reading.refusedCount >= REFUSED_MAX && !couldBeRead(cell.text)) {
      reading.refusedCount += 1;
      continue;
    }
    const date = /^\d+$/.test(cell.text) ? undefined : dateOfCell(cell.text);
    try {
      const own = formOf(cell.text, form);
      reading.found.push(date === undefined ? idOf(cell.text, own) : new Date(date));
      reading.lines.push(cell.line);
      const kind = date === undefined ? own : DATES;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    } catch (error) {
      reading.refusedCount += 1;
      if (reading.refused.length < REFUSED_MAX && error instanceof Error) {
        reading.refused.push({ ...cell, message: error.message });
      }
    }
  }
  if (reading.refusedCount > 0 || [...kinds.keys()].some((one) => one !== DATES)) {
    reading.form = form;
    const first = bare((cells.find(({ text: cell }) => isReadable(bare(cell))) ?? cells[0]).text);
    const same = reads(first, form);
    reading.otherForms = forms.filter((one) => one !== form && reads(first, one) !== same);
  }
  const source = SOURCES.find(({ pattern }) => pattern.test(cells[0]?.text));
  reading.preset = source?.preset ?? "";
  reading.how = sentence(kinds, kind, column, source?.name);
  if (reading.how && cells.length === CELLS_MAX) {
    reading.how += `; only the first ${count(CELLS_MAX)} are read`;
  }
  return reading;
}

/** @param {string} cell */
function dateOfCell(cell) {
  return cell.length > CELL_MAX ? undefined : dateOf(unquoted(cell));
}

/** @param {string} cell */
function couldBeRead(cell) {
  if (cell.length > CELL_MAX) return false;
  return /\d/.test(cell) && (/^\W*[\w-]+\W*$/.test(cell) || /[:=#/]/.test(cell));
}

/**
 * @param {Map<string, number>} kinds
 * @param {string} kind of the whole text
 * @param {string} column
 * @param {string} [source]
 */
function sentence(kinds, kind, column, source) {
  const of = [...kinds].map(([one, many]) => {
    if (one === DATES) return many === 1 ? "one date" : `${count(many)} dates`;
    return many === 1 ? `one id in ${one}` : `${count(many)} ids in ${one}`;
  });
  if (of.length === 0) return "";
  const table = kind === "text" ? [] : [`${kind}${column && ` (${column})`}`];
  const where = [...table, ...(source ? [source] : [])].map((one) => `, from ${one}`).join("");
  const first = kinds.has(DATES) ? ": the smallest id of that moment" : "";
  return `Read as ${of.join(" and ")}${where}${first}`;
}

/**
 * The column that has the most of what could be ids, long ones before short ones.
 *
 * @param {Map<string, Cell[]>} columns
 */
function likeliestColumn(columns) {
  let best = "";
  let bestScore = -1;
  for (const [name, cells] of columns) {
    const lengths = sample(cells).map(({ text }) => (isReadable(bare(text)) ? text.length : 0));
    const score =
      (lengths.reduce((sum, length) => sum + Math.min(length, 20) ** 2, 0) /
        (lengths.length || 1)) *
      (/\bid\b|_id|Id$/i.test(name) ? 1.2 : 1);
    if (score > bestScore) [best, bestScore] = [name, score];
  }
  return best;
}

/**
 * The forms that the cells may be written in, the likeliest first.
 *
 * @param {Cell[]} cells
 * @returns {Form[]}
 */
function likeliestForms(cells) {
  /** @type {Map<Form, number>} */
  const votes = new Map();
  for (const { text } of sample(cells)) {
    if (/instagram\.com/.test(text)) return ["base64url"];
    formsOf(bare(text)).forEach((form, i) => {
      votes.set(form, (votes.get(form) ?? 0) + 1 + 1 / (i + 1));
    });
  }
  return [...votes].sort(([, a], [, b]) => b - a).map(([form]) => form);
}

/**
 * @template T
 * @param {T[]} all
 */
function sample(all) {
  const step = Math.max(1, Math.floor(all.length / SAMPLE));
  return all.filter((_, i) => i % step === 0);
}

/**
 * The forms that can read a text: first those that would print it just so, of these those whose date
 * some system could have made.
 *
 * @param {string} text
 * @returns {Form[]}
 */
export function formsOf(text) {
  if (HEX.test(text)) return reads(text.slice(2), "hex") === undefined ? [] : ["hex"];
  if (BINARY.test(text)) return reads(text.slice(2), "binary") === undefined ? [] : ["binary"];
  if (isWord(text)) return [];
  const readable = FORMS.filter((form) => reads(text, form) !== undefined);
  if (readable[0] === "decimal") return readable;
  const scored = readable.map((form, i) => {
    const id = parse(text, form);
    const exact = encode(id, form) === text;
    const dated = identify(id)[0]?.reasons.startsWith("date plausible");
    return { form, score: (exact ? 200 : 0) + (dated ? 100 : 0) - i };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ form }) => form);
}

/** @param {string} text */
function isReadable(text) {
  if (HEX.test(text) || BINARY.test(text)) return formsOf(text).length > 0;
  return !isWord(text) && FORMS.some((form) => reads(text, form) !== undefined);
}

/** @param {string} text */
function isWord(text) {
  return text.length <= WORD_MAX && !/^-?\d+$/.test(text);
}

/**
 * @param {string} text
 * @param {Form} form
 */
function reads(text, form) {
  try {
    return parse(text, form);
  } catch {
    return undefined;
  }
}

/**
 * The form of a cell that may say so itself.
 *
 * @param {string} cell
 * @param {Form} form of those that do not
 * @returns {Form}
 */
function formOf(cell, form) {
  // Without a look at what is around it, for 100,000 of them.
  if (form === "decimal" && DECIMAL.test(cell)) return form;
  const text = bare(cell);
  if (HEX.test(text)) return "hex";
  if (BINARY.test(text)) return "binary";
  return /^-\d+$/.test(text) ? "signed-decimal" : form;
}

/**
 * @param {string} cell
 * @param {Form} form its own
 */
export function idOf(cell, form) {
  if (form === "decimal" && DECIMAL.test(cell)) return BigInt(cell);
  const text = bare(cell);
  if (text === "") throw new RangeError("there is no id in it");
  if (/^\d+(\.\d+)?e\+?\d+$/i.test(text)) {
    throw new RangeError(`${text} was rounded: its last digits are lost, copy the id as text`);
  }
  const says = form === "hex" ? HEX : form === "binary" ? BINARY : undefined;
  return parse(says?.test(text) ? text.slice(2) : text, form);
}

/**
 * A cell without what people and programs write around an id.
 *
 * @param {string} cell
 */
export function bare(cell) {
  if (cell.length > CELL_MAX) return cell;
  let text = cell.replace(/^[\s"'`<>()[\]{},;@!#&]+|[\s"'`<>()[\]{},;!.]+$/g, "");
  if (/^https?:\/\//i.test(text)) {
    const parts = text
      .replace(/[?#].*/, "")
      .split("/")
      .slice(3)
      .filter(Boolean);
    return parts.findLast((part) => /^\d+$/.test(part)) ?? parts.at(-1) ?? "";
  }
  // As of `id: 1`, `user=1`, `<:name:1>`, `ord_1ptWyK4WgZU`.
  text = text.replace(/^[\w .:@#-]*[:=#]\s*/, "").replace(/^["']|["']$/g, "");
  const named = /^[a-z]+_(\d+|[0-9A-Za-z]{10,})$/i.exec(text);
  if (named && text.length !== 11) text = named[1];
  return /^\d+n$/.test(text) ? text.slice(0, -1) : text;
}
