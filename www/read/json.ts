// JSON and lines of JSON as columns, each named by the path of its keys. JSON.parse would round the
// numbers, and refuse lines of JSON.

import type { Cell } from "./cells.ts";

/** The beginning of JSON. */
const BEGIN = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:["{[\]]|-?\d[\d.eE+]*\s*[,\]]|$))/;
/** The beginning of a line of a log that has something in brackets, and then text. */
const BRACKETED = /^\s*\[[^\]\n"{]*\]\s*[^\s,\]]/;
const TOKEN =
  /"((?:[^"\\\n]|\\.){0,20000})"(\s*:)?|-?\d[\d.eE+-]{0,2000}|[{}[\]\n]|true|false|null/g;

/** Returns `undefined` for a text that is no JSON. */
export function jsonColumns(text: string, cellsMax: number, columnsMax: number) {
  if (!BEGIN.test(text) || BRACKETED.test(text)) return undefined;
  const columns = new Map<string, Cell[]>();
  /** The path of each object or array that is open, without the places in arrays. */
  const paths: string[] = [];
  let key = "";
  let line = 1;
  let count = 0;
  for (const [token, string, colon] of text.matchAll(TOKEN)) {
    const outer = paths.at(-1) ?? "";
    if (token === "\n") line += 1;
    else if (colon) {
      key = outer === "" ? (string ?? "") : `${outer}.${string}`;
      line += token.split("\n").length - 1;
    } else if (token === "{" || token === "[") paths.push(key || outer);
    else if (token === "}" || token === "]") {
      paths.pop();
      key = paths.at(-1) ?? "";
    } else if (string !== undefined || /^-?\d/.test(token)) {
      const cells = columns.get(key) ?? [];
      if (cells.length > 0 || columns.size < columnsMax) columns.set(key, cells);
      cells.push({ text: string ?? token, line });
      count += 1;
      if (count === cellsMax) break;
    }
  }
  return columns.size > 0 ? columns : undefined;
}
