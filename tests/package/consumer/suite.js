// The tests of the package that run on every platform, because their results depend on the
// platform's engine, clock, timers or WebAssembly. They import the package by name, so that each
// platform chooses its own build. The other tests run in Node alone: ../suite.txt.

import {
  encodings,
  format,
  Generator,
  identify,
  identifyMany,
  jsonReplacer,
  jsonReviver,
  Layout,
  parse,
  toSigned,
} from "edgeflake";
import { equal, throws } from "./expect.js";

/** @import { Encoding, GeneratorOptions } from "edgeflake" */

const ID_MAX = 2n ** 64n - 1n;
const TWEET = 1541815603606036480n;
const TWITTER = Layout.preset("twitter");

/** Each test uses its own node, so that no test affects another one. */
let nodes = 0;

/**
 * Starts a generator on a clock that the test sets.
 *
 * @template {Encoding | undefined} [E=undefined]
 * @param {Partial<GeneratorOptions<E>>} [options]
 */
export function start(options) {
  const clock = { ms: 1_780_000_000_000 };
  const layout = options?.layout ?? TWITTER;
  const ids = new Generator({ layout, node: nodes++, now: () => clock.ms, ...options });
  return { clock, ids, layout };
}

/** @param {number} ms */
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** @type {Record<string, () => unknown>} */
export const tests = {
  "an id taken apart and put together": () => {
    const { timestampMs, date, node, sequence, fields, warnings } = TWITTER.decode(TWEET);
    equal([date, node, warnings], [new Date("2022-06-28T16:07:40.105Z"), 378, []]);
    equal(fields[1], { name: "timestamp", bits: 41, role: "timestamp", value: 367597485448 });
    equal(TWITTER.encode({ timestampMs, node, sequence }), TWEET);
    equal(TWITTER.info().largestId, 2n ** 63n - 1n);
    equal(Layout.parse("timestamp:11 node:53 @0").decode(ID_MAX).node, 2 ** 53 - 1);
    throws(() => TWITTER.decode(2n ** 63n), { name: "EdgeflakeError", code: "unused-bits" });
  },

  "many ids of an array and of a text": () => {
    const ids = BigUint64Array.from({ length: 2500 }, (_, i) => TWEET + BigInt(i * 1_000_000));
    const columns = TWITTER.decodeMany(ids);
    for (const row of [0, 1, 1023, 1024, 2047, 2048, 2499]) {
      const { id, timestampMs, node, sequence, tag } = TWITTER.decode(ids[row]);
      equal(
        [columns.id, columns.timestampMs, columns.node, columns.sequence, columns.tag].map(
          (column) => column[row],
        ),
        [id, timestampMs, node, sequence, tag],
      );
    }
    equal(columns.refused.length, 0);
    equal(TWITTER.decodeMany(Array.from(ids, String)), columns);
    equal(TWITTER.decodeMany(ids.join("\r\n")), columns);
    const found = TWITTER.decodeMany([TWEET, "x", 5, 2n ** 63n, ""]);
    equal(found.node, Float64Array.of(378, NaN, 0, NaN, NaN));
    equal(found.refused, Uint32Array.of(1, 3, 4));
  },

  "the systems that ids come from": () => {
    const [{ preset, title, decoded, reasons }] = identify(6685980502161199104n);
    equal([preset, title, decoded?.node], ["linkedin", "LinkedIn", 25]);
    equal(reasons, "date plausible, 1 unused bit is 0");
    const many = Array.from({ length: 3000 }, (_, i) => TWEET + (BigInt(i) << 22n));
    const { systems } = identifyMany(many, { nowMs: Date.UTC(2026, 10, 22) });
    equal(systems, [{ preset: "twitter", rows: 3000 }]);
  },

  "ids as text, as signed numbers and in JSON": () => {
    for (const id of [0n, TWEET, 2n ** 63n - 1n, 2n ** 63n, ID_MAX]) {
      for (const encoding of encodings()) equal(parse(format(id, encoding), encoding), id);
    }
    equal([format(TWEET, "base62"), toSigned(ID_MAX)], ["1ptWyK4WgZU", -1n]);
    const row = { id: TWEET, tags: [1n, 2n], name: "5" };
    const text = '{"id":"1541815603606036480","tags":["1","2"],"name":"5"}';
    equal(JSON.stringify(row, jsonReplacer), text);
    equal(JSON.parse(text, jsonReviver("id", "tags")), row);
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

  "ids of one tick and the next": () => {
    const { clock, ids } = start({ node: 1000 });
    for (let sequence = 0; sequence < 4096; sequence++) {
      equal(ids.next(), TWITTER.encode({ timestampMs: clock.ms, node: 1000, sequence }));
    }
    throws(() => ids.next(), { name: "EdgeflakeError", code: "exhausted", retryInMs: 1 });
    clock.ms++;
    equal(TWITTER.decode(ids.next()).sequence, 0);
    const bytes = new Uint8Array(64);
    for (const encoding of encodings()) {
      const last = parse(ids.nextString(encoding), encoding);
      const length = ids.nextInto(bytes, encoding);
      const text = String.fromCharCode(...bytes.subarray(0, length));
      equal(parse(text, encoding), last + 1n);
    }
    equal(ids.batch(5000).length, 4096 - 1 - 2 * encodings().length);
    ids.close();
  },

  "G15 one generator per node in one process": () => {
    const options = { layout: TWITTER, node: 1023, allowedFutureMs: 1000 };
    const first = Generator.shared(options);
    const last = first.next();
    equal(Generator.shared(options), first);
    throws(() => new Generator(options), { code: "node-in-use" });
    first[Symbol.dispose]();
    throws(() => first.next(), { code: "closed" });
    const second = new Generator(options);
    equal(second.next() > last, true);
    second.close();
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
