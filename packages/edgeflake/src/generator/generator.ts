/// <reference lib="esnext.disposable" preserve="true" />

import { EdgeflakeError } from "../error.js";
import { Layout, type NodeId } from "../layout/layout.js";
import { exchange, ROWS_MAX, refusal, wasm } from "../module/exchange.js";
import type { Encoding } from "../names.js";
import { BOOLEAN, FUNCTION, integer, integerOf, known, refused, shown } from "../options.js";
import { isWorker } from "../realm.js";
import { codecOf } from "../text/codec.js";
import { digitsOf, put } from "../text/digits.js";
import type { Ids } from "../text/rows.js";
import { format, type Id, idOf, type NextId, parse } from "../text/text.js";
import { giveBack, inUse, keep, staticNode, take, userOf, warnInWorker } from "./static-nodes.js";

export interface GeneratorOptions<E extends Encoding | undefined = undefined> {
  layout: Layout;
  /** The node that you have assigned to this generator and to no other generator. */
  node: NodeId;
  /**
   * The encoding of the strings that `next` and `nextAsync` return. Without an encoding, they
   * return bigints, which `JSON.stringify` refuses.
   */
  encoding?: E;
  /**
   * The allowed future: how far ids may run ahead of the clock, in ms. Default: 0, because a
   * restart may repeat ids ahead of the clock.
   */
  allowedFutureMs?: number | undefined;
  /**
   * The sequence number of the first id in a tick. `"zero"` (default): 0. `{ random }`: a random
   * number from 0 to `random`. `"rotating"`: any random number; after the largest sequence number,
   * ids go on from 0, so that the ids of one tick are not in order.
   */
  sequenceStart?: "zero" | "rotating" | { random: number } | undefined;
  /** After each id, skips 0 to this many ids at random, to hide how many ids exist. Default: 0. */
  gaps?: number | undefined;
  /** The tag of ids, unless a call of `next` gives another tag. Default: 0. */
  tags?: number | undefined;
  /**
   * The last id of this node, if you have stored it: new ids continue after it. A string is read in
   * `encoding` or, without an encoding, as decimal digits.
   */
  resumeAfter?: Id | undefined;
  /**
   * Set this to `true` if no other isolate uses the node, as in a Durable Object. Otherwise a
   * Worker logs a warning, once per isolate and node. Default: `false`.
   */
  exclusive?: boolean | undefined;
  /** Returns the time in Unix ms. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /**
   * The largest number of ids for which the generator reads `Date.now` only once: 1 to 65,536.
   * Default: 1. With 64, making an id takes about a quarter of the time. But an id's timestamp may
   * be behind the clock by the time that the last 64 calls took, so use this option to make ids in
   * bulk. `fill`, `batch` and calls that would fail read the clock anyway. The option has no effect
   * in a Worker, whose clock stands still while code runs.
   */
  clockEvery?: number | undefined;
}

/** Counts of a generator's work since the generator was created. */
export interface Statistics {
  issued: number;
  /** Number of calls of `fill` and `batch`. */
  fills: number;
  /** Number of ticks whose ids were issued before the clock reached the tick. */
  ticksBorrowed: number;
  /** The largest number of ms by which the time of an id was ahead of the clock. */
  furthestAheadMs: number;
  /** Number of times that the clock was seen to have gone back. */
  clockStepsBack: number;
  /** Number of times that no id was available within the allowed future. */
  exhausted: number;
}

/** The options of `Generator.shared`; `new Generator` also has the option `now`. */
const SHARED =
  "layout node encoding allowedFutureMs sequenceStart gaps tags resumeAfter exclusive clockEvery";

/** The largest `clockEvery`. Calls for 65,536 ids take about 1 ms. */
const CLOCK_EVERY_MAX = 65_536;

/**
 * The longest wait of `nextAsync` before its next try, in ms. There is a limit because a clock that
 * went back may be corrected soon.
 */
const WAIT_MAX_MS = 1000;

/**
 * Issues the ids of a node that you assign by hand.
 *
 * The ids are unique only if no other process uses the node, and if the clock does not go back
 * across a restart. Within one thread or isolate, a second generator for the same layout and node
 * is refused. If you close the first generator, the next one continues after the ids of the first.
 *
 * ```js
 * import { Generator, Layout } from "edgeflake";
 *
 * const layout = Layout.preset("twitter");
 * const ids = new Generator({ layout, node: 5, encoding: "base62" });
 * ids.next(); // a string; a bigint without `encoding`
 * ```
 */
export class Generator<E extends Encoding | undefined = undefined> {
  /** The generator's number in the WebAssembly module; 0 once the generator is closed. */
  #number;
  #node;
  /** The option `now`. Without this option, `Date.now` is called by name, which is faster. */
  #now;
  /** The default encoding of `nextString` and `nextInto`. */
  #encoding: Encoding;
  #clockEvery: number;
  /** Number of further calls that may use the last reading of the clock. */
  #callsLeft = 0;
  /** The last reading of the clock, in Unix ms; valid while `#callsLeft` is above 0. */
  #readingMs = 0;
  /** The function that was `Date.now` at the last reading. */
  #clock: (() => number) | undefined;
  #fills = 0;
  /** The number of refused calls that were tried again with a new reading of the clock. */
  #retries = 0;
  #ended: Statistics | undefined;

  /**
   * @throws {EdgeflakeError} `node-in-use`; `too-large` for a node, start, gap or tag that is wider
   * than its fields; `invalid-option` for an unknown option, for a wrong `now`, `exclusive` or
   * `clockEvery`, for `clockEvery` with `now`, and if `sequenceStart` or `gaps` needs random bits
   * and there are none; `invalid-number` for any other value that should be an integer and is not,
   * and for an unknown `sequenceStart`; `unknown-encoding`; `other-node`, `unused-bits` and
   * `invalid-id` for a `resumeAfter` that is not an id of this node and layout
   */
  constructor(options: GeneratorOptions<E>) {
    const checks = { now: FUNCTION, exclusive: BOOLEAN, clockEvery: integerOf(1, CLOCK_EVERY_MAX) };
    const names = `${SHARED} now`.split(" ");
    const { layout, node, resumeAfter = 0n, now } = known("new Generator", options, names, checks);
    const settings = settingsOf(options);
    const { encoding, sequenceStart, gaps, clockEvery } = settings;
    if (now && clockEvery !== undefined) {
      const found = "clockEvery works only with Date.now";
      const remedy = "remove either clockEvery or the option now";
      throw new EdgeflakeError("invalid-option", `${found}: ${remedy}`);
    }
    if (encoding !== undefined) codecOf(encoding);
    const startMax = largestStart(sequenceStart);
    // A Worker has no random bits outside of a request, so draw them only if an option needs them.
    const seed = startMax !== 0 || gaps > 0 ? randomBits() : 0n;
    const last = typeof resumeAfter === "string" ? parse(resumeAfter, encoding) : idOf(resumeAfter);
    const place = staticNode(layout, node);
    if (userOf(place)) throw inUse(place, "close its generator first, or use Generator.shared");
    exchange().ids[0] = last;
    const handle = wasm.createGenerator(
      Layout.numberOf(layout),
      place.number,
      place.fromTick,
      integer("allowedFutureMs", settings.allowedFutureMs),
      startMax,
      integer("gaps", gaps),
      integer("tags", settings.tags),
      seed,
      options.resumeAfter === undefined ? 0 : 1,
    );
    if (!handle) throw refusal();
    this.#number = handle;
    this.#now = now;
    this.#clockEvery = isWorker() ? 1 : (clockEvery ?? 1);
    this.#node = place;
    this.#encoding = encoding ?? "decimal";
    if (encoding !== undefined) {
      // A generator without an encoding keeps the method `next` of the class, which is faster.
      this.next = (tag) =>
        (tag === undefined ? this.nextString() : format(this.#next(tag), encoding)) as NextId<E>;
    }
    // With `bind` instead of a closure, this object can be garbage-collected.
    const close = wasm.closeGenerator.bind(undefined, handle);
    take(place, this, JSON.stringify(settings), close);
    if (!options.exclusive) warnInWorker(place);
  }

  /**
   * Returns the open generator of this layout and node in this thread or isolate, or makes one. If
   * a bundler or dev server loads several copies of this package, the copies share the generator.
   * Pass the same options in each call, except `resumeAfter`, which only a new generator reads.
   *
   * @throws {EdgeflakeError} `node-in-use` if the open generator was made with other options;
   * `invalid-option` for `now`; the errors of the constructor
   */
  static shared<E extends Encoding | undefined = undefined>(
    options: Omit<GeneratorOptions<E>, "now">,
  ): Generator<E> {
    const clock = "; a shared generator reads the clock of the system";
    const { layout, node } = known("Generator.shared", options, SHARED.split(" "), {}, clock);
    const place = staticNode(layout, node);
    const there = userOf(place);
    if (!there) {
      const generator = new Generator(options);
      keep(place, generator);
      return generator;
    }
    const [made, wanted] = [place.use?.options, JSON.stringify(settingsOf(options))];
    if (made === wanted) return there as Generator<E>;
    const why = `its generator was made with ${made}, not ${wanted}`;
    throw inUse(place, `${why}: pass the same options everywhere`);
  }

  /**
   * Returns the next id, in the generator's encoding or, without an encoding, as a bigint. `tag`
   * replaces the option `tags`. The call never waits, and reads nothing but the clock.
   *
   * @throws {EdgeflakeError} `exhausted` with `retryInMs` when the id would lie further ahead of
   * the clock than allowed, or `clock-back` if the cause is that the clock went back;
   * `before-epoch`, `layout-ended`, `closed`; `too-large` for a tag
   */
  next(tag?: number): NextId<E> {
    return this.#next(tag) as NextId<E>;
  }

  #next(tag?: number): bigint {
    const nowMs = this.#nowMs();
    const id =
      tag === undefined
        ? wasm.next(this.#number, nowMs)
        : wasm.nextTagged(this.#number, nowMs, integer("tag", tag));
    // The module returns signed numbers, and 0 if it could not issue an id.
    return BigInt.asUintN(64, id) || (this.#none() ?? this.#next(tag));
  }

  /**
   * Returns the next id. Waits if no id is available now. Several callers may wait at once.
   *
   * @throws {EdgeflakeError} the errors of {@link next} except `exhausted` and `clock-back`
   */
  async nextAsync(tag?: number): Promise<NextId<E>> {
    for (;;) {
      try {
        return this.next(tag);
      } catch (error) {
        if (!(error instanceof EdgeflakeError) || error.retryInMs === undefined) throw error;
        // Each caller has its own timer, because a Worker's requests cannot share one.
        const ms = Math.min(error.retryInMs, WAIT_MAX_MS);
        await new Promise((resolve) => setTimeout(resolve, ms));
      }
    }
  }

  /**
   * Returns the next id as text. Default encoding: the generator's or, without one, decimal.
   *
   * @throws {EdgeflakeError} the errors of {@link next}; `unknown-encoding`
   */
  nextString(encoding: Encoding = this.#encoding): string {
    const digits = digitsOf(encoding);
    if (!digits) return format(this.#next(), encoding);
    const nowMs = this.#nowMs();
    const low = wasm.nextSplit(this.#number, nowMs, digits.lows);
    const high = exchange().numbers[0];
    return high || low ? digits.text(high, low) : format(this.#none() ?? this.#next(), encoding);
  }

  /**
   * Writes the next id as ASCII text into `bytes`, from index `at` on, and returns the text's
   * length. The default encoding is that of {@link nextString}. `bytes` must have room for the
   * longest text of the encoding: 64 bytes for `binary`, at most 20 for the other encodings.
   *
   * ```js
   * const bytes = new Uint8Array(20);
   * const text = bytes.subarray(0, ids.nextInto(bytes, "base62"));
   * ```
   *
   * @throws {EdgeflakeError} the errors of {@link nextString}; `invalid-option` for anything but a
   * `Uint8Array` with enough room; `invalid-number` for `at`. An error uses up no id.
   */
  nextInto(bytes: Uint8Array, encoding: Encoding = this.#encoding, at = 0): number {
    const digits = digitsOf(encoding);
    const least = integer("at", at) + (digits ?? codecOf(encoding)).most;
    const length = is(bytes, "Uint8Array") ? bytes.length : -1;
    // Check the room before an id is issued, because an id without room would be lost.
    if (length < least) {
      const found = length < 0 ? `is ${shown(bytes)}` : `has ${length} bytes`;
      const allowed = `give a Uint8Array of at least ${least} bytes`;
      throw new EdgeflakeError("invalid-option", `bytes ${found}: ${allowed}`);
    }
    if (!digits) return put(format(this.#next(), encoding), bytes, at) - at;
    const nowMs = this.#nowMs();
    const low = wasm.nextSplit(this.#number, nowMs, digits.lows);
    const high = exchange().numbers[0];
    if (high || low) return digits.write(high, low, bytes, at) - at;
    return put(format(this.#none() ?? this.#next(), encoding), bytes, at) - at;
  }

  /**
   * Returns the next id as a number. JavaScript must be able to represent all ids of the layout as
   * numbers (`layout.info().fitsNumber`).
   *
   * @throws {EdgeflakeError} the errors of {@link next}; `unsafe-number` for any other layout
   */
  nextNumber(): number {
    const nowMs = this.#nowMs();
    const id = wasm.nextNumber(this.#number, nowMs);
    if (id < 0) {
      const text = "the layout has ids above 2^53 - 1, which JavaScript rounds: call next()";
      throw new EdgeflakeError("unsafe-number", text);
    }
    return id || Number(this.#none() ?? this.#next());
  }

  /**
   * Writes the next ids into an array, from its start on, and returns their number: at least 1,
   * unless the array is empty. If the allowed future has fewer ids, the rest does not change.
   *
   * @throws {EdgeflakeError} the errors of {@link next}, when not even one id can be issued;
   * `invalid-option` for anything but a `BigUint64Array`
   */
  fill(ids: BigUint64Array): number {
    if (!is(ids, "BigUint64Array")) throw refused("ids", ids, "give a BigUint64Array");
    this.#fills++;
    this.#callsLeft = 0;
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

  /**
   * Returns the next `count` ids. If fewer ids are available now, returns those, but at least one.
   *
   * @throws {EdgeflakeError} the errors of {@link next}, when not even one id can be issued
   */
  batch(count: number): Ids {
    const ids = new BigUint64Array(integer("count", count));
    const filled = this.fill(ids);
    // Copy the ids, so that the larger array can be freed.
    return filled === count ? ids : ids.slice(0, filled);
  }

  /** Returns counts of the generator's work, also after `close`. */
  stats(): Statistics {
    if (this.#ended) return this.#ended;
    wasm.stats(this.#number);
    const [issued, ticksBorrowed, furthestAheadMs, clockStepsBack, refusals] = exchange().numbers;
    const exhausted = refusals - this.#retries;
    const fills = this.#fills;
    return { issued, fills, ticksBorrowed, furthestAheadMs, clockStepsBack, exhausted };
  }

  /** Ends the generator for good, so that another generator can use its node. */
  close(): void {
    if (this.#ended) return;
    this.#ended = this.stats();
    giveBack(this.#node);
    this.#number = 0;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #nowMs() {
    // If fake timers have replaced `Date.now`, the last reading is not used.
    if (this.#callsLeft > 0 && this.#clock === Date.now) {
      this.#callsLeft--;
      return this.#readingMs;
    }
    return this.#clockEvery > 1 ? this.#read() : this.#now === undefined ? Date.now() : this.#now();
  }

  /** Reads the clock for this call and for the next `#clockEvery - 1` calls. */
  #read() {
    this.#callsLeft = this.#clockEvery - 1;
    this.#clock = Date.now;
    this.#readingMs = Date.now();
    return this.#readingMs;
  }

  /**
   * Throws an error with the reason why the module issued no id. Returns 0n if the module issued
   * the id 0. If an old reading of the clock may be the reason, drops the reading and returns
   * `undefined`.
   */
  #none() {
    if (!wasm.explain(this.#number)) return 0n;
    const error = refusal();
    if (this.#clockEvery > 1 && this.#callsLeft < this.#clockEvery - 1) {
      if (error.retryInMs !== undefined) this.#retries++;
      this.#callsLeft = 0;
      return undefined;
    }
    if (error.code !== "before-epoch" || this.#nowMs() !== 0) throw error;
    throw new EdgeflakeError(error.code, `the clock is at 0, ${AT_MODULE_SCOPE}`);
  }
}

/** The end of error messages for Workers that make ids outside of a request handler. */
const AT_MODULE_SCOPE =
  "as at module scope of a Worker: create and use the generator in a handler, or lease a node with edgeflake/lease";

function randomBits() {
  const bits = new BigUint64Array(1);
  try {
    // React Native's `crypto` polyfills accept a `Uint32Array`.
    crypto.getRandomValues(new Uint32Array(bits.buffer));
  } catch (cause) {
    const text = `sequenceStart and gaps need random bits, and there are none, ${AT_MODULE_SCOPE}`;
    throw Object.assign(new EdgeflakeError("invalid-option", text), { cause });
  }
  return bits[0];
}

/** Like `instanceof`, but also true for arrays of another realm, such as a test runner's. */
const is = (value: { readonly [Symbol.toStringTag]: string } | undefined, name: string) =>
  value?.[Symbol.toStringTag] === name;

/** Returns the options that all `Generator.shared` calls for a node must agree on. */
function settingsOf<E extends Encoding | undefined>(options: Partial<GeneratorOptions<E>>) {
  const { encoding, allowedFutureMs = 0, sequenceStart = "zero", gaps = 0, tags = 0 } = options;
  const { clockEvery } = options;
  return { encoding, allowedFutureMs, sequenceStart, gaps, tags, clockEvery };
}

/** Returns the largest random start for the WebAssembly module, or -1 to stand for `"rotating"`. */
function largestStart(start: GeneratorOptions["sequenceStart"]) {
  if (start === "zero") return 0;
  if (start === "rotating") return -1;
  if (start && typeof start === "object") {
    return integer("sequenceStart.random", known("sequenceStart", start, ["random"]).random);
  }
  throw refused("sequenceStart", start, 'give "zero", "rotating" or { random }', "invalid-number");
}
