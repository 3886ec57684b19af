import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { EdgeflakeError, Layout, presets } from "edgeflake";

/**
 * @type {{ vectors: {
 *   preset: string | null, id: string, timestamp_ms: number, node?: number, sequence?: number
 * }[] }}
 */
const { vectors } = JSON.parse(
  readFileSync(new URL("../tests/vectors.json", import.meta.url), "utf8"),
);

const HAZELCAST = Layout.preset("hazelcast");
const ID_MAX = 2n ** 64n - 1n;

test("the presets", () => {
  assert.deepEqual(presets(), [
    "hazelcast",
    "twitter",
    "discord",
    "instagram",
    "mastodon",
    "linkedin",
    "sonyflake",
    "sonyflake-v2",
    "snowcast",
    "datacenter-worker",
    "random-start",
    "resource-type",
    "worker-queue",
    "baidu",
    "leaf",
    "bwmarrin",
    "yitter",
    "tsid",
    "cosid",
    "cosid-js",
    "flake-idgen",
    "nodejs-snowflake",
    "snowid",
    "js-safe",
    "edge",
  ]);
});

// tests/vectors.rs lists the presets of which nobody published an id.
for (const preset of presets()) {
  const published = vectors.filter((vector) => vector.preset === preset);
  if (published.length === 0) continue;
  test(`published ids of ${preset}`, () => {
    const layout = Layout.preset(preset);
    for (const { id, timestamp_ms, node, sequence } of published) {
      const decoded = layout.decode(id);
      assert.deepEqual(layout.decode(BigInt(id)), decoded);
      const { fields, ...whole } = decoded;
      assert.deepEqual(whole, {
        id: BigInt(id),
        timestampMs: timestamp_ms,
        node: BigInt(node ?? 0),
        sequence: sequence === undefined ? whole.sequence : BigInt(sequence),
        tag: 0n,
      });
      const printed = fields.map(({ bits, value }) => value.toString(2).padStart(bits, "0"));
      assert.equal(BigInt(`0b${printed.join("")}`), BigInt(id));
    }
  });
}

test("the fields of an id", () => {
  assert.deepEqual(Layout.preset("twitter").decode(1541815603606036480n).fields, [
    { name: "unused", role: "unused", bits: 1, value: 0n },
    { name: "timestamp", role: "timestamp", bits: 41, value: 367597485448n },
    { name: "datacenter", role: "node", bits: 5, value: 11n },
    { name: "worker", role: "node", bits: 5, value: 26n },
    { name: "sequence", role: "sequence", bits: 12, value: 0n },
  ]);
});

test("a layout's text form", () => {
  const text = "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms";
  assert.equal(HAZELCAST.toString(), text);
  assert.equal(`${Layout.parse(` ${text} `)}`, text);
  assert.equal(`${Layout.parse(text.replace("1514764800000", "2018-01-01"))}`, text);
});

test("a tag, a long tick and all bits set", () => {
  const layout = Layout.parse("tag:8 timestamp:40 node:8 sequence:8 @1000 tick=10ms");
  const { timestampMs, node, sequence, tag } = layout.decode(ID_MAX);
  assert.deepEqual(
    { timestampMs, node, sequence, tag },
    { timestampMs: 1000 + (2 ** 40 - 1) * 10, node: 255n, sequence: 255n, tag: 255n },
  );
  assert.equal(layout.decode(String(ID_MAX)).id, ID_MAX);
  assert.equal(layout.decode("0").timestampMs, 1000);
});

test("an EdgeflakeError is an Error", () => {
  assert.ok(EdgeflakeError.prototype instanceof Error);
});

/** @type {[string, () => unknown, string, string][]} */
const REFUSED = [
  [
    "an unknown preset",
    () => Layout.preset("Twitter"),
    "unknown-preset",
    "no preset is named Twitter: presets() lists those that exist",
  ],
  [
    "a text that is no layout",
    () => Layout.parse("timestamp:41 host:5 @0"),
    "invalid-layout",
    "layout text at position 13: expected a field, such as node:10, of unused, timestamp, node, " +
      "sequence or tag",
  ],
  [
    "a layout without a timestamp",
    () => Layout.parse("node:10 @0"),
    "invalid-layout",
    "a layout without a timestamp field",
  ],
  [
    "a number",
    // @ts-expect-error: what the types forbid.
    () => HAZELCAST.decode(5300086112257234),
    "invalid-id",
    "the id is a number, which JavaScript rounds above 2^53: give a bigint or a string",
  ],
  [
    "no id",
    // @ts-expect-error: what the types forbid.
    () => HAZELCAST.decode(undefined),
    "invalid-id",
    "the id is neither a bigint nor a string",
  ],
  [
    "an empty id",
    () => HAZELCAST.decode(""),
    "invalid-id",
    "an id in decimal has no digit at position 0: 0-9 are allowed",
  ],
  [
    "a sign",
    () => HAZELCAST.decode("+1"),
    "invalid-id",
    "an id in decimal has + at position 0: 0-9 are allowed",
  ],
  [
    "a letter",
    () => HAZELCAST.decode("12é4"),
    "invalid-id",
    "an id in decimal has U+00E9 at position 2: 0-9 are allowed",
  ],
  [
    "a string of 65 bits",
    () => HAZELCAST.decode(String(ID_MAX + 1n)),
    "invalid-id",
    "an id in decimal exceeds 64 bits at position 19",
  ],
  [
    "a bigint of 65 bits",
    () => HAZELCAST.decode(ID_MAX + 1n),
    "invalid-id",
    "the id is outside 0 to 18446744073709551615 (2^64 - 1)",
  ],
  [
    "a negative bigint",
    () => HAZELCAST.decode(-1n),
    "invalid-id",
    "the id is outside 0 to 18446744073709551615 (2^64 - 1)",
  ],
  [
    "the sign bit",
    () => HAZELCAST.decode(2n ** 63n),
    "unused-bits",
    "bits 0x8000000000000000 are set, which the layout does not use",
  ],
];

for (const [name, call, code, message] of REFUSED) {
  test(`${name} is refused`, () => {
    const name = "EdgeflakeError";
    assert.throws(call, { constructor: EdgeflakeError, name, code, message });
  });
}
