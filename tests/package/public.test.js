// edgeflake/public: texts and refusals of tests/public.json, which tests/core/public.rs holds the Rust
// against, too. EDGEFLAKE_SEED chooses other ids.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { Layout } from "edgeflake";
import { EdgeflakeError, PublicIds } from "edgeflake/public";
import { halves, joined, split } from "../../packages/edgeflake/dist/halves.js";
import { decrypt, encrypt, roundKeysOf } from "../../packages/edgeflake/dist/public/speck.js";
import { throws } from "./consumer/expect.js";
import { Random } from "./simulation/random.js";

const SEED = BigInt(process.env.EDGEFLAKE_SEED ?? 4711);
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

// tests/core/public.rs shows that neighbours differ in half of their bits.
test("half a million ids there and back", () => {
  const random = new Random(SEED);
  for (let i = 0; i < 500_000; i++) {
    const id = random.bits();
    assert.equal(orders.parse(orders.format(id)), id, `seed ${SEED}`);
  }
});

test("a rotation: each text is read by the key that it names", () => {
  const text = orders.format(TWEET);
  const rotated = new PublicIds({ prefix: "ord", key: `${OTHER_KEY},${KEY}` });
  assert.equal(rotated.parse(text), TWEET);
  assert.match(rotated.format(TWEET), /^ord_n/);
  assert.equal(
    orders.parse(new PublicIds({ prefix: "ord", key: `${KEY},${OTHER_KEY}` }).format(TWEET)),
    TWEET,
  );
});

test("without a key, a text shows the id", () => {
  const plain = new PublicIds({ prefix: "line_item", key: null, layout: file.layout, now });
  assert.equal(plain.format(TWEET), "line_item_1ptWyK4WgZU");
  assert.equal(plain.parse(plain.format(TWEET)), TWEET);
  for (const [text, message] of [
    ["line_item_1", "the id has 1 characters after line_item_: 11 are allowed"],
    ["line_item_LygHa16AHYG", "the id exceeds its range: 0 to 2^64 - 1 are allowed"],
    [
      "line_item_LygHa16AHYF",
      "the id does not fit the layout, or is later than now: it was guessed, or needs another layout or key",
    ],
  ]) {
    throws(() => plain.parse(text), { code: "invalid-id", message });
  }
});

test("nothing that is printed has the key", () => {
  const shown = [
    inspect(orders, { showHidden: true, depth: null }),
    JSON.stringify(orders),
    `${orders}`,
  ];
  assert.deepEqual(shown, ["PublicIds { ['~standard']: [Getter] }", "{}", "[object Object]"]);
});

test("guesses pass as seldom as check digits and layout say", () => {
  const random = new Random(SEED);
  const guesses = 30_000;
  const plain = new PublicIds({ prefix: "ord", key: null });
  // A tick of this layout is 1 ms, and its first bit is 0.
  const elapsedMs = file.nowMs + 60_000 - 1514764800000;
  const layout = "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms";
  for (const [options, share] of /** @type {[any, number][]} */ ([
    [{ checkDigits: 0 }, 1],
    [{ checkDigits: 0, layout, now }, elapsedMs / 2 ** 42],
    [{ checkDigits: 1 }, 1 / 62],
    [{ checkDigits: 1, layout, now }, elapsedMs / 2 ** 42 / 62],
  ])) {
    const ids = new PublicIds({ prefix: "ord", key: KEY, ...options });
    let passed = 0;
    for (let i = 0; i < guesses; i++) {
      const [block, check] = [0, 0].map(() => plain.format(random.bits()).slice(4));
      try {
        ids.parse(`ord_k${block}${options.checkDigits ? check.at(-1) : ""}`);
        passed++;
      } catch (error) {
        assert.ok(error instanceof EdgeflakeError);
      }
    }
    const expected = guesses * share;
    const what = `seed ${SEED}: ${passed} of ${guesses} pass ${JSON.stringify(options)}`;
    assert.ok(Math.abs(passed - expected) <= 5 * Math.sqrt(expected), what);
  }
});

test("a Standard Schema", async () => {
  const { version, vendor, validate } = orders["~standard"];
  assert.deepEqual([version, vendor], [1, "edgeflake"]);
  assert.deepEqual(validate(orders.format(TWEET)), { value: TWEET });
  for (const [value, message] of [
    ["cus_1", "the id begins with cus_: ord_ is expected"],
    [5, "the id is no string"],
  ]) {
    assert.deepEqual(validate(value), { issues: [{ message }] });
  }
});
