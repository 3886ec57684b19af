// Compares edgeflake/js with the WebAssembly module from which it is translated. A million values
// must be equal, and so must the refusals. EDGEFLAKE_SEED chooses other values.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { before, mock, test } from "node:test";
import { instantiate } from "../../packages/edgeflake/dist/edgeflake_translated.js";
import { decode, encodeInto } from "../../packages/edgeflake/dist/module/utf8.js";
import { Random } from "./simulation/random.js";

/**
 * @typedef {typeof import("edgeflake")} Api
 * @typedef {InstanceType<Api["Layout"]>} Layout
 */

const NOW_MS = Date.UTC(2026, 5, 1);
const SEED = BigInt(process.env.EDGEFLAKE_SEED ?? 4711);

const RANDOM_LAYOUTS = 275;
/** The number of random ids per layout, besides those at the edge of each bit. */
const IDS = 1_000;
/** The number of ids that are decoded one by one; 193 of them are edges. */
const ALONE = 500;
/** The number of ids that are encoded from parts per layout. */
const PARTS = 150;
/** The number of steps per generator. */
const STEPS = 15;

/**
 * Ids that include 0, 2^63, 2^64 - 1 and 2^53 ± 1, and the first and last values of every field.
 */
const EDGES = Array.from({ length: 65 }, (_, bits) => 2n ** BigInt(bits))
  .flatMap((power) => [power - 1n, power, power + 1n])
  .filter((id) => id < 2n ** 64n);

const NUMBERS = [0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, -1, 0.5, NaN, Infinity];
/** Times, among them values that no clock should return. */
const CLOCKS = [...NUMBERS, 2 ** 63, 2 ** 64, 1e300, -Infinity];

const OTHER_ROLES = ["unused", "node", "sequence", "tag"];
const PART_NAMES = /** @type {const} */ (["timestampMs", "node", "sequence", "tag"]);

const random = new Random(SEED);
const below = random.below.bind(random);
const one = random.pick.bind(random);

/** Draws an id of any length. */
const anId = () => random.bits() >> BigInt(below(64));

/** Draws a whole number below 2^53, or one of `NUMBERS` with a chance of 1 in 8. */
const aNumber = () => (below(8) === 0 ? one(NUMBERS) : Number(anId() >> 11n));

function aLayout() {
  /** @type {string[]} */
  const fields = [];
  for (let left = 64 - one([0, 0, 1, 11]); left > 0; ) {
    const width = Math.min(left, 1 + below(below(4) === 0 ? 60 : 24));
    const role = fields.length === 1 ? "timestamp" : one(OTHER_ROLES);
    fields.push(`${role}.f${fields.length}:${width}`);
    left -= width;
  }
  const ticks = one(["", " tick=10ms", " tick=1s", ` tick=${1 + below(100_000)}ms`]);
  return `${fields.join(" ")} @${one([0, 1288834974657, below(2 ** 41)])}${ticks}`;
}

// These are two copies of the package, each with its own static nodes.
const wasm = await import("edgeflake");
Reflect.deleteProperty(globalThis, Symbol.for("edgeflake/static-nodes/1"));
const COMMONJS = "../../packages/edgeflake/dist/cjs/entrypoints/js.js";
/** @type {Api[]} */
const apis = [wasm, createRequire(import.meta.url)(COMMONJS)];

let compared = 0;

/**
 * Calls `ask` for each copy, with the number of the copy. Both calls must return equal values or
 * throw equal errors.
 *
 * @param {string} what @param {(copy: number) => unknown[] | ArrayLike<unknown>} ask
 */
function agree(what, ask) {
  const [ofWasm, ofJs] = [outcome(() => ask(0)), outcome(() => ask(1))];
  compared += ofWasm.length;
  let same = ofWasm.length === ofJs.length;
  for (let i = 0; same && i < ofWasm.length; i++) same = Object.is(ofWasm[i], ofJs[i]);
  if (!same) assert.deepEqual(Array.from(ofJs), Array.from(ofWasm), `seed ${SEED}: ${what}`);
}

/** @param {() => ArrayLike<unknown>} ask */
function outcome(ask) {
  try {
    return ask();
  } catch (error) {
    const { name, code, message, retryInMs } = /** @type {any} */ (error);
    assert.equal(name, "EdgeflakeError", `${error}`);
    return [code, message, retryInMs];
  }
}

/** Makes a layout in both copies, unless they refuse its string. @param {string} text */
function inBoth(text) {
  /** @type {Layout[]} */
  const layouts = [];
  agree(`the layout ${text}`, (copy) => {
    layouts[copy] = apis[copy].Layout.parse(text);
    return [`${layouts[copy]}`];
  });
  return layouts.length === 2 ? [layouts] : [];
}

/** @type {Layout[][]} */
let all;

before(() => {
  // Stack traces would take most of the time of a refused call, so they are off.
  Error.stackTraceLimit = 0;
  mock.timers.enable({ apis: ["Date"], now: NOW_MS });
  // Generators that skip ids draw the gaps from a seed.
  const half = Number(SEED % 2n ** 32n);
  mock.method(crypto, "getRandomValues", (/** @type {Uint32Array} */ seed) => seed.fill(half));
  const drawn = Array.from({ length: RANDOM_LAYOUTS }, aLayout);
  const odd = ["", "base", "ü", "\ud800:64", "x".repeat(2_000), "é".repeat(3_000)];
  all = [...wasm.presets(), ...drawn, ...odd].flatMap(inBoth);
  assert.ok(all.length > 150, `${all.length} layouts`);
});

test("ids decoded, one and many at once", () => {
  for (const layouts of all) {
    const [layout] = layouts;
    const ids = [...EDGES, ...Array.from({ length: IDS }, anId)];
    const columns = BigUint64Array.from(ids);
    const many = layout.decodeMany(columns);
    for (const name of [...PART_NAMES, /** @type {const} */ ("refused")]) {
      agree(`${name} of ${layout}`, (copy) => layouts[copy].decodeMany(columns)[name]);
    }
    const refused = new Set(many.refused);
    for (const [row, id] of ids.slice(0, ALONE).entries()) {
      const what = `seed ${SEED}: ${id} of ${layout}`;
      agree(what, (copy) => {
        const { fields, warnings, ...parts } = layouts[copy].decode(id);
        const values = fields.map(({ value }) => value);
        return [...Object.values(parts), ...values, JSON.stringify(warnings)];
      });
      if (refused.has(row)) {
        assert.throws(() => layout.decode(id), { code: "unused-bits" }, what);
        continue;
      }
      // A single id is decoded in JavaScript from two 32-bit halves, and many ids by the module.
      const decoded = layout.decode(id);
      for (const name of PART_NAMES) assert.equal(decoded[name], many[name][row], what);
      let rest = id;
      for (const { name, bits, role, value } of decoded.fields.reverse()) {
        assert.equal(BigInt(value), BigInt.asUintN(bits, rest), `${what}: ${role} ${name}`);
        rest >>= BigInt(bits);
      }
      assert.equal(rest, 0n, what);
    }
  }
});

test("ids from parts, and from time windows", () => {
  for (const layouts of all) {
    for (let i = 0; i < PARTS; i++) {
      const decoded = outcome(() => [layouts[0].decode(anId())])[0];
      const { timestampMs = aNumber(), node = aNumber(), sequence, tag } = Object(decoded);
      const parts = { timestampMs, node, sequence, tag };
      if (below(4) === 0) parts[one(PART_NAMES)] = aNumber();
      agree(`${JSON.stringify(parts)} in ${layouts[0]}`, (copy) => [layouts[copy].encode(parts)]);
      const until = below(2) ? timestampMs + below(100_000) : aNumber();
      const options = below(2) ? {} : { node: parts.node };
      agree(`${timestampMs} to ${until} in ${layouts[0]}`, (copy) => {
        const { min, max } = layouts[copy].range(timestampMs, until, options);
        return [min, max];
      });
    }
    for (const ms of NUMBERS) {
      agree(`info of ${layouts[0]} at ${ms}`, (copy) =>
        Object.values(layouts[copy].info(ms)).map(String),
      );
    }
  }
});

test("the systems that ids may come from", () => {
  const ids = [...EDGES, ...Array.from({ length: IDS }, anId)];
  for (const [row, id] of ids.entries()) {
    const options = row % 4 === 0 ? { around: ids.slice(row, row + below(20)) } : {};
    agree(`identify ${id} in row ${row}`, (copy) => [
      JSON.stringify(apis[copy].identify(id, options), wasm.jsonReplacer),
    ]);
  }
  for (const name of /** @type {const} */ (["preset", "share", "timestampMs"])) {
    agree(`${name} of many`, (copy) => apis[copy].identifyMany(ids)[name]);
  }
});

test("ids issued on a clock", () => {
  let node = 0;
  for (const layouts of all) {
    for (const options of [
      {},
      { allowedFutureMs: below(2 ** 40), gaps: below(4), tags: below(4) },
      { sequenceStart: one([/** @type {const} */ ("rotating"), { random: below(8) }]) },
      { resumeAfter: `${anId()}` },
    ]) {
      let ms = layouts[0].epochMs + below(2 ** 42);
      const clock = { now: () => ms };
      /** @type {InstanceType<Api["Generator"]>[]} */
      const ids = [];
      const layout = layouts[0];
      const number = node++ % Math.min(layout.info().nodes, 4096);
      agree(`${JSON.stringify(options)} of ${layout}`, (copy) => {
        const { Generator } = apis[copy];
        ids[copy] = new Generator({ layout: layouts[copy], node: number, ...clock, ...options });
        return [];
      });
      if (ids.length < 2) continue;
      for (let step = 0; step < STEPS; step++) {
        ms = below(STEPS) === 0 ? one(CLOCKS) : ms + one([0, 0, 1, 5, 1000, -1]);
        const what = `step ${step} at ${ms}, ${JSON.stringify(options)} of ${layout}`;
        const encoding = one(wasm.encodings());
        const bytes = new Uint8Array(64);
        for (const call of /** @type {((ids: InstanceType<Api["Generator"]>) => any)[]} */ ([
          (ids) => [ids.next(), ids.nextString()],
          (ids) => [ids.next(step % 4), ids.nextString("base62")],
          (ids) => [ids.nextString(encoding)],
          (ids) => [ids.nextInto(bytes.fill(0), encoding), `${bytes}`],
          (ids) => [ids.nextNumber()],
          (ids) => ids.batch(10),
        ])) {
          agree(what, (copy) => call(ids[copy]));
        }
      }
      agree(`statistics of ${layout}`, (copy) => Object.values(ids[copy].stats()));
      for (const generator of ids) generator.close();
    }
  }
});

test("the tests above compared a million values", (t) => {
  t.diagnostic(`${compared} values`);
  assert.ok(compared > 1_000_000, `${compared} values`);
});

test("a memory that does not grow fails each call, and hangs none", () => {
  let grown = 0;
  const module = instantiate(() => {
    if (++grown === 3) throw new RangeError("no memory");
  });
  const bytes = new TextEncoder().encode(`${apis[0].Layout.preset("twitter")}`);
  const keep = () => {
    new Uint8Array(module.memory.buffer, module.textAt()).set(bytes);
    return module.parseLayout(bytes.length);
  };
  assert.throws(() => {
    while (keep());
  }, /no memory/);
  assert.throws(keep, /abort/);
});

test("UTF-8 as the platform writes and reads it", () => {
  for (let i = 0; i < 10_000; i++) {
    const units = Array.from({ length: below(20) }, () => below(2 ** one([7, 11, 16])));
    const text = String.fromCharCode(...units) + one(["", "😀", "\ud800", "\udc00"]);
    const [ours, theirs] = [0, 0].map(() => new Uint8Array(80));
    const room = below(80);
    const written = new TextEncoder().encodeInto(text, theirs.subarray(0, room));
    assert.deepEqual(encodeInto(text, ours.subarray(0, room)), written);
    assert.deepEqual(ours, theirs);
    assert.equal(decode(ours), new TextDecoder("utf-8", { ignoreBOM: true }).decode(ours));
  }
});

test("edgeflake/js beside edgeflake uses the module that is already loaded", async () => {
  assert.equal((await import("edgeflake/js")).Layout, wasm.Layout);
});
