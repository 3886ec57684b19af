// The tests of the package that run on every platform. They import the package by name, so that
// each platform chooses its own build.

import {
  encodings,
  format,
  fromSigned,
  Generator,
  identify,
  identifyMany,
  isId,
  jsonReplacer,
  jsonReviver,
  Layout,
  parse,
  presets,
  toSigned,
} from "edgeflake";
import { equal, throws } from "./expect.js";

/** @import { Encoding, GeneratorOptions } from "edgeflake" */

const ID_MAX = 2n ** 64n - 1n;
const TWEET = 1541815603606036480n;
const TWITTER = Layout.preset("twitter");
const HAZELCAST = Layout.preset("hazelcast");

const ENCODINGS = encodings();

/**
 * Each encoding, with the largest number of characters that it writes. @type {[Encoding, number][]}
 */
const LONGEST = ENCODINGS.map((encoding) => [
  encoding,
  Math.max(...[2n ** 63n, ID_MAX].map((id) => format(id, encoding).length)),
]);

/** The layout has 4 ids per ms on each of 4 nodes, in 53 bits. */
const SMALL = "timestamp:41 tag.kind:3 node:2 sequence:2 @1000";

const TAGGED = Layout.parse("timestamp:41 node:10 tag:4 sequence:3 @1000");

/** Each test uses its own node, so that no test affects another one. */
let nodes = 0;

/**
 * Starts a generator on a clock that the test sets.
 *
 * @template {Encoding | undefined} [E=undefined]
 * @param {Partial<GeneratorOptions<E>>} [options]
 */
function start(options) {
  const clock = { ms: 1_780_000_000_000 };
  const layout = options?.layout ?? TWITTER;
  const ids = new Generator({ layout, node: nodes++, now: () => clock.ms, ...options });
  return { clock, ids, layout };
}

/** @param {number} ms */
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Reads the first characters of bytes. @param {Uint8Array} bytes @param {number} length */
const textIn = (bytes, length) => String.fromCharCode(...bytes.subarray(0, length));

/** @type {Record<string, () => unknown>} */
export const tests = {
  "the presets": () => {
    equal(presets()[0], "hazelcast");
    for (const name of presets()) equal(`${Layout.parse(name)}`, `${Layout.preset(name)}`);
  },

  "what an id says": () => {
    const { id, timestampMs, date, node, sequence, tag, fields, warnings } = TWITTER.decode(TWEET);
    equal([id, timestampMs, node, sequence, tag], [TWEET, 1656432460105, 378, 0, 0]);
    equal([date, warnings], [new Date("2022-06-28T16:07:40.105Z"), []]);
    equal(
      fields.map(({ name, bits, role, value }) => `${role}.${name}:${bits}=${value}`).join(" "),
      "unused.unused:1=0 timestamp.timestamp:41=367597485448 node.datacenter:5=11 " +
        "node.worker:5=26 sequence.sequence:12=0",
    );
    equal([TWITTER.fields, ...TWITTER.fields].map(Object.isFrozen), Array(6).fill(true));
    equal(TWITTER.decode(2 ** 53 - 1).id, 2n ** 53n - 1n);
    equal(Layout.parse("timestamp:11 node:53 @0").decode(ID_MAX).node, 2 ** 53 - 1);
  },

  "a layout as a string, as JSON and of fields": () => {
    const text = "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms";
    equal([HAZELCAST.toString(), JSON.stringify(HAZELCAST)], [text, `"${text}"`]);
    for (const same of [` ${text} `, text.replace("1514764800000", "2018-01-01")]) {
      equal(`${Layout.parse(same)}`, text);
    }
    equal([HAZELCAST.epochMs, HAZELCAST.tickMs], [1514764800000, 1]);
    const sonyflake = Layout.preset("sonyflake");
    const { fields, epochMs, tickMs } = sonyflake;
    for (const epoch of [epochMs, new Date(epochMs)]) {
      equal(`${new Layout({ fields, epochMs: epoch, tickMs })}`, `${sonyflake}`);
    }
    equal(new Layout({ fields, epochMs }).tickMs, 1);
    equal(`${new Layout(HAZELCAST)}`, text);
  },

  "many ids at once": () => {
    const tweets = BigUint64Array.from({ length: 2500 }, (_, i) => TWEET + BigInt(i * 1_000_000));
    const columns = TWITTER.decodeMany(tweets);
    for (const row of [0, 1, 1023, 1024, 2047, 2048, 2499]) {
      const { id, timestampMs, node, sequence, tag } = TWITTER.decode(tweets[row]);
      equal(
        [columns.id, columns.timestampMs, columns.node, columns.sequence, columns.tag].map(
          (column) => column[row],
        ),
        [id, timestampMs, node, sequence, tag],
      );
    }
    equal(columns.refused.length, 0);
    equal(TWITTER.decodeMany(Array.from(tweets, String)), columns);
    equal(TWITTER.decodeMany(tweets.join("\r\n")), columns);
    equal(TWITTER.decodeMany([]).id.length, 0);
  },

  "the lines of a text as the rows of an array": () => {
    const odd = ["", " \t7 ", "7\r\r", "\u00a07\ufeff", "x", "7 7", "-7", "7\u0000", "ä", "😀7"];
    const digits = [`${ID_MAX}`, `${ID_MAX + 1n}`, `0${TWEET}`, "9".repeat(20)];
    const long = ["0".repeat(18), "0".repeat(21), " ".repeat(5000), "1".repeat(9000)];
    const lines = [...odd, ...digits, ...long].flatMap((line) => [`${TWEET}`, line, line]);
    const numbers = Array.from({ length: 1100 }, String);
    // Each shift moves the places where the text is divided into chunks.
    for (let shift = 0; shift < 25; shift++) {
      const rows = ["9".repeat(shift % 19), ...lines, ...numbers, ...lines];
      const text = rows.join("\n");
      const trimmed = rows.map((row) => row.trim());
      equal(TWITTER.decodeMany(text), TWITTER.decodeMany(trimmed));
      equal(TWITTER.decodeMany(`${text}\n\n`), TWITTER.decodeMany([...trimmed, ""]));
    }
    equal(TWITTER.decodeMany("").id.length, 0);
    equal(TWITTER.decodeMany("\n").refused, Uint32Array.of(0));
    equal(TWITTER.decodeMany("7").id, BigUint64Array.of(7n));
  },

  "rows that are no ids": () => {
    const columns = TWITTER.decodeMany([TWEET, "x", 5, 2n ** 63n, ""]);
    equal(columns.refused, Uint32Array.of(1, 3, 4));
    equal(columns.id, BigUint64Array.of(TWEET, 0n, 5n, 2n ** 63n, 0n));
    equal(columns.sequence, Float64Array.of(0, NaN, 5, NaN, NaN));
    equal(columns.node, Float64Array.of(378, NaN, 0, NaN, NaN));
    throws(() => TWITTER.decodeMany([2 ** 53]), { code: "invalid-id" });
    throws(() => TWITTER.decodeMany([ID_MAX + 1n]), { code: "invalid-id" });
  },

  "an id of parts": () => {
    const { timestampMs, node, sequence } = TWITTER.decode(TWEET);
    equal(TWITTER.encode({ timestampMs, node, sequence }), TWEET);
    equal(TWITTER.encode({ timestampMs: new Date(timestampMs), node }), TWEET);
    equal(TWITTER.encode({ timestampMs: TWITTER.epochMs }), 0n);
    equal(TWITTER.encode({ timestampMs: TWITTER.epochMs, sequence: 4095 }), 4095n);
    equal(TWITTER.encode({ timestampMs: TWITTER.epochMs, node: undefined }), 0n);
    throws(() => TWITTER.encode({ timestampMs: 0 }), { code: "before-epoch" });
  },

  "the ids of a window": () => {
    const [fromMs, untilMs] = [Date.UTC(2018, 0, 16), Date.UTC(2018, 0, 17)];
    const { min, max } = HAZELCAST.range(fromMs, untilMs);
    equal(HAZELCAST.decode(min).timestampMs, fromMs);
    equal(HAZELCAST.decode(max).timestampMs, untilMs - 1);
    equal([HAZELCAST.decode(max).node, HAZELCAST.decode(max).sequence], [65535, 63]);
    const ofNode = HAZELCAST.range(new Date(fromMs), new Date(untilMs), { node: 7 });
    equal(ofNode, { min: min + 7n, max: max - 65535n + 7n });
    equal(HAZELCAST.range(fromMs, untilMs, { node: 0 }).min, min);
    equal(HAZELCAST.range(fromMs, untilMs, {}).min, min);
    throws(() => HAZELCAST.range(untilMs, untilMs), { code: "invalid-window" });
  },

  "what a layout holds": () => {
    equal(Layout.preset("js-safe").info().fitsNumber, true);
    const { used, ...rest } = TWITTER.info(TWITTER.epochMs);
    equal(used, 0);
    equal(TWITTER.info(new Date("2100-01-01")).used, 1);
    equal(rest, {
      nodes: 1024,
      idsPerTick: 4096,
      expiresAt: new Date("2080-07-10T17:30:30.209Z"),
      fitsNumber: false,
      fitsNumberUntil: new Date("2010-11-28T22:14:18.305Z"),
      fitsSignedUntil: new Date("2080-07-10T17:30:30.209Z"),
      largestId: 2n ** 63n - 1n,
    });
  },

  "ids as text": () => {
    /** @type {[Encoding, string, string][]} */
    const encodings = [
      ["decimal", "1541815603606036480", "18446744073709551615"],
      ["signed-decimal", "1541815603606036480", "-1"],
      ["hex", "1565a11f6217a000", "ffffffffffffffff"],
      ["base32", "1ASD13XH1F800", "FZZZZZZZZZZZZ"],
      ["base62", "1ptWyK4WgZU", "LygHa16AHYF"],
      ["base62-lower", "1PTwYk4wGzu", "lYGhA16ahyf"],
      ["base64url-bytes", "FWWhH2IXoAA", "__________8"],
    ];
    for (const [encoding, tweet, last] of encodings) {
      equal([format(TWEET, encoding), format(ID_MAX, encoding)], [tweet, last]);
      equal([parse(tweet, encoding), parse(last, encoding)], [TWEET, ID_MAX]);
    }
    equal([format("255", "hex"), format(255, "hex")], Array(2).fill("00000000000000ff"));
    equal([format(TWEET), parse(`${TWEET}`), isId(`${TWEET}`)], [`${TWEET}`, TWEET, true]);
  },

  "the signed numbers of SQL": () => {
    for (const [id, signed] of [
      [0n, 0n],
      [2n ** 63n - 1n, 2n ** 63n - 1n],
      [2n ** 63n, -(2n ** 63n)],
      [ID_MAX, -1n],
    ]) {
      equal([toSigned(id), fromSigned(signed), fromSigned(`${signed}`)], [signed, id, id]);
    }
    equal(fromSigned(-1), ID_MAX);
  },

  "S36 H24 H25 Q3 what the users of a preset choose": () => {
    const epochMs = new Date("2014-02-01T00:00+01:00");
    const snowcast = Layout.preset("snowcast", { nodes: 129, epochMs });
    equal(`${snowcast}`, "timestamp:41 node:8 sequence.counter:15 @1391209200000 tick=1ms");
    equal(`${Layout.preset("snowcast", { nodes: 8192 })}`, `${Layout.preset("snowcast")}`);
    const given = { epochMs: 0, bitsSequence: 10, bitsNodeId: 12 };
    equal(
      `${Layout.preset("hazelcast", given)}`,
      `${Layout.parse("hazelcast epoch-start=0 bits-sequence=10 bits-node-id=12")}`,
    );
    equal(`${Layout.parse("snowcast nodes=129 epoch=2014-02-01T00:00+01:00")}`, `${snowcast}`);
    const later = { epochMs: new Date("2026-01-01"), overlapsOldIds: true };
    const again = Layout.preset("worker-queue", later);
    equal(`${again}`, "unused:1 timestamp:38 node.worker:15 sequence:10 @1767225600000 tick=1ms");
    equal(again.decode(2n ** 55n).warnings[0].code, "overlaps-old-ids");
  },

  "J7 J8 Q4 a node by its fields": () => {
    const { timestampMs } = TWITTER.decode(TWEET);
    const node = { datacenter: 11, worker: 26 };
    equal(TWITTER.encode({ timestampMs, node }), TWEET);
    equal(
      TWITTER.range(timestampMs, timestampMs + 1, { node }),
      TWITTER.range(timestampMs, timestampMs + 1, { node: 378 }),
    );
    const ids = new Generator({ layout: TWITTER, node: { datacenter: 31, worker: 30 } });
    equal(TWITTER.decode(ids.next()).node, 31 * 32 + 30);
    throws(() => new Generator({ layout: TWITTER, node: 31 * 32 + 30 }), { code: "node-in-use" });
    ids.close();
    const typed = Layout.preset("resource-type");
    const parts = { timestampMs: typed.epochMs, node: { region: 63, machine: 3 }, tag: 16383 };
    equal(typed.decode(typed.encode(parts)).tag, 16383);
  },

  "ids in JSON": () => {
    const row = { id: TWEET, tags: [1n, 2n], name: "5", parent: null };
    const text = '{"id":"1541815603606036480","tags":["1","2"],"name":"5","parent":null}';
    equal(JSON.stringify(row, jsonReplacer), text);
    equal(JSON.parse(text, jsonReviver("id", "tags", "parent")), row);
    equal(JSON.parse('{"a":[{"id":7}],"n":1.5}', jsonReviver("id")), { a: [{ id: 7n }], n: 1.5 });
    // If the engine passes the number's digits to the reviver, none are lost. If it does not, the
    // reviver refuses the number.
    const revived = () => JSON.parse('{"id":1541815603606036481}', jsonReviver("id")).id;
    let tellsDigits = false;
    JSON.parse("1", (...args) => {
      tellsDigits = /** @type {any[]} */ (args)[2]?.source === "1";
    });
    if (tellsDigits) equal(revived(), 1541815603606036481n);
    else throws(revived, { code: "invalid-id" });
  },

  "ids that were found together": () => {
    // The first id fits Discord and Twitter, and the second one fits only Twitter.
    const [older, newer] = [560070183650213889n, 1585841080431321088n];
    const nowMs = Date.UTC(2026, 10, 22);
    equal(identify(older, { nowMs, around: [] })[0].preset, "discord");
    equal(identify(older, { nowMs: new Date("2015-01-28") })[0].preset, "twitter");
    for (const around of [[newer], `${newer}`, BigUint64Array.of(newer), [newer, "x"]]) {
      equal(identify(older, { nowMs, around })[0].preset, "twitter");
    }
    const found = identifyMany([older, "x", newer, 1700000000123n], { nowMs });
    equal(found.id, BigUint64Array.of(older, 0n, newer, 1700000000123n));
    equal(found.preset, ["twitter", undefined, "twitter", "unix-ms"]);
    equal(found.timestampMs, Float64Array.of(1422366112040, NaN, 1666928951734, 1700000000123));
    equal(found.refused, Uint32Array.of(1));
    const many = Array.from({ length: 3000 }, (_, i) => newer + (BigInt(i) << 22n));
    equal(identifyMany([...many, older], { nowMs }).systems, [{ preset: "twitter", rows: 3001 }]);
  },

  "which system an id comes from": () => {
    const [{ preset, title, decoded, reasons }] = identify(6685980502161199104n);
    equal([preset, title, decoded?.node], ["linkedin", "LinkedIn", 25]);
    equal(reasons, "date plausible, 1 unused bit is 0");
    const [time] = identify(1700000000123n);
    equal([time.preset, time.timestampMs], ["unix-ms", 1700000000123]);
    equal(time.decoded, undefined);
    throws(() => Layout.preset("unix-ms"), { code: "unknown-preset" });
  },

  "ids of one tick and the next": () => {
    const { clock, ids } = start({ node: 5 });
    for (let sequence = 0; sequence < 4096; sequence++) {
      const id = ids.next();
      equal(id, TWITTER.encode({ timestampMs: clock.ms, node: 5, sequence }));
    }
    for (const issue of [
      () => ids.next(),
      () => ids.nextString(),
      () => ids.nextInto(new Uint8Array(20)),
      () => ids.fill(new BigUint64Array(1)),
      () => ids.batch(1),
    ]) {
      throws(issue, { name: "EdgeflakeError", code: "exhausted", retryInMs: 1 });
    }
    clock.ms -= 1000;
    throws(() => ids.next(), { code: "exhausted", retryInMs: 1001 });
    clock.ms += 1001;
    equal(TWITTER.decode(ids.next()).sequence, 0);
    // The clock steps back. Generators of other packages then fail with "clock moved backwards".
    clock.ms -= 101;
    throws(() => ids.next(), { code: "clock-back", retryInMs: 101 });
    ids.close();
  },

  "the first id of all is 0": () => {
    const layout = Layout.parse(SMALL);
    const { ids } = start({ layout, node: 0, now: () => 1000 });
    equal([ids.next(), ids.nextString(), ids.nextNumber()], [0n, "1", 2]);
    ids.close();
    for (const [node, [encoding, longest]] of LONGEST.entries()) {
      // No text was written before, so the first bytes can be those of the id with number 0.
      for (const [bits, asText] of /** @type {const} */ ([
        [40, true],
        [41, false],
      ])) {
        const layout = Layout.parse(`timestamp:${bits} sequence:${node + 1} @1000`);
        const { ids } = start({ layout, node: 0, now: () => 1000 });
        const bytes = new Uint8Array(longest);
        const text = asText
          ? ids.nextString(encoding)
          : textIn(bytes, ids.nextInto(bytes, encoding));
        equal(text, format(0n, encoding));
        ids.close();
      }
    }
  },

  "ids ahead of the clock": () => {
    const { ids, layout } = start({ allowedFutureMs: 9 });
    const filled = new BigUint64Array(50_000);
    equal(ids.fill(filled), 10 * 4096);
    equal(filled[40_960], 0n);
    equal(filled[40_959] - filled[0] > 0n, true);
    equal(new Set(filled.subarray(0, 40_960)).size, 40_960);
    equal(layout.decode(filled[40_959]).timestampMs, 1_780_000_000_009);
    const { issued, fills, ticksBorrowed, furthestAheadMs, clockStepsBack, exhausted } =
      ids.stats();
    equal([issued, fills, ticksBorrowed, furthestAheadMs], [40_960, 1, 9, 9]);
    equal([clockStepsBack, exhausted], [0, 1]);
    ids.close();
    equal(ids.stats().issued, 40_960);
  },

  "a batch": () => {
    const { ids } = start();
    equal(ids.batch(0).length, 0);
    equal(ids.batch(3).length, 3);
    const rest = ids.batch(5000);
    equal([rest.length, rest.buffer.byteLength], [4093, 4093 * 8]);
    equal(ids.stats().fills, 3);
    ids.close();
  },

  "ids as text and as numbers": () => {
    const { clock, ids, layout } = start({ layout: Layout.preset("js-safe"), node: 0 });
    const number = ids.nextNumber();
    equal(layout.decode(number).timestampMs, clock.ms);
    equal(ids.nextString(), String(number + 1));
    equal(parse(ids.nextString("base62"), "base62"), BigInt(number) + 2n);
    ids.close();
    throws(() => start().ids.nextNumber(), { code: "unsafe-number" });
  },

  "ids in the encoding of the generator": async () => {
    for (const [encoding, longest] of LONGEST) {
      const { ids } = start({ layout: TAGGED, encoding });
      const bytes = new Uint8Array(longest);
      const texts = [ids.next(), ids.next(3), await ids.nextAsync(), ids.nextString()];
      texts.push(textIn(bytes, ids.nextInto(bytes)));
      const found = texts.map((text) => TAGGED.decode(parse(`${text}`, encoding)));
      equal(
        found.map(({ sequence, tag }) => [sequence, tag]),
        [0, 1, 2, 3, 4].map((sequence) => [sequence, sequence === 1 ? 3 : 0]),
      );
      equal([typeof ids.batch(1)[0], ids.nextString("decimal").length > 9], ["bigint", true]);
      ids.batch(4096);
      throws(() => ids.next(), { code: "exhausted" });
      ids.close();
      throws(() => ids.next(), { code: "closed" });
    }
  },

  "new ids in each encoding, as text and in bytes": () => {
    for (const text of [
      "timestamp:41 node:4 sequence:2 @1000",
      "timestamp:43 sequence:6 node:15 @0",
    ]) {
      const layout = Layout.parse(text);
      const last = Number(layout.info().expiresAt) - layout.epochMs - 1;
      for (const [node, [encoding]] of LONGEST.entries()) {
        const clock = { ms: 0 };
        const { ids } = start({ layout, node, now: () => clock.ms });
        // The texts of these ids go from the shortest to the longest.
        for (const ms of [0, 1, 4, 255, 1e5, 1e9, 1e9 + 1, 2 ** 40, last]) {
          clock.ms = layout.epochMs + ms;
          const bytes = new Uint8Array(70);
          const found = [ids.nextString(encoding)];
          const length = ids.nextInto(bytes, encoding, 3);
          found.push(textIn(bytes.subarray(3), length));
          const expected = [0, 1].map((sequence) =>
            format(layout.encode({ timestampMs: clock.ms, node, sequence }), encoding),
          );
          equal(found, expected);
          const rest = [...bytes.subarray(0, 3), ...bytes.subarray(3 + length)];
          equal(Math.max(...rest), 0);
        }
        ids.close();
      }
    }
  },

  "bytes without room": () => {
    const { ids } = start();
    for (const [encoding, longest] of LONGEST) {
      equal(ids.nextInto(new Uint8Array(longest + 2), encoding, 2) > 0, true);
      const short = new Uint8Array(longest + 1);
      throws(() => ids.nextInto(short, encoding, 2), { code: "invalid-option" });
    }
    equal(ids.stats().issued, LONGEST.length);
    ids.close();
  },

  tags: () => {
    const layout = Layout.parse(SMALL);
    const { ids } = start({ layout, node: 1, tags: 5 });
    equal(
      [ids.next(), ids.next(7), ids.next()].map((id) => layout.decode(id).tag),
      [5, 7, 5],
    );
    ids.close();
  },

  "it goes on after an id that is remembered": () => {
    const { ids, layout } = start({ allowedFutureMs: 1000 });
    const last = ids.batch(10_000)[9_999];
    const { node } = layout.decode(last);
    ids.close();
    // This id is later than every id of this process.
    const later = layout.encode({ timestampMs: layout.decode(last).timestampMs + 500, node });
    for (const resumeAfter of [later, `${later}`]) {
      const after = start({ node, allowedFutureMs: 1000, resumeAfter });
      equal(after.ids.next() > later, true);
      after.ids.close();
    }
    throws(() => start({ node: node + 1, resumeAfter: last }), { code: "other-node" });
    // A text in `resumeAfter` is in the generator's encoding.
    const text = format(later + 9n, "hex");
    const options = { node, allowedFutureMs: 1000, resumeAfter: text };
    const { ids: texts } = start({ ...options, encoding: /** @type {const} */ ("hex") });
    equal(`${texts.next()}` > text, true);
    texts.close();
  },

  "G15 one generator per node in one process": () => {
    const first = start({ node: 1023 });
    // Layouts with equal bits share their nodes, whatever their names are.
    const same = `${TWITTER}`.replace("node.datacenter:5 node.worker:5", "node:10");
    for (const layout of [TWITTER, Layout.preset("leaf"), Layout.parse(same)]) {
      throws(() => start({ layout, node: 1023 }), { code: "node-in-use" });
    }
    // A layout with another epoch makes other ids, so the node is free in it.
    start({ layout: Layout.parse(`${TWITTER}`.replace(/@\d+/, "@0")), node: 1023 }).ids.close();
    const last = first.ids.next();
    first.ids[Symbol.dispose]();
    for (const call of [
      () => first.ids.next(),
      () => first.ids.nextNumber(),
      () => first.ids.fill(new BigUint64Array(1)),
    ]) {
      throws(call, { code: "closed", message: "the generator was closed: make another" });
    }
    first.ids.close();
    // A generator that is refused for another reason leaves the node free.
    for (const wrong of [{ tags: 1 }, { encoding: /** @type {any} */ ("base63") }]) {
      throws(() => start({ node: 1023, ...wrong }), {});
    }
    const second = start({ node: 1023 });
    throws(() => second.ids.next(), { code: "exhausted", retryInMs: 1 });
    second.clock.ms++;
    equal(second.ids.next() > last, true);
    second.ids.close();
  },

  "a generator that is shared": () => {
    // The layout has its own epoch, so that no other test has issued its ids.
    const layout = Layout.parse("timestamp:41 node:10 sequence:12 @2026-01-01");
    const options = { layout, node: 7, allowedFutureMs: 1000 };
    const ids = Generator.shared(options);
    const first = ids.next();
    for (const own of [layout, Layout.parse(`${layout}`)]) {
      equal(Generator.shared({ ...options, layout: own }), ids);
    }
    throws(() => Generator.shared({ layout, node: 7 }), { code: "node-in-use" });
    throws(() => new Generator(options), { code: "node-in-use" });
    throws(() => Generator.shared({ ...options, encoding: "hex" }), { code: "node-in-use" });
    const now = /** @type {any} */ ({ layout, node: 7, now: () => 0 });
    throws(() => Generator.shared(now), { code: "invalid-option" });
    ids.close();
    // The first generator was closed, so `shared` makes a new one, which continues after its ids.
    const next = Generator.shared(options);
    equal(next !== ids && next.next() > first, true);
    next.close();
    // This generator was not made by `shared`.
    const own = new Generator(options);
    equal(Generator.shared(options), own);
    own.close();
  },

  "a clock that closes its generator": () => {
    const layout = Layout.preset("js-safe");
    for (const issue of /** @type {((ids: Generator) => unknown)[]} */ ([
      (ids) => ids.next(),
      (ids) => ids.nextString(),
      (ids) => ids.nextInto(new Uint8Array(20)),
      (ids) => ids.nextNumber(),
      (ids) => ids.batch(1),
    ])) {
      /** @type {Generator | undefined} */
      let other;
      const now = () => {
        ids.close();
        // The new generator may get the internal number of the closed one.
        other = new Generator({ layout, node: 2 });
        return Date.now();
      };
      const ids = new Generator({ layout, node: 1, now });
      throws(() => issue(ids), { code: "closed" });
      other?.close();
    }
  },

  "S10 J9 J11 Q20 waiting for an id, many at once": async () => {
    const { clock, ids } = start();
    ids.batch(4096);
    const waiting = Array.from({ length: 5000 }, () => ids.nextAsync());
    let passed = false;
    waiting[0].then(() => {
      passed = true;
    });
    await sleep(10);
    equal(passed, false);
    clock.ms++;
    await sleep(10);
    clock.ms++;
    equal(new Set(await Promise.all(waiting)).size, 5000);
    // The clock goes back, so the next id has to wait.
    clock.ms -= 20;
    const last = (await Promise.all(waiting))[4999];
    throws(() => ids.next(), { code: "clock-back", retryInMs: 20 });
    const late = ids.nextAsync();
    clock.ms += 20;
    equal((await late) > last, true);
    ids.close();
    equal(await ids.nextAsync().catch((error) => error.code), "closed");
  },

  "J17 the clock of the platform": async () => {
    const ids = new Generator({ layout: Layout.preset("edge"), node: 9 });
    const before = Date.now();
    const issued = [];
    for (let i = 0; i < 50; i++) issued.push(await ids.nextAsync());
    const { timestampMs } = Layout.preset("edge").decode(issued[49]);
    equal(timestampMs >= before - 1 && timestampMs <= Date.now(), true);
    equal(new Set(issued).size, 50);
    ids.close();
  },

  "memory that grows": () => {
    const layouts = [];
    for (let i = 0; i < 2000; i++) layouts.push(Layout.parse(`timestamp:41 node:8 @${i}`));
    equal(layouts[1999].decode(256n << 0n).timestampMs, 2000);
    equal(TWITTER.decode(TWEET).node, 378);
    equal(format(TWEET, "hex"), "1565a11f6217a000");
  },
};

/** Runs the tests above and `more`, and returns the failures. @param {typeof tests} [more] */
export async function run(more) {
  /** @type {string[]} */
  const failures = [];
  const all = Object.entries({ ...tests, ...more });
  for (const [name, test] of all) {
    try {
      await test();
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  return { count: all.length, failures };
}
