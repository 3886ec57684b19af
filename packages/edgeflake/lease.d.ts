/// <reference lib="esnext.disposable" />

/**
 * Ids from a leased node, which are unique whatever the clocks do.
 *
 * A holder leases a node from edgeflake's authority: a Durable Object, asked directly or through
 * the Worker that has it. Ids come from memory; the authority is asked twice per lease
 * time, not once per id.
 *
 * @module
 */

import type { Encoding, ErrorCode, Ids } from "./index.js";

export { EdgeflakeError, type Encoding, type ErrorCode, type Ids } from "./index.js";

/** The namespace of edgeflake's Durable Objects, as a Worker binds it. */
export interface ObjectNamespace {
  getByName(
    name: string,
    options?: { locationHint?: string | undefined },
  ): {
    fetch(url: string, init?: RequestInit): Promise<Response>;
  };
}

/** edgeflake's Worker, as another Worker binds it. */
export interface ServiceBinding {
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** What is called where there is no token; a binding of edgeflake's Worker has it. */
  sequencer?(name: string): unknown;
}

export interface LeasedGeneratorOptions {
  /**
   * Who grants the leases: the binding of the namespace `Authority` (with `script_name` in another
   * Worker than edgeflake's), the service binding of edgeflake's Worker, or its URL. A URL is http
   * or https, without a user name, query and fragment. Redirects are not followed, because they
   * would turn a POST into a GET or lose the token.
   */
  authority: ObjectNamespace | ServiceBinding | string | URL;

  /**
   * The Worker's `EDGEFLAKE_LEASE_TOKEN`. A namespace needs none, and neither does a service
   * binding, which then leases over RPC; with a token it leases over HTTP.
   */
  token?: string | undefined;

  /** The name of a sequencer that exists; `default` without it, which is that of the variables. */
  sequencer?: string | undefined;

  /**
   * How many shards the sequencer has, 1 to 64. It matters with a namespace only: until the
   * authority has told the number, a cold process asks one of so many shards, and another one if
   * that does not answer. With 1 it asks the registry, so while that is down, it gets no lease.
   *
   * Without this option, the sequencer `default` has the number in the variable `EDGEFLAKE_SHARDS`
   * of the Worker that runs this code, and 1 if there is no such variable. Give the number for a
   * sequencer by name, and if the namespace is another Worker's, whose variables are not seen here.
   */
  shards?: number | undefined;

  /**
   * `lease` without it. With `batch` no node is leased: ids come from prefetched batches, which are
   * refilled in the background, as in Hazelcast's clients.
   */
  mode?: "lease" | "batch" | undefined;

  /**
   * With mode `batch`, the number of ids in a batch, 1 to 100,000; without it the authority's
   * `EDGEFLAKE_PREFETCH_COUNT`. A batch that is used up within a second is followed by one of twice
   * its size, and one that lasts longer than 4 s by one of half its size, but never by a smaller
   * one than this. Hazelcast's `prefetchCount`.
   */
  prefetchCount?: number | undefined;

  /**
   * With mode `batch`, how long a batch is used, in ms; 0 for no limit, and without it the
   * authority's `EDGEFLAKE_PREFETCH_VALIDITY_MILLIS`. What is left of a batch afterwards is not
   * issued. Hazelcast's `prefetchValidityMillis`.
   */
  prefetchValidityMs?: number | undefined;

  /**
   * The path of a file that keeps the lease over a restart, in Node, Deno and Bun, where the
   * authority is a URL and the mode `lease`: the next process goes on with the node, without a
   * call. One process a file; the README says what happens to others, and what cannot be seen.
   *
   * How far ids may go is written, and synced, before they do, for a second of them at a time. End
   * the process without {@link LeasedGenerator.detach}, which gives the lease back.
   */
  store?: string | undefined;

  /**
   * Binds the generator to one incarnation of the sequencer, so that it never issues ids of the
   * next one: this `incarnation`, or that of its first lease or batch. Once it is destroyed, every
   * call throws `sequencer-destroyed` or `other-incarnation`, also when the sequencer was created
   * again; make another generator then. Without `bind`, a generator goes on with the next
   * incarnation.
   *
   * With a `layout`, a layout string or a `Layout`, it issues ids of that layout alone: where the
   * sequencer has another, every call throws `other-layout`. What creates or shows a sequencer
   * answers both:
   *
   * ```js
   * const { layout, incarnation } = await admin.create("orders", { layout: "snowcast nodes=129" });
   * const bind = { layout, incarnation };
   * const ids = new LeasedGenerator({ authority, sequencer: "orders", bind });
   * ```
   *
   * With a `store`, a lease of another incarnation or layout is not gone on with.
   */
  bind?:
    | {
        layout?: string | { toString(): string } | undefined;
        incarnation?: number | undefined;
      }
    | undefined;

  /**
   * Called with each {@link LeaseEvent}, for logs and traces. Generators that share a lease do not
   * repeat each other's events: each event goes to the generator whose call to the authority or
   * whose waiting request brought it about, once. So give the same function to all of them, and you
   * get each event once.
   *
   * It is called within that request, before the request goes on. What it throws is thrown again in
   * a microtask, as by an event listener, and no id is missing because of it.
   *
   * ```js
   * new LeasedGenerator({ authority, onEvent: (event) => console.log(JSON.stringify(event)) });
   * ```
   */
  onEvent?: ((event: LeaseEvent) => void) | undefined;
}

/** How long a call waits. */
export interface WaitOptions {
  /**
   * Ends the wait: the promise rejects with the signal's `reason`. Other waiters are not affected,
   * and the call to the authority goes on, for up to 10 s, so that the next caller finds its lease.
   * What {@link LeasedGenerator.batch} had gathered by then is never issued.
   */
  signal?: AbortSignal | undefined;
}

/** How long a call waits, and the tag of its ids. */
export interface IdOptions extends WaitOptions {
  /** The value of the layout's tag fields, such as a resource type; 0 without it. */
  tag?: number | undefined;
}

/**
 * Something that happened to a lease. `sequencer` is its name, as it was given. Ticks are those of
 * the layout, of 1 ms unless the layout says otherwise.
 *
 * - `acquired`: the authority granted a lease, or a store had one (`resumed`, and `tookMs` is 0).
 * - `renewed`: the authority gave the lease a later end.
 * - `lost`: the lease gives no more ids, although it was not given back. `code` says why:
 *   `span-ended` when its time was over before it was renewed, as after a pause of the process or
 *   without an authority; `sequencer-destroyed`, `unknown-sequencer`, `other-incarnation`;
 *   `store-in-use`. It comes once per lease, when a request notices it.
 * - `exhausted`: a request found no id because the allowed future is used up, or the clock went
 *   back. It comes at most once per second.
 *
 * With mode `batch` there is no lease, so `exhausted` is the only event.
 */
export type LeaseEvent =
  | {
      type: "acquired";
      sequencer: string;
      lease: Lease;
      resumed: boolean;
      /** From the call to its answer, in ms. */
      tookMs: number;
    }
  | {
      type: "renewed";
      sequencer: string;
      lease: Lease;
      /** From the call to its answer, in ms. */
      tookMs: number;
    }
  | {
      type: "lost";
      sequencer: string;
      /** The lease as it was. */
      lease: Lease;
      code: ErrorCode | "span-ended";
    }
  | {
      type: "exhausted";
      sequencer: string;
      /** When there will be an id again, in ms. */
      retryInMs: number;
    };

/**
 * What all generators that share a lease have done together, since the first of them was made in
 * this process or isolate.
 */
export interface LeaseStatistics {
  /** Ids issued. */
  issued: number;
  /** Leases that the authority granted. */
  grants: number;
  /** Later ends that it gave them. */
  renewals: number;
  /** Prefetched batches: of mode `batch`, and of mode `lease` while no node is free. */
  batches: number;
  /** Calls that the authority refused. */
  refusals: number;
  /** Calls that it did not answer, or answered in an unreadable way. */
  failures: number;
  /** Requests that found no id because the allowed future was used up, or the clock had gone back. */
  exhausted: number;
  /** How often the clock was seen to have gone back. */
  clockStepsBack: number;
}

/**
 * What the holder is doing.
 *
 * - `acquiring`: it has no span, and asks for one, or will when the first id is asked for; with mode
 *   `batch`, a batch
 * - `attached`: it has a span; with mode `batch`, a batch
 * - `renewing`: it has a span, and has asked for a later end
 * - `detached`: it has given its span back, or it is bound to another layout than the sequencer's
 * - `destroyed`: its sequencer was destroyed; it asks again every few seconds, unless it is bound
 */
export type LeaseState = "acquiring" | "attached" | "renewing" | "detached" | "destroyed";

/** A span of the layout's ticks on one node, of which no other holder issues an id. */
export interface Lease {
  node: number;
  /** The first tick. */
  fromTick: number;
  /** The first tick after it; a renewal raises it. */
  untilTick: number;
  /** Goes up each time that the sequencer is created. */
  incarnation: number;
}

/**
 * Issues ids from a leased node. All with the same authority (the same binding, or the same URL),
 * sequencer, mode, store, `bind` and prefetch options share one lease in a process or isolate, however many
 * are made, and wherever: at module scope or in a handler.
 *
 * ```js
 * import { LeasedGenerator } from "edgeflake/lease";
 *
 * const ids = new LeasedGenerator({
 *   authority: "https://ids.example.com",
 *   token: process.env.EDGEFLAKE_LEASE_TOKEN,
 *   sequencer: "orders",
 * });
 * await ids.next(); // a bigint
 * ```
 */
export class LeasedGenerator {
  /**
   * The generator of this authority, sequencer, mode, store and prefetch options in this process:
   * the one that is there, or a new one. It is the same for all copies of this package that a
   * bundler makes, and after a dev server's reload. Give the same options everywhere; of `onEvent`,
   * the newest is called.
   *
   * @throws {EdgeflakeError} `invalid-option` when it was made with another token or number of
   * shards, and those of the constructor
   */
  static shared(options: LeasedGeneratorOptions): LeasedGenerator;

  /**
   * Sends nothing yet: the lease is acquired when the first id is asked for, or by {@link ready}.
   *
   * @throws {EdgeflakeError} `invalid-option`
   */
  constructor(options: LeasedGeneratorOptions);

  /**
   * The next id. Any number of callers may wait at once: each gets an id of its own, in the order
   * of their calls, and none waits for what another one started. A wait is 5 s at most. Where a
   * lease is held there is none until the allowed future is used up; then it is as long as the
   * layout's rate demands.
   *
   * @throws {EdgeflakeError}
   * - `authority-unreachable`, with what went wrong in its message; at once where it cannot get
   *   better, as with a redirect or with another server's 404, and after 5 s otherwise;
   * - `exhausted` at once when the ids could not be there within 5 s; `no-node-free`,
   *   `batches-exhausted`, `overloaded`;
   * - `clock-disagreement` when the authority's clock is another; `clock-back`; `before-epoch`,
   *   `layout-ended`;
   * - `unknown-sequencer`, `sequencer-destroyed`, `other-incarnation`; `other-layout` with
   *   {@link LeasedGeneratorOptions.bind};
   * - `too-large` for a `tag` that is wider than the layout's tag fields;
   * - `unauthorized`, `forbidden` at once: the token is none that may lease;
   * - `detached`;
   * - with a `store`, `store-in-use`, `store-copied`, `store-unreadable`, and `store-failed` with
   *   what went wrong as its `cause`.
   *
   * `retryInMs` says when it is worth another try, and is undefined where it is not. A call also
   * rejects with the `reason` of an aborted `signal`, and `invalid-option` for an option of another
   * name.
   */
  next(options?: IdOptions): Promise<bigint>;

  /**
   * The next id as text, in decimal without an encoding.
   *
   * @throws {EdgeflakeError} those of {@link next}; `unknown-encoding`, before an id is taken
   */
  nextString(encoding?: Encoding, options?: IdOptions): Promise<string>;

  /**
   * The next id from memory, for where nothing can be awaited, such as a column's default. It
   * never waits. Where it finds no id it has asked the authority in the background, as
   * {@link next} would (in Workers by `waitUntil`), and throws. `await ids.ready()` before you
   * begin, and it finds ids as long as the lease is renewed: each call renews it too, from half of
   * its time on.
   *
   * It throws instead of answering `undefined`, because `undefined` as the id of a row is a row
   * without an id: SQLite would choose one of its own.
   *
   * With a `store`, it writes the file as {@link next} does, once a second of ids, before it
   * answers.
   *
   * ```js
   * id: text("id").primaryKey().$defaultFn(() => encode(ids.tryNext(), "base62")),
   * ```
   *
   * @throws {EdgeflakeError} `not-ready` while the first answer is on its way; `exhausted` with the
   * `retryInMs` after which there is an id; those of {@link next}
   */
  tryNext(options?: { tag?: number | undefined }): bigint;

  /**
   * Ends when ids are in memory, so that {@link tryNext} finds one; it acquires the lease at once
   * if there is none. It takes no id.
   *
   * @throws {EdgeflakeError} those of {@link next}
   */
  ready(options?: WaitOptions): Promise<void>;

  /**
   * The next `count` ids, 1 to 100,000: all of them, or an error. Calls for up to 1,000 ids never
   * wait for larger ones. What a call has taken when it is aborted is left out.
   *
   * @throws {EdgeflakeError} those of {@link next}; `invalid-number`
   */
  batch(count: number, options?: IdOptions): Promise<Ids>;

  /**
   * Gives the lease back for all generators that share it, and issues nothing until
   * {@link attach}. The promise ends when the authority has answered, or has not; it frees the node
   * by itself when the lease is over.
   *
   * @throws {EdgeflakeError} those of the `store`; the lease is then not given back
   */
  detach(): Promise<void>;

  /**
   * Issues ids again, and acquires a lease at once: it ends as {@link ready} does. After an error
   * it is attached as well, and the next id that is asked for asks the authority again.
   *
   * @throws {EdgeflakeError} those of {@link next}
   */
  attach(options?: WaitOptions): Promise<void>;

  /** What it has done so far, together with all generators that share its lease. */
  stats(): LeaseStatistics;

  /** What the holder is doing. */
  readonly state: LeaseState;

  /** The span that ids come from, if there is one; with mode `batch` there is none. */
  readonly lease: Lease | undefined;

  /**
   * The layout string of the sequencer, for `Layout.parse`; none before the authority has
   * answered for the first time.
   */
  readonly layout: string | undefined;

  /**
   * For `await using`: the last generator to be disposed of, among those that share a lease, gives
   * it back as {@link detach} does. One that is made after it acquires another lease.
   */
  [Symbol.asyncDispose](): Promise<void>;
}
