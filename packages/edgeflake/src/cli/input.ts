import { EdgeflakeError } from "../error.js";
import { exchange, TEXT_MAX, wasm } from "../module/exchange.js";
import type { Encoding } from "../names.js";
import { parse } from "../text/text.js";

type Report = (what: string, error: unknown) => void;

const LINE_FEED = 10;

/**
 * Yields the ids of the arguments, or of the lines of a stream, as they arrive. It reports a text
 * that is no id, and goes on.
 */
export async function* idsOf(
  args: string[],
  stream: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  report: Report,
): AsyncGenerator<BigUint64Array> {
  if (args.length > 0) {
    yield idsOfArguments(args, encoding, report);
    return;
  }
  const lines = new LineReader(encoding, report);
  for await (const bytes of wholeLines(stream)) yield lines.ids(bytes);
}

function idsOfArguments(args: string[], encoding: Encoding, report: Report) {
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

async function* wholeLines(stream: AsyncIterable<Uint8Array>) {
  let rest: Uint8Array = new Uint8Array();
  for await (const piece of stream) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    rest = bytes.slice(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (rest.length > 0) yield rest;
}

/** Reads ids from lines, and counts the lines. */
class LineReader {
  #encoding;
  #report;
  #line = 1;
  #decoder = new TextDecoder();

  constructor(encoding: Encoding, report: Report) {
    this.#encoding = encoding;
    this.#report = report;
  }

  /** Reads the ids of whole lines. */
  ids(bytes: Uint8Array) {
    // A line has at least a digit and a line feed.
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

  /** Reads the id of the next line, unless the line is empty or no id. */
  #id(text: string) {
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
 * Puts the ids of the first lines into `ids` from `count` on, as far as the lines have only digits.
 * Returns the numbers of these lines and of their bytes.
 */
function parseLines(bytes: Uint8Array, ids: BigUint64Array, count: number) {
  exchange().text.set(bytes);
  const read = wasm.parseLines(bytes.length);
  const { ids: found, numbers } = exchange();
  const rows = numbers[0];
  ids.set(found.subarray(0, rows), count);
  return { read, rows };
}

function refusal(error: unknown) {
  if (error instanceof EdgeflakeError) return error;
  throw error;
}
