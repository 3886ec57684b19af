// Lets console.log in Node, Deno and Bun print objects whose fields are private. Bundles for
// Workers leave this file out, because a smaller bundle starts faster.

import { Generator } from "./generator/generator.js";
import { DecodedId } from "./layout/decoded.js";
import { Layout } from "./layout/layout.js";

type Inspect = (value: unknown, options: object) => string;

const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** Makes console.log print an object as its class name and the value that `say` returns. */
function prints<T extends object>(
  kind: { name: string; prototype: T },
  say: (value: T) => unknown,
) {
  function print(this: T, _depth: number, options: object, inspect?: Inspect) {
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
