// Defines the rows that every platform measures: the package, other libraries, and a floor that no
// package can beat. Most names of edgeflake's generators have the layout or its sequence bits, and
// the allowed future, where `strict` means none. The bench fails if a call returns fewer ids than
// asked for, or if edgeflake issues an id twice.

import { Snowflake as Sapphire } from "@sapphire/snowflake";
import { format, Generator, identifyMany, Layout } from "edgeflake";
import { PublicIds } from "edgeflake/public";
import Hashids from "hashids";
// This line imports only a part of mitata. The rest of mitata prints, and asks the system for its
// name.
import { do_not_optimize, k_batch_unroll, measure } from "mitata/src/lib.mjs";
import { nanoid } from "nanoid";
import { Snowyflake } from "snowyflake";
import Sqids from "sqids";
import { TypeID } from "typeid-js";
import { uid } from "uid";
import { ulid } from "ulid";
import { v4, v7 } from "uuid";
import { uuidv7 } from "uuidv7";
// This build has its own copy of each module, so it shares nothing with `edgeflake`.
import translated from "../../packages/edgeflake/dist/cjs/entrypoints/js.js";

const BATCH = 1024;
/** Number of ids per call of a row that loops itself. */
const LOOP = 1_000;
/**
 * Number of ids per call of `decodeMany` and `identifyMany`. It is so small that a call takes less
 * than one time slice of the system.
 */
const ROWS = 10_000;
/**
 * Shortest time of a sample, in ms. Chromium's clock has steps of 5 µs, which are 0.5 % of this
 * time.
 */
const SAMPLE_MIN_MS = 1;
/**
 * Time in ns for which a row is measured in each round. This time is short, so that a slow moment
 * of the machine affects neighbouring rows alike.
 */
const ROUND_NANOS = 20e6;
/** Number of ids of each generator among which duplicates are searched. */
export const TIGHT = 200_000;

/**
 * A layout with more ids per ms than `next` issues by the system's clock, so `next` never waits.
 */
const WIDE = "unused:1 timestamp:41 node:6 sequence:16 @1704067200000";
/** A layout with more ids per ms than `next` issues when it reads the clock rarely. */
const WIDEST = "unused:1 timestamp:41 node:4 sequence:18 @1704067200000";
/** An allowed future of 30 years, in ms, which is never used up. */
const UNBOUNDED = 1e12;
export const TWITTER_EPOCH_MS = 1288834974657;

let node = 0;

/** @param {Layout} layout @param {number} allowedFutureMs */
function generator(layout, allowedFutureMs) {
  return new Generator({ layout, node: node++, allowedFutureMs });
}

/** A WebAssembly module: (func (export "f")) (func (export "g") (result i64) i64.const 1) */
const SMALLEST = Uint8Array.from([
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 2, 96, 0, 0, 96, 0, 1, 126, 3, 3, 2, 0, 1],
  ...[7, 9, 2, 1, 102, 0, 0, 1, 103, 0, 1, 10, 9, 2, 2, 0, 11, 4, 0, 66, 1, 11],
]);
const { f: empty, g: bigint } = /** @type {{ f: () => void, g: () => bigint }} */ (
  new WebAssembly.Instance(new WebAssembly.Module(SMALLEST)).exports
);

const twitter = Layout.preset("twitter");
const sapphire = new Sapphire(TWITTER_EPOCH_MS);
const snowyflake = new Snowyflake({ epoch: BigInt(TWITTER_EPOCH_MS), workerId: 1n });

const some = Array.from({ length: BATCH }, (_, i) => 1541815603606036480n + BigInt(i * 1_000_003));
const many = BigUint64Array.from({ length: ROWS }, (_, i) => some[0] + BigInt(i * 1_000_003));
const texts = Array.from(many, String);
const text = texts.join("\n");
let at = 0;
const one = () => some[at++ % BATCH];

const opaque = new PublicIds({ prefix: "ord", key: "k:000102030405060708090a0b0c0d0e0f" });
const plain = new PublicIds({ prefix: "ord", key: null });
const hashids = new Hashids("salt");
const sqids = new Sqids();
// Sqids takes safe integers only, so it gets an id as two halves.
const halves = some.map((id) => [Number(id >> 32n), Number(id & 0xffff_ffffn)]);
const uuids = some.map(() => new Uint8Array(v7(undefined, new Uint8Array(16))));
const written = {
  opaque: some.map((id) => opaque.format(id)),
  plain: some.map((id) => plain.format(id)),
  sqids: halves.map((id) => sqids.encode(id)),
  hashids: some.map((id) => hashids.encode(id)),
  typeid: uuids.map((uuid) => TypeID.fromUUIDBytes("ord", uuid).toString()),
};
let place = 0;
const next = () => place++ % BATCH;

const wide = generator(Layout.parse(WIDE), 0);
const wideString = generator(Layout.parse(WIDE), 0);
const wideBytes = generator(Layout.parse(WIDE), 0);
const often = generator(Layout.parse(WIDEST), 0);
const seldom = new Generator({ layout: Layout.parse(WIDEST), node: node++, clockEvery: 64 });
const wideFill = generator(Layout.parse(WIDE), UNBOUNDED);
const ofTwitter = generator(twitter, UNBOUNDED);
const ofHazelcast = generator(Layout.preset("hazelcast"), UNBOUNDED);
const translatedTwitter = translated.Layout.preset("twitter");
const translatedWide = new translated.Generator({
  layout: translated.Layout.parse(WIDE),
  node: node++,
});
const array = new BigUint64Array(BATCH);
const whole = new BigUint64Array(1);
const parts = new Uint32Array(whole.buffer);
const OTHER_TYPEID = "typeid-js (128 bits, not opaque)";
const bytes = new Uint8Array(64);

/**
 * @typedef {[name: string, call: () => unknown, ids?: number]} Row `ids` is the number of ids per
 * call
 *
 * @typedef {object} Measured
 * @property {string} group
 * @property {string} name
 * @property {number[]} nanos per id, the median of each round
 * @property {number} [duplicates] among TIGHT ids of a tight loop
 */

/** @type {Record<string, Row[]>} */
const groups = {
  "an id as a bigint": [
    ["floor: Date.now() and a wasm call for a bigint", () => Date.now() && bigint()],
    ["floor: Date.now()", () => Date.now()],
    ["floor: an empty wasm call", () => empty()],
    ["floor: a bigint read from a BigUint64Array", () => many[at++ % BATCH]],
    ["edgeflake next (16 sequence bits, strict)", () => wide.next()],
    ["edgeflake next, clockEvery: 64 (18 sequence bits, strict)", () => seldom.next()],
    ["edgeflake/js next (16 sequence bits, strict)", () => translatedWide.next()],
    ["edgeflake next (twitter, unbounded)", () => ofTwitter.next()],
    ["edgeflake next (hazelcast, unbounded)", () => ofHazelcast.next()],
    ["snowyflake (twitter)", () => snowyflake.nextId()],
    ["@sapphire/snowflake (twitter)", () => sapphire.generate()],
  ],
  "an id as a string": [
    ["edgeflake nextString, decimal (16 bits, strict)", () => wideString.nextString()],
    ...["base62", "base58", "hex"].map(
      (encoding) =>
        /** @type {Row} */ ([
          `edgeflake nextString, ${encoding} (16 bits, strict)`,
          () => wideString.nextString(/** @type {Encoding} */ (encoding)),
        ]),
    ),
    ["nanoid", () => nanoid()],
    ["uid", () => uid()],
    ["ulid", () => ulid()],
    ["uuid v4", () => v4()],
    ["uuid v7", () => v7()],
    ["uuidv7", () => uuidv7()],
    ["snowyflake as a string", () => String(snowyflake.nextId())],
  ],
  "an id written into a Uint8Array": [
    ["edgeflake nextInto, base62 (16 bits, strict)", () => wideBytes.nextInto(bytes, "base62")],
  ],
  // V8 inlines the call into each of these loops, as in a program that makes many ids. The rows
  // above share the code that calls them, so V8 inlines none of their calls.
  "an id of a loop": [
    [
      "floor: Date.now() in a loop",
      () => {
        for (let i = 0; i < LOOP; i++) do_not_optimize(Date.now());
      },
      LOOP,
    ],
    [
      "edgeflake next in a loop (18 bits, strict)",
      () => {
        for (let i = 0; i < LOOP; i++) do_not_optimize(often.next());
      },
      LOOP,
    ],
    [
      "edgeflake next in a loop, clockEvery: 64 (18 bits, strict)",
      () => {
        for (let i = 0; i < LOOP; i++) do_not_optimize(seldom.next());
      },
      LOOP,
    ],
    [
      "edgeflake nextString in a loop, base62 (18 bits, strict)",
      () => {
        for (let i = 0; i < LOOP; i++) do_not_optimize(often.nextString("base62"));
      },
      LOOP,
    ],
    [
      "edgeflake nextString in a loop, base62, clockEvery: 64",
      () => {
        for (let i = 0; i < LOOP; i++) do_not_optimize(seldom.nextString("base62"));
      },
      LOOP,
    ],
  ],
  "many ids, an id": [
    ["floor: writing the memory", () => array.fill(some[0]), BATCH],
    ["floor: new memory, written", () => new BigUint64Array(BATCH).fill(some[0]), BATCH],
    ["edgeflake fill (16 bits, unbounded)", () => counted(wideFill.fill(array)), BATCH],
    ["edgeflake batch (16 bits, unbounded)", () => counted(wideFill.batch(BATCH).length), BATCH],
  ],
  "an id taken apart, everything read": [
    // The first two rows share no code, because code that reads objects of two classes is slower.
    [
      "edgeflake decode (twitter)",
      () => {
        const { id, timestampMs, node, sequence, tag } = twitter.decode(one());
        return timestampMs + node + sequence + tag + (id === 0n ? 1 : 0);
      },
    ],
    [
      "edgeflake/js decode (twitter)",
      () => {
        const { id, timestampMs, node, sequence, tag } = translatedTwitter.decode(one());
        return timestampMs + node + sequence + tag + (id === 0n ? 1 : 0);
      },
    ],
    [
      "@sapphire/snowflake deconstruct (twitter)",
      () => {
        const parts = sapphire.deconstruct(one());
        const { id, timestamp, workerId, processId, increment, epoch } = parts;
        return timestamp + workerId + processId + increment + epoch + (id === 0n ? 1n : 0n);
      },
    ],
    [
      "floor: an object for each field, made by hand",
      () => {
        whole[0] = one();
        // An iterator of a typed array would take longer.
        const low = parts[0];
        const high = parts[1];
        const timestamp = high * 1_024 + (low >>> 22);
        const fields = [
          { name: "unused", bits: 1, role: "unused", value: high >>> 31 },
          { name: "timestamp", bits: 41, role: "timestamp", value: timestamp },
          { name: "datacenter", bits: 5, role: "node", value: (low >>> 17) & 31 },
          { name: "worker", bits: 5, role: "node", value: (low >>> 12) & 31 },
          { name: "sequence", bits: 12, role: "sequence", value: low & 4_095 },
        ];
        let sum = TWITTER_EPOCH_MS + timestamp;
        for (const { value } of fields) sum += value;
        return sum;
      },
    ],
    [
      "edgeflake decode, with each field (twitter)",
      () => {
        const { timestampMs, fields } = twitter.decode(one());
        let sum = timestampMs;
        for (const { value } of fields) sum += value;
        return sum;
      },
    ],
    ["edgeflake format in base62", () => format(one(), "base62")],
    ["edgeflake format in hex", () => format(one(), "hex")],
  ],
  "a public id written": [
    ["edgeflake/public format (2 check digits)", () => opaque.format(one())],
    ["edgeflake/public format, without a key", () => plain.format(one())],
    ["sqids (no key)", () => sqids.encode(halves[next()])],
    ["hashids (a salt)", () => hashids.encode(one())],
    [OTHER_TYPEID, () => TypeID.fromUUIDBytes("ord", uuids[next()]).toString()],
    ["nanoid (a new text)", () => nanoid()],
  ],
  "a public id read": [
    ["edgeflake/public parse (2 check digits)", () => opaque.parse(written.opaque[next()])],
    ["edgeflake/public parse, without a key", () => plain.parse(written.plain[next()])],
    ["sqids (no key)", () => sqids.decode(written.sqids[next()])],
    ["hashids (a salt)", () => hashids.decode(written.hashids[next()])],
    [OTHER_TYPEID, () => TypeID.fromString(written.typeid[next()]).toUUIDBytes()],
  ],
  [`${ROWS} ids taken apart, an id`]: [
    [
      "edgeflake decodeMany of a BigUint64Array (twitter)",
      () => twitter.decodeMany(many).refused,
      ROWS,
    ],
    ["edgeflake decodeMany of strings (twitter)", () => twitter.decodeMany(texts).refused, ROWS],
    ["edgeflake decodeMany of a text (twitter)", () => twitter.decodeMany(text).refused, ROWS],
    ["edgeflake identifyMany of a text", () => identifyMany(text).refused, ROWS],
  ],
};

/** @param {number} count */
function counted(count) {
  if (count !== BATCH) throw new Error(`got ${count} of ${BATCH} ids`);
  return count;
}

/**
 * Measures every row in each round, in turns, so that other work of the machine affects all rows
 * alike.
 *
 * @param {number} rounds
 * @param {Record<string, Row[]>} [others] rows that only this platform has, by group
 * @returns {Promise<Measured[]>}
 */
export async function measured(rounds, others = {}) {
  const rows = Object.entries(groups).flatMap(([group, rows]) =>
    [...rows, ...(others[group] ?? [])].map(([name, call, ids = 1]) => {
      // Keep the result, because V8 does not allocate a bigint that is not kept.
      const kept = () => do_not_optimize(call());
      const nanos = /** @type {number[]} */ ([]);
      return { group, name, call, kept, ids, nanos, sample: sample(kept) };
    }),
  );
  for (let round = 0; round < rounds; round++) {
    for (const { kept, sample, ids, nanos } of rows) {
      // The median is used because the mean would include garbage collection and other processes.
      const { p50 } = await measure(kept, sample);
      nanos.push(p50 / ids);
    }
  }
  return rows.map(({ group, name, call, nanos }) => {
    const isIssued = group.startsWith("an id as") && !name.startsWith("floor");
    return { group, name, nanos, ...(isIssued && { duplicates: duplicates(name, call) }) };
  });
}

/**
 * Finds the number of times that mitata must repeat the call for a long enough sample. mitata
 * itself would derive this number from the time of one call, which another process may have
 * interrupted.
 *
 * @param {() => void} call
 */
function sample(call) {
  const time = (/** @type {number} */ count) => {
    const start = performance.now();
    for (let i = 0; i < count; i++) call();
    return performance.now() - start;
  };
  let count = 1;
  while (Math.min(time(count), time(count), time(count)) < SAMPLE_MIN_MS) count *= 2;
  return {
    min_cpu_time: ROUND_NANOS,
    min_samples: 3,
    warmup_threshold: Infinity,
    batch_threshold: Infinity,
    batch_samples: count,
    batch_unroll: Math.min(count, k_batch_unroll),
  };
}

/** @param {string} name @param {() => unknown} call */
function duplicates(name, call) {
  const { size } = new Set(Array.from({ length: TIGHT }, call));
  if (name.startsWith("edgeflake") && size < TIGHT) throw new Error("an id was issued twice");
  return TIGHT - size;
}
