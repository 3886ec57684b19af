import type { Encoding } from "../names.js";
import { codecOf, fault, read } from "../text/codec.js";
import { linesOf, readable } from "../text/rows.js";

/**
 * Yields the ids of the arguments or, without arguments, the ids of a stream's lines as they
 * arrive. Calls `report` for each text that is not an id, and goes on with the next text.
 */
export async function* idsOf(
  args: string[],
  stream: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  report: (what: string, error: unknown) => void,
): AsyncGenerator<BigUint64Array> {
  const codec = codecOf(encoding);
  if (args.length > 0) {
    const ids = args.flatMap((arg) => {
      const text = arg.trim();
      const id = read(text, codec);
      if (id === undefined) report(text, fault(text, codec));
      return id ?? [];
    });
    yield BigUint64Array.from(ids);
    return;
  }
  let number = 1;
  for await (const text of wholeLines(stream)) {
    const rows = linesOf(text, codec);
    const lines = rows.unread.length > 0 ? text.split("\n") : [];
    for (const row of rows.unread) {
      const line = lines[row].trim();
      if (line !== "") report(`line ${number + row}`, fault(line, codec));
    }
    number += rows.ids.length;
    yield readable(rows);
  }
}

/** Yields the non-empty lines of a stream as they arrive. */
export async function* linesIn(stream: AsyncIterable<Uint8Array>) {
  for await (const text of wholeLines(stream)) {
    for (const line of text.split("\n")) if (line.trim() !== "") yield line;
  }
}

async function* wholeLines(stream: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of stream) {
    const text = rest + decoder.decode(piece, { stream: true });
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    if (end > 0) yield text.slice(0, end);
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
