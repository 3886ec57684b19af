// The memory that this side and the WebAssembly module read and write in place. Nothing here may be
// called before an entry file has loaded the module.

import { EdgeflakeError } from "./error.js";

/**
 * @import { ErrorCode } from "edgeflake"
 * @import { InitOutput } from "../dist/edgeflake.js"
 */

// These agree with src/exchange.rs.
export const TEXT_MAX = 4096;
const NUMBERS_MAX = 64;
export const ROWS_MAX = 1024;
const COLUMNS = 4;

/** The binary encoding is the longest. */
const ID_TEXT_MAX = 64;

/** @type {Pick<TextEncoder, "encodeInto">} */
let encoder;

/** @type {Pick<TextDecoder, "decode">} */
let decoder;

/**
 * What the module exports, called without the wrappers of `dist/edgeflake.js`: a boolean is 0 or 1,
 * and an id is signed.
 *
 * @type {InitOutput}
 */
export let wasm;

/**
 * @type {{ text: Uint8Array, numbers: Float64Array, ids: BigUint64Array, columns: Float64Array } |
 *   undefined}
 */
let views;

/**
 * Begins with a module that is loaded. When several entries are, it is that of the first one, which
 * may have layouts already.
 *
 * @param {InitOutput} module
 * @param {typeof encoder} [utf8Encoder]
 * @param {typeof decoder} [utf8Decoder]
 */
export function begin(module, utf8Encoder = new TextEncoder(), utf8Decoder = new TextDecoder()) {
  if (wasm) return;
  wasm = module;
  encoder = utf8Encoder;
  decoder = utf8Decoder;
}

/** Forgets the views, for a memory that grows and leaves them as they were. */
export function forget() {
  views = undefined;
}

/** Views of the memory, until the next call: they die when the memory grows. */
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
 * Writes a text, and says its length in bytes. Of one that is too long the end is left out, which
 * makes no id, encoding or preset of it.
 *
 * @param {string} text
 */
export function write(text) {
  const { text: bytes } = exchange();
  if (text.length > ID_TEXT_MAX) return encoder.encodeInto(text, bytes).written;
  // The encoder takes longer to begin than most ids are long.
  let codes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    bytes[i] = code;
    codes |= code;
  }
  return codes < 128 ? text.length : encoder.encodeInto(text, bytes).written;
}

/**
 * The text of this length in bytes.
 *
 * @param {number} length
 */
export function read(length) {
  return decoder.decode(exchange().text.subarray(0, length));
}

/**
 * The same for ASCII, and faster up to 20 characters: the decoder takes longer to begin than most
 * ids are long.
 *
 * @param {number} length
 */
export function readId(length) {
  if (length > 20) return read(length);
  const { text: t } = exchange();
  // biome-ignore format: twenty lines would say no more
  const all = String.fromCharCode(
    t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9],
    t[10], t[11], t[12], t[13], t[14], t[15], t[16], t[17], t[18], t[19],
  );
  return all.slice(0, length);
}

/**
 * The lines of the text of this length, each ending with a line feed.
 *
 * @param {number} length
 */
export function readLines(length) {
  return read(length).split("\n").slice(0, -1);
}

/** The error that the module left when it refused, with a zero byte at its end. */
export function refusal() {
  const { text, numbers } = exchange();
  const [code, message] = read(text.indexOf(0)).split("\n");
  return new EdgeflakeError(
    /** @type {ErrorCode} */ (code),
    message,
    code === "exhausted" || code === "clock-back" ? numbers[0] : undefined,
  );
}
