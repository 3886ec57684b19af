import { EdgeflakeError } from "../error.js";
import { bitsOf, type Layout, layoutNumber, type NodeId, nodeNumber } from "../layout/layout.js";
import { exchange, ROWS_MAX, refusal, wasm } from "../module/exchange.js";
import type { Encoding } from "../names.js";
import { integer } from "../number.js";
import { known, refused, shown } from "../options.js";
import { codecOf } from "../text/codec.js";
import { digitsOf, put } from "../text/digits.js";
import type { Ids } from "../text/rows.js";
import { format, type Id, idOf, type NextId, parse } from "../text/text.js";
import { giveBack, inUse, staticNode, take, userOf, warnInWorker } from "./static-nodes.js";

/** The options of a {@link Generator}. */
export interface GeneratorOptions<E extends Encoding | undefined = undefined> {
  /** The bits of the ids. */
  layout: Layout;
  /** The node that you have assigned to this generator and to no other. */
  node: NodeId;
  /**
   * The encoding in which `next` and `nextAsync` return ids, as strings. Default: none, so
   * that they return bigints, which JSON does not have.
   */
  encoding?: E;
  /**
   * The allowed future: ids may run ahead of the clock by this number of ms. Default: 0, so that a
   * restart cannot repeat ids that lay ahead.
   */
  allowedFutureMs?: number | undefined;
  /**
   * The start of the sequence in a new tick: at 0; at a random number up to `random`, from where it
   * ascends; or at a random number from where it rotates through the whole tick, so that ids of one
   * tick are not in order. Default: `"zero"`.
   */
  sequenceStart?: "zero" | "rotating" | { random: number } | undefined;
  /**
   * Largest number of ids that are left out after each, at random, so that ids do not reveal how
   * many there were. Default: 0.
   */
  gaps?: number | undefined;
  /** The value of the tag fields of ids for which the call gives none. Default: 0. */
  tags?: number | undefined;
  /**
   * The last id that was issued for this node before, from wherever you keep it. A string is read
   * in `encoding`.
   */
  resumeAfter?: Id | undefined;
  /**
   * Whether no other isolate or process has the node, as where a Durable Object issues the ids.
   * Default: `false`, so that in a Worker each isolate warns once of a node that others may have.
   */
  exclusive?: boolean | undefined;
  /** The clock, in Unix ms. Default: `Date.now`. */
  now?: (() => number) | undefined;
}

/** Counts of a generator's work. */
export interface Statistics {
  /** Ids issued. */
  issued: number;
  /** Calls of `fill` and `batch`. */
  fills: number;
  /** Ticks that were entered before the clock had reached them. */
  ticksBorrowed: number;
  /** Largest distance of an id ahead of the clock, in ms. */
  furthestAheadMs: number;
  /** Number of times that the clock was seen to have gone back. */
  clockStepsBack: number;
  /** Number of times that there was no id within the allowed future. */
  exhausted: number;
}

const SHARED_OPTIONS =
  "layout node encoding allowedFutureMs sequenceStart gaps tags resumeAfter exclusive".split(" ");

const OPTIONS = [...SHARED_OPTIONS, "now"];

/** The longest single wait: a clock that went back may be set right before it has caught up. */
const WAIT_MAX_MS = 1000;

/** Says whether the generator that is being made is shared. */
let isShared = false;

/**
 * Issues the ids of a node that you assign by hand.
 *
 * Such ids are as unique as you are careful: no other process may have the node, and the
 * clock must not go back over a restart. In one memory, a second generator for the same layout and
 * node is refused, and one that follows another goes on after it.
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
  /** Number of the generator in the module; 0 once it is closed. */
  #number;
  /** The entry of its node in the realm. */
  #node;
  /** The clock, unless it is `Date.now`, which is faster when it is called by name. */
  #now;
  /** The encoding of `nextString` and `nextInto`, unless a call names another. */
  #encoding: Encoding;
  #fills = 0;
  #ended: Statistics | undefined;

  /**
   * @throws {EdgeflakeError} `node-in-use`; `too-large` for a node, start, gap or tag that is wider
   * than its fields; `invalid-option` for an option of another name; `unknown-encoding`;
   * `other-node` and `invalid-id` for an id that cannot be resumed after; `invalid-number` for
   * anything but an integer
   */
  constructor(options: GeneratorOptions<E>) {
    const {
      layout,
      node,
      encoding,
      allowedFutureMs = 0,
      sequenceStart = "zero",
      gaps = 0,
      tags = 0,
      resumeAfter,
      exclusive = false,
      now,
    } = known("new Generator", options, OPTIONS);
    if (now !== undefined && typeof now !== "function") {
      throw refused("now", now, "a function is allowed");
    }
    if (encoding !== undefined) codecOf(encoding);
    if (typeof exclusive !== "boolean") {
      throw refused("exclusive", exclusive, "true and false are allowed");
    }
    const startMax = largestStart(sequenceStart);
    // Workers have random bits only within a request, and most generators need none.
    const seed = new BigUint64Array(1);
    if (startMax !== 0 || gaps > 0) draw(new Uint32Array(seed.buffer));
    let last = 0n;
    if (typeof resumeAfter === "string") last = parse(resumeAfter, encoding);
    else if (resumeAfter !== undefined) last = idOf(resumeAfter);
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
    this.#encoding = encoding ?? "decimal";
    if (encoding !== undefined) {
      // The method of the other generators stays as fast as it is.
      this.next = (tag) =>
        (tag === undefined ? this.nextString() : format(this.#next(tag), encoding)) as NextId<E>;
    }
    take(place, this, { options: optionsText(options), close: closing(handle), isShared });
    if (!exclusive) warnInWorker(place, number);
  }

  /**
   * Returns the generator of this layout and node in this process: the one that is there, or a new
   * one. It is the same for all copies of this package that a bundler makes, and after a dev
   * server's reload, so call this at module scope. Give the same options everywhere, except
   * `resumeAfter`, which only a new generator needs.
   *
   * @throws {EdgeflakeError} `node-in-use` when it was made with other options, `invalid-option`
   * for `now`, and those of the constructor
   */
  static shared<E extends Encoding | undefined = undefined>(
    options: Omit<GeneratorOptions<E>, "now">,
  ): Generator<E> {
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
      return there as Generator<E>;
    }
    isShared = true;
    try {
      return new Generator(options);
    } finally {
      isShared = false;
    }
  }

  /**
   * Returns the next id: in the generator's encoding, or as a bigint without one. `tag` replaces the
   * tag of the options. It never waits, and never reads more than the clock.
   *
   * @throws {EdgeflakeError} `exhausted` with `retryInMs` when the id would lie further ahead of
   * the clock than allowed, and `clock-back` when it would because the clock went back;
   * `before-epoch`, `layout-ended`, `closed`; `too-large` for a tag
   */
  next(tag?: number): NextId<E> {
    return this.#next(tag) as NextId<E>;
  }

  #next(tag?: number): bigint {
    const nowMs = this.#now === undefined ? Date.now() : this.#now();
    const id =
      tag === undefined
        ? wasm.next(this.#number, nowMs)
        : wasm.nextTagged(this.#number, nowMs, integer("tag", tag));
    // The ids of the module are signed.
    return BigInt.asUintN(64, id) || this.#none();
  }

  /**
   * Returns the next id, after a wait if there is none now. Any number of callers may wait at once:
   * each gets an id of its own.
   *
   * @throws {EdgeflakeError} those of {@link next} but `exhausted` and `clock-back`
   */
  async nextAsync(tag?: number): Promise<NextId<E>> {
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

  /**
   * Returns the next id as text. Without an encoding it is in that of the generator, or in decimal.
   *
   * @throws {EdgeflakeError} those of {@link next}; `unknown-encoding`
   */
  nextString(encoding: Encoding = this.#encoding): string {
    const digits = digitsOf(encoding);
    if (!digits) return format(this.#next(), encoding);
    const nowMs = this.#now === undefined ? Date.now() : this.#now();
    const low = wasm.nextSplit(this.#number, nowMs, digits.lows);
    const high = exchange().numbers[0];
    return high || low ? digits.text(high, low) : format(this.#none(), encoding);
  }

  /**
   * Writes the next id as ASCII text into bytes, from `at` on, and returns its number of
   * characters: for servers that write bytes. The default encoding is that of {@link nextString}.
   * There must be room for the longest text of the encoding: 20 bytes are enough for all but
   * `binary`, which takes 64.
   *
   * ```js
   * const bytes = new Uint8Array(20);
   * const text = bytes.subarray(0, ids.nextInto(bytes, "base62"));
   * ```
   *
   * @throws {EdgeflakeError} those of {@link next}; `unknown-encoding`; `invalid-option` for
   * anything but a `Uint8Array` with enough room; `invalid-number` for `at`. Then no id was issued.
   */
  nextInto(bytes: Uint8Array, encoding: Encoding = this.#encoding, at = 0): number {
    const digits = digitsOf(encoding);
    const least = integer("at", at) + (digits?.longest ?? codecOf(encoding).most);
    const length = is(bytes, "Uint8Array") ? bytes.length : -1;
    // The check comes first, because an id that was issued before an error would be lost.
    if (length < least) {
      const found = length < 0 ? `is ${shown(bytes)}` : `has ${length} bytes`;
      throw new EdgeflakeError(
        "invalid-option",
        `bytes ${found}: a Uint8Array of at least ${least} is allowed`,
      );
    }
    if (!digits) return put(format(this.#next(), encoding), bytes, at) - at;
    const nowMs = this.#nowMs();
    const low = wasm.nextSplit(this.#number, nowMs, digits.lows);
    const high = exchange().numbers[0];
    const end =
      high || low
        ? digits.write(high, low, bytes, at)
        : put(format(this.#none(), encoding), bytes, at);
    return end - at;
  }

  /**
   * Returns the next id as a number, of a layout whose ids all fit one (`info().fitsNumber`).
   *
   * @throws {EdgeflakeError} those of {@link next}; `unsafe-number` for any other layout
   */
  nextNumber(): number {
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

  /**
   * Fills an array from its start with the next ids, and returns their number, which is smaller
   * than the array when the allowed future is used up, but never 0.
   *
   * @throws {EdgeflakeError} those of {@link next}, when not even one id can be issued;
   * `invalid-option` for anything but a `BigUint64Array`
   */
  fill(ids: BigUint64Array): number {
    if (!is(ids, "BigUint64Array")) throw refused("ids", ids, "a BigUint64Array is allowed");
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

  /**
   * Returns the next `count` ids, or as many as there are now: at least one.
   *
   * @throws {EdgeflakeError} those of {@link next}, when not even one id can be issued
   */
  batch(count: number): Ids {
    const ids = new BigUint64Array(integer("count", count));
    const filled = this.fill(ids);
    // The copy frees the memory of the ids that are missing.
    return filled === count ? ids : ids.slice(0, filled);
  }

  /** Returns counts of its work so far. */
  stats(): Statistics {
    if (this.#ended) return this.#ended;
    wasm.stats(this.#number);
    const [issued, ticksBorrowed, furthestAheadMs, clockStepsBack, exhausted] = exchange().numbers;
    const fills = this.#fills;
    return { issued, fills, ticksBorrowed, furthestAheadMs, clockStepsBack, exhausted };
  }

  /** Ends the generator and gives its node back. A closed one stays closed. */
  close(): void {
    if (this.#ended) return;
    this.#ended = this.stats();
    giveBack(this.#node);
    this.#number = 0;
  }

  /** Calls {@link close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  #nowMs() {
    return this.#now === undefined ? Date.now() : this.#now();
  }

  /** Throws the reason why there was no id, unless the id was 0. */
  #none() {
    if (!wasm.explain(this.#number)) return 0n;
    const error = refusal();
    if (error.code !== "before-epoch" || this.#nowMs() !== 0) throw error;
    throw new EdgeflakeError(error.code, `the clock is at 0, ${AT_MODULE_SCOPE}`);
  }
}

/** Ends the errors of what a Worker refuses outside of its handlers. */
const AT_MODULE_SCOPE =
  "as at module scope of a Worker: call it in a handler, or lease a node with edgeflake/lease";

/** Fills an array with random bits. The polyfills of `crypto` for React Native fill these. */
function draw(bits: Uint32Array<ArrayBuffer>) {
  try {
    crypto.getRandomValues(bits);
  } catch (cause) {
    const text = `sequenceStart and gaps have no random bits, ${AT_MODULE_SCOPE}`;
    throw Object.assign(new EdgeflakeError("invalid-option", text), { cause });
  }
}

/**
 * Tells whether a value is a typed array of this name. One of another realm, as in a test runner,
 * is no instance of the class here.
 */
const is = (value: { readonly [Symbol.toStringTag]: string } | undefined, name: string) =>
  value?.[Symbol.toStringTag] === name;

/** Returns a function that closes a generator without a reference to it. */
const closing = (handle: number) => () => wasm.closeGenerator(handle);

/** Prints the options that two users of a generator must agree on. */
function optionsText({
  encoding,
  allowedFutureMs = 0,
  sequenceStart = "zero",
  gaps = 0,
  tags = 0,
}: Partial<GeneratorOptions<Encoding | undefined>>) {
  return JSON.stringify({ encoding, allowedFutureMs, sequenceStart, gaps, tags });
}

/** Returns the largest start as the module takes it: negative to rotate. */
function largestStart(start: GeneratorOptions["sequenceStart"]) {
  if (start === "zero") return 0;
  if (start === "rotating") return -1;
  if (start && typeof start === "object") {
    return integer("sequenceStart.random", known("sequenceStart", start, ["random"]).random);
  }
  const allowed = '"zero", "rotating" and { random } are allowed';
  throw refused("sequenceStart", start, allowed, "invalid-number");
}
