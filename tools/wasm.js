// What a WebAssembly module is made of: https://webassembly.github.io/spec/core/binary/

const HEADER_BYTES = 8;

/** The ids of sections that are read here. */
const CUSTOM = 0;
const IMPORT = 2;
const CODE = 10;

/** The kind of an import that is a function, and the subsection of `name` that names functions. */
const FUNCTION = 0;
const FUNCTION_NAMES = 1;

/** What an id says, in the order of the ids. */
const SECTIONS =
  "custom type import function table memory global export start element code data data-count tag";

/**
 * @typedef {object} Section
 * @property {number} id
 * @property {string} name what it holds, or the name of a custom section
 * @property {Buffer} whole with its id and size
 * @property {Reader} content after the name of a custom section
 */

/** Reads values one after the other. */
class Reader {
  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.position = 0;
  }

  get atEnd() {
    return this.position === this.bytes.length;
  }

  byte() {
    return this.bytes[this.position++];
  }

  /** LEB128, unsigned. */
  number() {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  /** @param {number} length */
  take(length) {
    this.position += length;
    return this.bytes.subarray(this.position - length, this.position);
  }

  text() {
    return this.take(this.number()).toString();
  }

  limits() {
    const hasMost = this.byte() & 1;
    this.number();
    if (hasMost) this.number();
  }
}

/**
 * @param {Buffer} wasm
 * @returns {Section[]}
 */
export function sections(wasm) {
  const reader = new Reader(wasm);
  reader.take(HEADER_BYTES);
  const found = [];
  while (!reader.atEnd) {
    const start = reader.position;
    const id = reader.byte();
    const content = new Reader(reader.take(reader.number()));
    const name = id === CUSTOM ? content.text() : SECTIONS.split(" ")[id];
    found.push({ id, name, whole: wasm.subarray(start, reader.position), content });
  }
  return found;
}

/**
 * Without the names of its functions, which nothing needs to run it.
 *
 * @param {Buffer} wasm
 */
export function withoutNames(wasm) {
  const kept = sections(wasm).filter(({ id, name }) => id !== CUSTOM || name !== "name");
  return Buffer.concat([wasm.subarray(0, HEADER_BYTES), ...kept.map(({ whole }) => whole)]);
}

/**
 * The functions that the module defines, with their names.
 *
 * @param {Buffer} wasm
 * @returns {{ name: string, code: Buffer }[]}
 */
export function functions(wasm) {
  const all = sections(wasm);
  const content = (/** @type {number} */ id) => all.find((section) => section.id === id)?.content;
  const names = functionNames(all.find(({ name }) => name === "name")?.content);
  const first = countImported(content(IMPORT));
  const code = content(CODE);
  return Array.from({ length: code?.number() ?? 0 }, (_, i) => ({
    name: names.get(first + i) ?? "",
    code: /** @type {Reader} */ (code).take(/** @type {Reader} */ (code).number()),
  }));
}

/** @param {Reader} [content] */
function countImported(content) {
  let functions = 0;
  for (let left = content?.number() ?? 0; content && left > 0; left--) {
    content.text();
    content.text();
    const kind = content.byte();
    if (kind === FUNCTION) functions++;
    const skip = [
      () => content.number(),
      // A table: its type, then its limits.
      () => [content.byte(), content.limits()],
      () => content.limits(),
      // A global: its type, and whether it can change.
      () => content.take(2),
      // A tag: its attribute, then its type.
      () => [content.byte(), content.number()],
    ];
    skip[kind]();
  }
  return functions;
}

/** @param {Reader} [content] */
function functionNames(content) {
  /** @type {Map<number, string>} */
  const names = new Map();
  while (content && !content.atEnd) {
    const subsection = content.byte();
    const entries = new Reader(content.take(content.number()));
    if (subsection !== FUNCTION_NAMES) continue;
    for (let left = entries.number(); left > 0; left--) names.set(entries.number(), entries.text());
  }
  return names;
}
