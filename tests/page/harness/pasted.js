// Reads the rows of pasted.txt and read.txt. The files describe their format.

import { readFileSync } from "node:fs";

/**
 * @typedef {object} Row
 * @property {string} text the pasted text
 * @property {string} source the source of the answer
 * @property {string} says the preset whose id this is, or the title of a kind
 * @property {string} [id] in decimal; an id of another kind has none
 * @property {string} [date] missing for an id without a time
 * @property {string} [how] the page's words for how it read the text
 * @property {string} [numbers] the kind of things that have such ids
 */

/** @param {string} file */
function linesOf(file) {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

/** @type {Row[]} */
export const PASTED = [];
/** @type {Omit<Row, "text">} */
let answer = { says: "", source: "" };
for (const line of linesOf("pasted.txt")) {
  const parts = line.trim().split(" | ");
  if (line.startsWith("  ")) {
    const text = parts[0].replaceAll("\\n", "\n").replaceAll("\\u202f", "\u202f");
    const [, how, numbers] = parts;
    PASTED.push({ ...answer, text, ...(how && { how }), ...(numbers && { numbers }) });
    continue;
  }
  const [says, text] = parts;
  const [source, date] = parts.slice(2).reverse();
  answer = { says, source, ...(date && { date }), ...(/^\d+$/.test(text) && { id: text }) };
  PASTED.push({ ...answer, text });
}

/** @param {string} text in which escapes stand for characters @returns {string} */
const unescaped = (text) => JSON.parse(`"${text.replaceAll('"', '\\"')}"`);

/** The rows of read.txt by their kind. @type {Record<string, string[][]>} */
export const READ = {};
for (const line of linesOf("read.txt")) {
  const [kind, text, ...rest] = line.split(" :: ");
  READ[kind] ??= [];
  READ[kind].push([unescaped(text), ...rest]);
}
