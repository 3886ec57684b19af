// JavaScript and the WebAssembly module exchange values through the module's memory. An entry file
// must load the module and call `begin` before any other function here is called.

import type { InitOutput } from "../edgeflake.js";
import { EdgeflakeError } from "../error.js";
import type { ErrorCode } from "../names.js";

// These sizes must be the same as in wasm/ids/src/exchange.rs.
export const TEXT_MAX = 4096;
const NUMBERS_MAX = 64;
export const ROWS_MAX = 1024;
const COLUMNS = 4;

let encoder: Pick<TextEncoder, "encodeInto">;
let decoder: Pick<TextDecoder, "decode">;

/** The exports of the module. They return a boolean as 0 or 1, and an id as a signed bigint. */
export let wasm: InitOutput;

let views:
  | { text: Uint8Array; numbers: Float64Array; ids: BigUint64Array; columns: Float64Array }
  | undefined;

/** Sets the module. A module that is already set stays, because it may store layouts. */
export function begin(
  module: InitOutput,
  utf8Encoder: typeof encoder = new TextEncoder(),
  utf8Decoder: typeof decoder = new TextDecoder(),
) {
  if (wasm) return;
  wasm = module;
  encoder = utf8Encoder;
  decoder = utf8Decoder;
}

/** Drops the views: in the module translated to JavaScript, they go stale when memory grows. */
export function forget() {
  views = undefined;
}

/**
 * Returns views of the module's memory. Call this again after each call of the module: if the call
 * has enlarged the memory, the previous views are detached.
 */
export function exchange() {
  if (!views?.numbers.length) {
    const { buffer } = wasm.memory;
    views = {
      text: new Uint8Array(buffer, wasm.textAt(), TEXT_MAX),
      numbers: new Float64Array(buffer, wasm.numbersAt(), NUMBERS_MAX),
      ids: new BigUint64Array(buffer, wasm.idsAt(), ROWS_MAX),
      columns: new Float64Array(buffer, wasm.columnsAt(), COLUMNS * ROWS_MAX),
    };
  }
  return views;
}

/** Writes the first `TEXT_MAX` bytes of a text to the module's memory; returns their number. */
export function writeText(text: string) {
  return encoder.encodeInto(text, exchange().text).written;
}

export function readText(length: number) {
  return decoder.decode(exchange().text.subarray(0, length));
}

/** Reads a text of `length` bytes as lines, each of which ends with a line feed. */
export function readLines(length: number) {
  return readText(length).split("\n").slice(0, -1);
}

/** Reads the error that the module has written to its memory, up to a zero byte. */
export function refusal() {
  const { text, numbers } = exchange();
  const [code, message] = readText(text.indexOf(0)).split("\n");
  const retryInMs = Number.isNaN(numbers[0]) ? undefined : numbers[0];
  return new EdgeflakeError(code as ErrorCode, message, retryInMs);
}
