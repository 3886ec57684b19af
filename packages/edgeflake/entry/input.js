// The ids that the command line is given: arguments, or the lines of standard input.

import { EdgeflakeError } from "../lib/error.js";
import { exchange, TEXT_MAX, wasm } from "../lib/exchange.js";
import { encode, parse } from "../lib/text.js";

/**
 * @import { Encoding } from "edgeflake"
 *
 * @typedef {(what: string, error: unknown) => void} Report hears of a text that is no id
 */

const LINE_FEED = 10;

/**
 * The ids of the arguments, or of the lines of a stream, as many at a time as there are. A text that
 * is no id is reported, and the rest goes on.
 *
 * @param {string[]} args
 * @param {AsyncIterable<Uint8Array>} stream
 * @param {Encoding} encoding
 * @param {Report} report
 */
export async function* idsOf(args, stream, encoding, report) {
  // A wrong option refuses everything, even of an empty input.
  encode(0n, encoding);
  if (args.length > 0) {
    yield idsOfArguments(args, encoding, report);
    return;
  }
  const lines = new LineReader(encoding, report);
  for await (const bytes of wholeLines(stream)) yield lines.ids(bytes);
}

/** @param {string[]} args @param {Encoding} encoding @param {Report} report */
function idsOfArguments(args, encoding, report) {
  const ids = args.flatMap((arg) => {
    const text = arg.trim();
    try {
      return [parse(text, encoding)];
    } catch (error) {
      report(text, refusal(error));
      return [];
    }
  });
  return BigUint64Array.from(ids);
}

/** The bytes of a stream, cut after line feeds. @param {AsyncIterable<Uint8Array>} stream */
async function* wholeLines(stream) {
  let rest = new Uint8Array();
  for await (const piece of stream) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    rest = bytes.slice(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (rest.length > 0) yield rest;
}

/** Reads ids from lines, which it counts. */
class LineReader {
  #encoding;
  #report;
  #line = 1;
  #decoder = new TextDecoder();

  /** @param {Encoding} encoding @param {Report} report */
  constructor(encoding, report) {
    this.#encoding = encoding;
    this.#report = report;
  }

  /** The ids of whole lines. @param {Uint8Array} bytes */
  ids(bytes) {
    // A digit and a line feed are the least.
    const ids = new BigUint64Array(bytes.length / 2 + 1);
    let count = 0;
    for (let at = 0; at < bytes.length; ) {
      if (this.#encoding === "decimal") {
        const { read, rows } = parseLines(bytes.subarray(at, at + TEXT_MAX), ids, count);
        this.#line += rows;
        count += rows;
        at += read;
        if (read > 0) continue;
      }
      const found = bytes.indexOf(LINE_FEED, at);
      const end = found < 0 ? bytes.length : found;
      const id = this.#id(this.#decoder.decode(bytes.subarray(at, end)).trim());
      if (id !== undefined) ids[count++] = id;
      at = end + 1;
    }
    return ids.slice(0, count);
  }

  /** The id of the next line, if there is one. @param {string} text */
  #id(text) {
    const line = this.#line++;
    if (text === "") return undefined;
    try {
      return parse(text, this.#encoding);
    } catch (error) {
      this.#report(`line ${line}`, refusal(error));
      return undefined;
    }
  }
}

/**
 * Puts the ids of the first lines into `ids` from `count` on, as far as each line is nothing but
 * digits. Says how many there are, and how many bytes they have.
 *
 * @param {Uint8Array} bytes
 * @param {BigUint64Array} ids
 * @param {number} count
 */
function parseLines(bytes, ids, count) {
  exchange().text.set(bytes);
  const read = wasm.parseLines(bytes.length);
  const { ids: found, numbers } = exchange();
  const rows = numbers[0];
  ids.set(found.subarray(0, rows), count);
  return { read, rows };
}

/** @param {unknown} error */
function refusal(error) {
  if (error instanceof EdgeflakeError) return error;
  throw error;
}
