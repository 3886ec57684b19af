// Tests edgeflake/public with the texts and refusals in tests/public.json. tests/core/public.rs
// tests the Rust with the same file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { initTRPC } from "@trpc/server";
import { type } from "arktype";
import { Layout } from "edgeflake";
import { PublicIds } from "edgeflake/public";
import { halves, joined, split } from "../../packages/edgeflake/dist/halves.js";
import { decrypt, encrypt, roundKeysOf } from "../../packages/edgeflake/dist/public/speck.js";
import { throws } from "./consumer/expect.js";
import { Random } from "./simulation/random.js";

const file = JSON.parse(readFileSync(new URL("../public.json", import.meta.url), "utf8"));
const KEY = "k:000102030405060708090a0b0c0d0e0f";
const OTHER_KEY = "n:f29a71c05be8d3641f07b8ae46c93d52";
const TWEET = 1541815603606036480n;
const now = () => file.nowMs;

const orders = new PublicIds({ prefix: "ord", key: KEY });

describe("the file", () => {
  test("the published vector of the cipher", () => {
    const { key, block, encrypted } = file.cipher;
    const keys = roundKeysOf(
      key.match(/.{8}/g).map((/** @type {string} */ word) => Number(`0x${word}`)),
    );
    const [plain, hidden] = [block, encrypted].map((hex) => BigInt(`0x${hex}`));
    split(plain);
    encrypt(keys);
    assert.equal(joined(halves[0], halves[1]), hidden);
    decrypt(keys);
    assert.equal(joined(halves[0], halves[1]), plain);
  });

  test("texts", () => {
    for (const { keys: key, prefix, checkDigits, texts } of file.texts) {
      const ids = new PublicIds({ prefix, key, checkDigits });
      for (const [id, text] of Object.entries(texts)) {
        assert.equal(ids.format(id), text);
        assert.equal(ids.parse(text), BigInt(id));
      }
    }
  });

  test("texts that are refused", () => {
    const { layout, latest, refusedTexts } = file;
    for (const given of [layout, Layout.parse(layout)]) {
      const ids = new PublicIds({ prefix: "ord", key: KEY, layout: given, now });
      assert.equal(ids.format(ids.parse(latest)), latest);
      for (const [text, message] of refusedTexts) {
        throws(() => ids.parse(text), { name: "EdgeflakeError", code: "invalid-id", message });
      }
    }
    throws(() => orders.parse(/** @type {any} */ (5)), { message: "the id is no string" });
  });

  test("keys that are refused", () => {
    for (const [key, message] of file.refusedKeys) {
      const make = () => new PublicIds({ prefix: "ord", key });
      throws(make, { name: "EdgeflakeError", code: "invalid-option", message });
    }
  });
});

test("a million ids there and back", () => {
  let [state, hash] = [0n, 0x811c_9dc5];
  for (let pair = 0; pair < 500_000; pair++) {
    state = BigInt.asUintN(64, state + 0x9e37_79b9_7f4a_7c15n);
    const id = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58_476d_1ce4_e5b9n);
    const texts = [id, id ^ (1n << (state >> 58n))].map((id) => {
      const text = orders.format(id);
      assert.equal(orders.parse(text), id);
      return text;
    });
    if (pair >= file.many.pairs) continue;
    for (const byte of Buffer.from(texts.join(""))) hash = Math.imul(hash ^ byte, 0x0100_0193);
  }
  assert.equal((hash >>> 0).toString(16).padStart(8, "0"), file.many.fnv1a);
});

test("a rotation: each text is read by the key that it names", () => {
  const text = orders.format(TWEET);
  const [rotated, begun] = [`${OTHER_KEY},${KEY}`, `${KEY},${OTHER_KEY}`].map(
    (key) => new PublicIds({ prefix: "ord", key }),
  );
  assert.equal(rotated.parse(text), TWEET);
  assert.match(rotated.format(TWEET), /^ord_n/);
  assert.equal(orders.parse(begun.format(TWEET)), TWEET);
});

test("without a key, a text shows the id", () => {
  const plain = new PublicIds({ prefix: "line_item", key: null, layout: file.layout, now });
  assert.equal(plain.format(TWEET), "line_item_1ptWyK4WgZU");
  assert.equal(plain.parse(plain.format(TWEET)), TWEET);
  for (const text of ["line_item_1", "line_item_LygHa16AHYG", "line_item_LygHa16AHYF"]) {
    throws(() => plain.parse(text), { code: "invalid-id" });
  }
});

test("nothing that is printed has the key", () => {
  const inspected = inspect(orders, { showHidden: true, depth: null });
  const shown = [inspected, JSON.stringify(orders), `${orders}`];
  assert.deepEqual(shown, ["PublicIds { ['~standard']: [Getter] }", "{}", "[object Object]"]);
});

test("of a million guesses, as many pass as docs/DESIGN.md says", () => {
  const random = new Random(4711n);
  const plain = new PublicIds({ prefix: "ord", key: null });
  const now = () => Date.UTC(2026, 11);
  const passed = [undefined, Layout.preset("hazelcast")].map((layout) =>
    [0, 1, 2, 3, 4].map((checkDigits) => {
      const ids = new PublicIds({ prefix: "ord", key: KEY, checkDigits, layout, now });
      return { ids: ids["~standard"], checkDigits, count: 0 };
    }),
  );
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  for (let guess = 0; guess < 1_000_000; guess++) {
    const [block, check] = [random.bits(), random.bits()].map((bits) =>
      plain.format(bits).slice(4),
    );
    for (const settings of passed) {
      for (const setting of settings) {
        const end = setting.checkDigits === 0 ? "" : check.slice(-setting.checkDigits);
        // A longer check ends with the digits of a shorter one, so a text that the shorter check
        // refuses is refused by the longer one, too.
        if ("issues" in setting.ids.validate(`ord_k${block}${end}`)) break;
        setting.count++;
      }
    }
  }
  Error.stackTraceLimit = stackTraceLimit;
  const [without, hazelcast] = passed.map((settings) =>
    settings.map(({ count }) => count.toLocaleString("en")).join(" | "),
  );
  const table = `| check digits | 0 | 1 | 2 | 3 | 4 |
|---|--:|--:|--:|--:|--:|
| without a layout | ${without} |
| with the layout \`hazelcast\` | ${hazelcast} |
`;
  const decisions = readFileSync(new URL("../../docs/DESIGN.md", import.meta.url), "utf8");
  assert.ok(decisions.includes(table), `docs/DESIGN.md lacks\n${table}`);
});

test("a Standard Schema: tRPC and arktype know the kind of the ids that they have read", async () => {
  const customers = new PublicIds({ prefix: "cus", key: KEY });
  const [text, otherText] = [orders.format(TWEET), customers.format(TWEET)];
  const t = initTRPC.create();
  const router = t.router({
    order: t.procedure.input(orders).query(({ input }) => {
      // @ts-expect-error: this id is of another kind.
      customers.format(input);
      return orders.format(input);
    }),
  });
  const { order } = t.createCallerFactory(router)({});
  assert.equal(await order(text), text);
  await assert.rejects(order(otherText), { code: "BAD_REQUEST" });

  const { version, vendor, validate } = orders["~standard"];
  assert.deepEqual([version, vendor, validate(text)], [1, "edgeflake", { value: TWEET }]);
  assert.deepEqual(validate(5), { issues: [{ message: "the id is no string" }] });
  const schema = type({ id: orders });
  const { id } = schema.assert({ id: text });
  // @ts-expect-error: this id is of another kind.
  customers.format(id);
  assert.equal(orders.format(id), text);
  assert.throws(() => schema.assert({ id: otherText }), /cus_, but must begin with ord_/);
});
