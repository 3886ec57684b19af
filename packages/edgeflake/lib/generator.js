import { digitsOf, put } from "./digits.js";
import { EdgeflakeError } from "./error.js";
import { exchange, ROWS_MAX, refusal, wasm } from "./exchange.js";
import { bitsOf, layoutNumber, nodeNumber } from "./layout.js";
import { integer } from "./number.js";
import { known, shown } from "./options.js";
import { giveBack, inUse, staticNode, take, userOf } from "./static-nodes.js";
import { encode, encodingNumber, idOf } from "./text.js";

/** @import { Encoding, GeneratorOptions, Statistics } from "edgeflake" */

/** What a shared generator takes. */
const SHARED_OPTIONS = [
  "layout",
  "node",
  "allowedFutureMs",
  "sequenceStart",
  "gaps",
  "tags",
  "resumeAfter",
];

/** What one of your own takes. */
const OPTIONS = [...SHARED_OPTIONS, "now"];

/** The longest single wait: a clock that went back may be set right before it has caught up. */
const WAIT_MAX_MS = 1000;

/** Whether the generator that is being made is shared. */
let isShared = false;

export class Generator {
  /** The module's number of it; 0 once it is closed. */
  #number;
  /** Where the realm keeps its node. */
  #node;
  /** The clock, unless it is `Date.now`, which is faster when it is called by name. */
  #now;
  #fills = 0;
  /** @type {Statistics | undefined} */
  #ended;

  /** @param {GeneratorOptions} options */
  constructor(options) {
    const {
      layout,
      node,
      allowedFutureMs = 0,
      sequenceStart = "zero",
      gaps = 0,
      tags = 0,
      resumeAfter,
      now,
    } = known("new Generator", options, OPTIONS);
    if (now !== undefined && typeof now !== "function") {
      throw new EdgeflakeError("invalid-option", `now is ${shown(now)}: a function is allowed`);
    }
    const startMax = largestStart(sequenceStart);
    // Workers have random bits only within a request, and most generators need none.
    const seed = new BigUint64Array(1);
    // What React Native's users add for `crypto` fills no BigUint64Array.
    if (startMax !== 0 || gaps > 0) crypto.getRandomValues(new Uint32Array(seed.buffer));
    const last = resumeAfter === undefined ? 0n : idOf(resumeAfter);
    const bits = bitsOf(layout);
    const number = nodeNumber(layout, node);
    const place = staticNode(bits, number);
    if (place.use) {
      throw inUse(number, "close its generator first, or let Generator.shared give it to you");
    }
    exchange().ids[0] = last;
    const handle = wasm.createGenerator(
      layoutNumber(layout),
      number,
      place.fromTick,
      integer("allowedFutureMs", allowedFutureMs),
      startMax,
      integer("gaps", gaps),
      integer("tags", tags),
      seed[0],
      resumeAfter === undefined ? 0 : 1,
    );
    if (!handle) throw refusal();
    this.#number = handle;
    this.#now = now;
    this.#node = place;
    take(place, this, { options: optionsText(options), close: closing(handle), isShared });
  }

  /** @param {Omit<GeneratorOptions, "now">} options */
  static shared(options) {
    const clock = ", on the clock of the system";
    const { layout, node } = known("Generator.shared", options, SHARED_OPTIONS, clock);
    const bits = bitsOf(layout);
    const number = nodeNumber(layout, node);
    const place = staticNode(bits, number);
    const there = userOf(place);
    if (there) {
      const [made, wanted] = [place.use?.options, optionsText(options)];
      if (made !== wanted) {
        throw inUse(number, `made with ${made}, not ${wanted}: ask for the same everywhere`);
      }
      return /** @type {Generator} */ (there);
    }
    isShared = true;
    try {
      return new Generator(options);
    } finally {
      isShared = false;
    }
  }

  /** @param {number} [tag] */
  next(tag) {
    const nowMs = this.#now === undefined ? Date.now() : this.#now();
    const id =
      tag === undefined
        ? wasm.next(this.#number, nowMs)
        : wasm.nextTagged(this.#number, nowMs, integer("tag", tag));
    // The module's are signed.
    return BigInt.asUintN(64, id) || this.#none();
  }

  /** @param {number} [tag] */
  async nextAsync(tag) {
    for (;;) {
      try {
        return this.next(tag);
      } catch (error) {
        if (!(error instanceof EdgeflakeError) || error.retryInMs === undefined) throw error;
        // Each caller has its own timer: in Workers one request must not wait for another's.
        const ms = Math.min(error.retryInMs, WAIT_MAX_MS);
        await new Promise((resolve) => setTimeout(resolve, ms));
      }
    }
  }

  /** @param {Encoding} [encoding] */
  nextString(encoding = "decimal") {
    const digits = digitsOf(encoding);
    if (!digits) return encode(this.next(), encoding);
    const nowMs = this.#now === undefined ? Date.now() : this.#now();
    const low = wasm.nextSplit(this.#number, nowMs, digits.lows);
    const high = exchange().numbers[0];
    return high || low ? digits.text(high, low) : encode(this.#none(), encoding);
  }

  /**
   * @param {Uint8Array} bytes
   * @param {Encoding} [encoding]
   * @param {number} [at]
   */
  nextInto(bytes, encoding = "decimal", at = 0) {
    const digits = digitsOf(encoding);
    const least =
      integer("at", at) + (digits ? digits.longest : wasm.longest(encodingNumber(encoding)));
    const length = is(bytes, "Uint8Array") ? bytes.length : -1;
    // Known before an id is issued, which would otherwise be lost.
    if (length < least) {
      const found = length < 0 ? `is ${shown(bytes)}` : `has ${length} bytes`;
      throw new EdgeflakeError(
        "invalid-option",
        `bytes ${found}: a Uint8Array of at least ${least} is allowed`,
      );
    }
    if (!digits) return put(encode(this.next(), encoding), bytes, at) - at;
    const nowMs = this.#nowMs();
    const low = wasm.nextSplit(this.#number, nowMs, digits.lows);
    const high = exchange().numbers[0];
    const end =
      high || low
        ? digits.write(high, low, bytes, at)
        : put(encode(this.#none(), encoding), bytes, at);
    return end - at;
  }

  nextNumber() {
    const nowMs = this.#nowMs();
    const id = wasm.nextNumber(this.#number, nowMs);
    if (id < 0) {
      throw new EdgeflakeError(
        "unsafe-number",
        "the layout has ids above 2^53 - 1, which JavaScript rounds: call next()",
      );
    }
    return id || Number(this.#none());
  }

  /** @param {BigUint64Array} ids */
  fill(ids) {
    if (!is(ids, "BigUint64Array")) {
      throw new EdgeflakeError(
        "invalid-option",
        `ids is ${shown(ids)}: a BigUint64Array is allowed`,
      );
    }
    this.#fills++;
    const nowMs = this.#nowMs();
    let filled = 0;
    while (filled < ids.length) {
      const wanted = Math.min(ids.length - filled, ROWS_MAX);
      const count = wasm.fill(this.#number, nowMs, wanted);
      ids.set(exchange().ids.subarray(0, count), filled);
      filled += count;
      if (count < wanted) break;
    }
    if (filled === 0 && ids.length > 0) this.#none();
    return filled;
  }

  /** @param {number} count */
  batch(count) {
    const ids = new BigUint64Array(integer("count", count));
    const filled = this.fill(ids);
    // A few ids do not keep the memory of many.
    return filled === count ? ids : ids.slice(0, filled);
  }

  /** @returns {Statistics} */
  stats() {
    if (this.#ended) return this.#ended;
    wasm.stats(this.#number);
    const [issued, ticksBorrowed, furthestAheadMs, clockStepsBack, exhausted] = exchange().numbers;
    const fills = this.#fills;
    return { issued, fills, ticksBorrowed, furthestAheadMs, clockStepsBack, exhausted };
  }

  close() {
    if (this.#ended) return;
    this.#ended = this.stats();
    giveBack(this.#node);
    this.#number = 0;
  }

  [Symbol.dispose]() {
    this.close();
  }

  #nowMs() {
    return this.#now === undefined ? Date.now() : this.#now();
  }

  /** Throws why there was no id, unless 0 is one. */
  #none() {
    if (wasm.explain(this.#number)) throw refusal();
    return 0n;
  }
}

/**
 * Whether a value is a typed array of this name. One of another realm, as in a test runner, is no
 * instance of the class here.
 *
 * @param {any} value
 * @param {string} name
 */
const is = (value, name) => value?.[Symbol.toStringTag] === name;

/** What ends a generator, without a reference to it. @param {number} handle */
const closing = (handle) => () => wasm.closeGenerator(handle);

/**
 * The options that two users of a generator must agree on, as text.
 *
 * @param {Partial<GeneratorOptions>} options
 */
function optionsText({ allowedFutureMs = 0, sequenceStart = "zero", gaps = 0, tags = 0 }) {
  return JSON.stringify({ allowedFutureMs, sequenceStart, gaps, tags });
}

/**
 * As the module takes it: negative to rotate.
 *
 * @param {GeneratorOptions["sequenceStart"]} start
 */
function largestStart(start) {
  if (start === "zero") return 0;
  if (start === "rotating") return -1;
  if (start && typeof start === "object") {
    return integer("sequenceStart.random", known("sequenceStart", start, ["random"]).random);
  }
  throw new EdgeflakeError(
    "invalid-number",
    `sequenceStart is ${shown(start)}: "zero", "rotating" and { random } are allowed`,
  );
}
