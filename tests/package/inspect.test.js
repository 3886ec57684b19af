// What console.log prints in Node.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { Generator, Layout } from "edgeflake";

const text = "timestamp:41 node:4 sequence:4 @1000 tick=1ms";

test("a layout", () => {
  const layout = Layout.parse(text);
  assert.equal(inspect(layout), `Layout { text: '${text}' }`);
  const gone = Layout.parse(text);
  gone[Symbol.dispose]();
  assert.equal(inspect(gone), "Layout { disposed: true }");
});

test("an id that is taken apart", () => {
  const found = inspect(Layout.parse(text).decode(0x123n), { breakLength: Infinity });
  assert.equal(
    found,
    "Decoded { id: 291n, date: 1970-01-01T00:00:01.001Z, node: 2, sequence: 3, tag: 0, " +
      "fields: { timestamp: 1, node: 2, sequence: 3 } }",
  );
});

test("a generator", () => {
  using ids = new Generator({ layout: Layout.parse(text), node: 3 });
  ids.next();
  assert.match(inspect(ids), /^Generator \{\s+issued: 1,/);
});
