// Lets console.log in Node, Deno and Bun print objects whose fields are private. Bundles for
// Workers leave this file out, because a smaller bundle starts faster.

import { Generator } from "./generator/generator.js";
import { DecodedId } from "./layout/decoded.js";
import { Layout } from "./layout/layout.js";

type Inspect = (value: unknown, options: object) => string;

/** Makes console.log print an object as its class name and the value that `shown` returns. */
function prints<T extends object>(
  kind: { name: string; prototype: T },
  shown: (object: T) => unknown,
) {
  const value = function (this: T, _depth: number, options: object, inspect?: Inspect) {
    return inspect ? `${kind.name} ${inspect(shown(this), options)}` : shown(this);
  };
  Object.defineProperty(kind.prototype, Symbol.for("nodejs.util.inspect.custom"), { value });
}

prints(Layout, (layout) => ({ text: `${layout}` }));
prints(Generator, (generator) => generator.stats());
prints(DecodedId, ({ id, date, node, sequence, tag, fields }) => {
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  return { id, date, node, sequence, tag, fields: values };
});
