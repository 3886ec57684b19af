// What console.log prints in Node, Deno and Bun, where private fields would be left out. Workers do
// without it, since each byte of theirs is loaded at a cold start.

import { DecodedId } from "./decoded.js";
import { Generator } from "./generator.js";
import { Layout } from "./layout.js";

/**
 * @typedef {(depth: number, options: object, inspect?: (value: unknown, options: object) => string)
 *   => unknown} Inspect
 */

const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * Prints what `say` gives after the name of the class.
 *
 * @template T
 * @param {{ name: string, prototype: T }} kind
 * @param {(value: T) => unknown} say
 */
function prints(kind, say) {
  /** @type {(this: T, ...args: Parameters<Inspect>) => unknown} */
  function print(_depth, options, inspect) {
    const said = say(this);
    return inspect ? `${kind.name} ${inspect(said, options)}` : said;
  }
  Object.defineProperty(kind.prototype, INSPECT, { value: print });
}

prints(Layout, (layout) => {
  try {
    return { text: `${layout}` };
  } catch {
    return { disposed: true };
  }
});

prints(Generator, (generator) => generator.stats());

prints(DecodedId, ({ id, date, node, sequence, tag, fields }) => ({
  id,
  date,
  node,
  sequence,
  tag,
  fields: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
}));
