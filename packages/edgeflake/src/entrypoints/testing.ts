import { EdgeflakeError } from "../error.js";
import { type Lease, type LeaseStatistics, NO_STATISTICS } from "../leased/lease-log.js";
import type { IdOptions, WaitOptions } from "../leased/lease-options.js";
import { checkCount, idOptions, signalOf } from "../leased/lease-options.js";
import type { LeasedGenerator } from "../leased/leased-generator.js";
import type { Encoding, ErrorCode, LeaseState } from "../names.js";
import { known, refused } from "../options.js";
import type { Ids } from "../text/rows.js";
import { type NextId, writerIn } from "../text/text.js";

export interface FakeIdsOptions<E extends Encoding | undefined = undefined> {
  /** The ids to issue, after which calls throw `exhausted`. Default: `start`, `start + 1n`, ... */
  ids?: Iterable<bigint> | undefined;
  /** The first id, if there are no `ids`. Default: `1n`. */
  start?: bigint | undefined;
  /** The encoding of issued ids, as in a {@link LeasedGenerator}. Default: ids are bigints. */
  encoding?: E;
  /** The value of the property `lease`. Default: a lease of node 0. */
  lease?: Lease | undefined;
  /** The value of the property `layout`. Default: the preset `hazelcast`. */
  layout?: string | undefined;
}

export interface FailOptions {
  /** Number of calls that fail, 1 to 100,000. Default: 1. */
  times?: number | undefined;
  /** The error's `retryInMs`. Default: `undefined`, as for an error that no retry can fix. */
  retryInMs?: number | undefined;
  /** The error's message. Default: "FakeIds was told to fail". */
  message?: string | undefined;
}

/** The preset `hazelcast`, which sequencers have by default. */
const LAYOUT = "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms";

const ID_MAX = 0xffff_ffff_ffff_ffffn;

function idOf(given: unknown, name: string) {
  if (typeof given === "bigint" && given >= 0n && given <= ID_MAX) return given;
  throw refused(name, given, `give a bigint from 0 to ${ID_MAX}`);
}

/** The public members of `LeasedGenerator`, because no class can implement the private ones. */
type LeasedIds<E extends Encoding | undefined> = Pick<LeasedGenerator<E>, keyof LeasedGenerator<E>>;

/**
 * Replaces a {@link LeasedGenerator} in tests, which then need no authority. `FakeIds` has the same
 * methods, properties and errors, but issues ids that you know beforehand, without timers, I/O or
 * WebAssembly. It has a lease from the beginning, so you can call `tryNext` without `ready`.
 *
 * ```js
 * import { FakeIds } from "edgeflake/testing";
 *
 * const ids = new FakeIds({ ids: [7n, 8n] });
 * await ids.next(); // 7n
 * ids.failNext("overloaded", { retryInMs: 2_000 });
 * await ids.next(); // throws an EdgeflakeError; the next call returns 8n
 * ```
 */
export class FakeIds<E extends Encoding | undefined = undefined> implements LeasedIds<E> {
  /** The given ids that are not issued yet; undefined if no ids were given. */
  #pinned;
  #next;
  #encoding: Encoding;
  #write;
  #lease: Lease;
  #layout;
  #issued = 0;
  #exhausted = 0;
  #isDetached = false;
  #failures: EdgeflakeError[] = [];

  /** @throws {EdgeflakeError} `invalid-option`, `unknown-encoding` */
  constructor(options: FakeIdsOptions<E> = {}) {
    const names = ["ids", "start", "encoding", "lease", "layout"];
    const { ids, start = 1n, encoding, layout = LAYOUT } = known("new FakeIds", options, names);
    const { lease = { node: 0, fromTick: 0, untilTick: 300_000, incarnation: 1 } } = options;
    known("lease", lease, ["node", "fromTick", "untilTick", "incarnation"]);
    this.#pinned = ids && Array.from(ids, (id, i) => idOf(id, `ids[${i}]`));
    this.#next = idOf(start, "start");
    this.#encoding = encoding ?? "decimal";
    this.#write = writerIn(encoding as E);
    this.#lease = lease;
    this.#layout = layout;
  }

  /**
   * Makes the next call (or the next `times` calls) of `next`, `nextString`, `tryNext`, `batch`,
   * `ready` or `attach` fail, without using up an id. If you call `failNext` again, its failures
   * follow the earlier ones.
   *
   * @throws {EdgeflakeError} `invalid-option`, `invalid-number`
   */
  failNext(code: ErrorCode, options: FailOptions = {}): void {
    const names = ["times", "retryInMs", "message"];
    const { times = 1, retryInMs, message } = known("failNext", options, names);
    checkCount(times);
    const text = message ?? "FakeIds was told to fail";
    for (let i = 0; i < times; i++) this.#failures.push(new EdgeflakeError(code, text, retryInMs));
  }

  /** Returns the next id. This and the other methods ignore the option `tag`. */
  async next(options?: IdOptions): Promise<NextId<E>> {
    return this.#write(this.#ids(1, idOptions("next", options))[0]);
  }

  async nextString(encoding: Encoding = this.#encoding, options?: IdOptions): Promise<string> {
    // `writerIn` refuses an unknown encoding before an id is taken.
    return writerIn(encoding)(this.#ids(1, idOptions("nextString", options))[0]);
  }

  tryNext(options: { tag?: number | undefined } = {}): NextId<E> {
    return this.#write(this.#ids(1, idOptions("tryNext", known("tryNext", options, ["tag"])))[0]);
  }

  async ready(options?: WaitOptions): Promise<void> {
    this.#ids(0, { signal: signalOf("ready", options) });
  }

  async batch(count: number, options?: IdOptions): Promise<Ids> {
    checkCount(count);
    return BigUint64Array.from(this.#ids(count, idOptions("batch", options)));
  }

  async detach(): Promise<void> {
    this.#isDetached = true;
  }

  async attach(options?: WaitOptions): Promise<void> {
    signalOf("attach", options)?.throwIfAborted();
    this.#isDetached = false;
    this.#ids(0, {});
  }

  /** Returns counts, of which only `issued` and `exhausted` change. */
  stats(): LeaseStatistics {
    return { ...NO_STATISTICS, issued: this.#issued, grants: 1, exhausted: this.#exhausted };
  }

  get state(): LeaseState {
    return this.#isDetached ? "detached" : "attached";
  }

  get lease(): Lease | undefined {
    return this.#isDetached ? undefined : this.#lease;
  }

  get layout(): string | undefined {
    return this.#layout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.detach();
  }

  /** Issues `count` ids, or throws the next error from `failNext`. */
  #ids(count: number, { signal }: WaitOptions) {
    signal?.throwIfAborted();
    const failure = this.#failures.shift();
    if (failure) throw failure;
    if (this.#isDetached) {
      throw new EdgeflakeError("detached", "the holder is detached: attach it to issue ids");
    }
    const left = this.#pinned?.length ?? Number(ID_MAX - this.#next) + 1;
    if (left < count) {
      this.#exhausted++;
      const found = `FakeIds has ${left} ids left, and ${count} were asked for`;
      const remedy = "give more in the option ids, or leave it out";
      throw new EdgeflakeError("exhausted", `${found}: ${remedy}`);
    }
    this.#issued += count;
    return this.#pinned?.splice(0, count) ?? Array.from({ length: count }, () => this.#next++);
  }
}
