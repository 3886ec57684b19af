/// <reference lib="esnext.disposable" />

/**
 * Ids for tests, without an authority.
 *
 * @module
 */

import type { Encoding, ErrorCode, Ids } from "./index.js";
import type {
  IdOptions,
  Lease,
  LeasedGenerator,
  LeaseState,
  LeaseStatistics,
  WaitOptions,
} from "./lease.js";

export interface FakeIdsOptions {
  /**
   * The ids, in this order; after the last one every call throws `exhausted`. Without them, ids
   * ascend by 1 from `start` on.
   */
  ids?: Iterable<bigint> | undefined;
  /** The first id; `1n` without it. */
  start?: bigint | undefined;
  /** What `lease` answers; node 0 without it. */
  lease?: Lease | undefined;
  /** What `layout` answers; without it that of the preset `hazelcast`. */
  layout?: string | undefined;
}

/** How the next calls fail. */
export interface FailOptions {
  /** How many calls fail, 1 to 100,000; 1 without it. */
  times?: number | undefined;
  /** The error's `retryInMs`; undefined without it, as of an error that does not get better. */
  retryInMs?: number | undefined;
  message?: string | undefined;
}

/**
 * A {@link LeasedGenerator} for tests: the same methods and properties, and errors of the same class,
 * but its ids are known beforehand, and it has neither timers nor I/O nor WebAssembly. It is attached
 * from the beginning, so `tryNext` has ids without a `ready`.
 *
 * ```js
 * import { FakeIds } from "edgeflake/testing";
 *
 * const ids = new FakeIds({ ids: [7n, 8n] });
 * await ids.next(); // 7n
 * ids.failNext("overloaded", { retryInMs: 2_000 });
 * await ids.next(); // throws an EdgeflakeError; the one after it answers 8n
 * ```
 */
export class FakeIds implements LeasedGenerator {
  /** @throws {EdgeflakeError} `invalid-option` */
  constructor(options?: FakeIdsOptions);

  /**
   * Lets the next call for ids fail: of `next`, `nextString`, `tryNext`, `batch`, `ready` or
   * `attach`. It takes no id. Told several times, one call after the other fails.
   *
   * @throws {EdgeflakeError} `invalid-option`, `invalid-number`
   */
  failNext(code: ErrorCode, options?: FailOptions): void;

  /** The ids are those that it was given, so a `tag` changes nothing here and below. */
  next(options?: IdOptions): Promise<bigint>;
  nextString(encoding?: Encoding, options?: IdOptions): Promise<string>;
  tryNext(options?: { tag?: number | undefined }): bigint;
  ready(options?: WaitOptions): Promise<void>;
  batch(count: number, options?: IdOptions): Promise<Ids>;
  detach(): Promise<void>;
  attach(options?: WaitOptions): Promise<void>;
  /** `issued` and `exhausted` are counted; the rest is that of a lease that was granted once. */
  stats(): LeaseStatistics;
  readonly state: LeaseState;
  readonly lease: Lease | undefined;
  readonly layout: string | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}
