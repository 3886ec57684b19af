// JavaScript and the WebAssembly module exchange values through the module's memory. Nothing here
// may be called before an entry file has loaded the module.

import type { InitOutput } from "../edgeflake.js";
import { EdgeflakeError } from "../error.js";
import type { ErrorCode } from "../names.js";

// These agree with wasm/ids/src/exchange.rs.
export const TEXT_MAX = 4096;
const NUMBERS_MAX = 64;
export const ROWS_MAX = 1024;
const COLUMNS = 4;

let encoder: Pick<TextEncoder, "encodeInto">;

let decoder: Pick<TextDecoder, "decode">;

/**
 * The exports of the module are called without the wrappers of `edgeflake.js`: a boolean is 0 or 1,
 * and an id is signed.
 */
export let wasm: InitOutput;

let views:
  | { text: Uint8Array; numbers: Float64Array; ids: BigUint64Array; columns: Float64Array }
  | undefined;

/**
 * Begins with a loaded module. If several entries load one, the first stays, because it may have
 * layouts already.
 */
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

/** Forgets the views, because a grown memory of the translated module leaves them as they were. */
export function forget() {
  views = undefined;
}

/** Returns views of the memory for use before the next call, which may grow it and detach them. */
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

/**
 * Writes a text, and returns its length in bytes. It cuts off the end of a text that is too long,
 * whose rest is no preset either.
 */
export function write(text: string) {
  return encoder.encodeInto(text, exchange().text).written;
}

export function read(length: number) {
  return decoder.decode(exchange().text.subarray(0, length));
}

/** Reads a text of `length` bytes as lines, each of which ends with a line feed. */
export function readLines(length: number) {
  return read(length).split("\n").slice(0, -1);
}

/** Reads the error that the module left when it refused; a zero byte ends it. */
export function refusal() {
  const { text, numbers } = exchange();
  const [code, message] = read(text.indexOf(0)).split("\n");
  const retryInMs = Number.isNaN(numbers[0]) ? undefined : numbers[0];
  return new EdgeflakeError(code as ErrorCode, message, retryInMs);
}
