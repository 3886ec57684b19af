/// <reference lib="esnext.disposable" />

/**
 * Ids from a leased node, which are unique whatever clocks and people do.
 *
 * A holder leases a node from edgeflake's authority: a Durable Object, asked directly or through
 * the Worker that has it. Ids come from memory; the authority is asked twice a lease time, not once
 * an id.
 *
 * @module
 */

import type { Ids } from "./index.js";

export { EdgeflakeError, type ErrorCode, type Ids } from "./index.js";

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
   * The Worker's `EDGEFLAKE_LEASE_TOKEN`. A namespace needs none. Nor does a service binding, which
   * then leases over RPC; with a token it leases over HTTP.
   */
  token?: string | undefined;

  /** The name of a sequencer that exists; `default` without it, which is that of the variables. */
  sequencer?: string | undefined;

  /**
   * How many shards the sequencer has, 1 to 64; 1 without it. Of use with a namespace: until the
   * authority has told the number, a cold process asks one of so many, and where that does not
   * answer another. With 1 that is the registry, without which no cold process gets a lease then.
   */
  shards?: number | undefined;

  /**
   * `lease` without it. With `batch` no node is leased: ids come from prefetched batches, which are
   * refilled in the background, as in Hazelcast's clients.
   */
  mode?: "lease" | "batch" | undefined;

  /**
   * The path of a file that keeps the lease over a restart, in Node, Deno and Bun, where the
   * authority is a URL and the mode `lease`: the next process goes on with the node, without a
   * call. One process a file; the README says what happens to others, and what cannot be seen.
   *
   * How far ids may go is written, and synced, before they do, for a second of them at a time. End
   * the process without {@link LeasedGenerator.detach}, which gives the lease back.
   */
  store?: string | undefined;
}

/**
 * What the holder is doing.
 *
 * | state | is |
 * |---|---|
 * | `acquiring` | it has no span, and asks for one, or will when the first id is asked for |
 * | `attached` | it has a span |
 * | `renewing` | it has a span, and has asked for a later end |
 * | `detached` | it has given its span back |
 * | `destroyed` | its sequencer was destroyed; it asks again every few seconds |
 */
export type LeaseState = "acquiring" | "attached" | "renewing" | "detached" | "destroyed";

/** A span of the layout's ticks on one node, of which nobody else issues an id. */
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
 * sequencer, mode and store share one lease in a process or isolate, however many are made, and
 * wherever: at module scope or in a handler.
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
   * The generator of this authority, sequencer, mode and store in this process: the one that is
   * there, or a new one. It is the same for all copies of this package that a bundler makes, and
   * after a dev server's reload. Give the same options everywhere.
   *
   * @throws {EdgeflakeError} `invalid-option` when it was made with another token or number of shards,
   * and those of the constructor
   */
  static shared(options: LeasedGeneratorOptions): LeasedGenerator;

  /**
   * Asks nobody yet: the lease is acquired when the first id is asked for.
   *
   * @throws {EdgeflakeError} `invalid-option`
   */
  constructor(options: LeasedGeneratorOptions);

  /**
   * The next id. Any number of callers may wait at once: each gets an id of its own, and none waits
   * for what another one started. A wait is 5 s at most; where a lease is held there is none, until
   * the allowed future is used up.
   *
   * @throws {EdgeflakeError}
   * - `authority-unreachable`, with what went wrong in its message; at once where it cannot get
   *   better, as with a redirect or with another server's 404, and after 5 s otherwise;
   * - `exhausted` when the allowed future is used up; `no-node-free`, `batches-exhausted`,
   *   `overloaded`;
   * - `clock-disagreement` when the authority's clock is another; `outside-layout`, `before-epoch`,
   *   `layout-ended`;
   * - `unknown-sequencer`, `sequencer-destroyed`, `other-incarnation`;
   * - `unauthorized`, `forbidden` at once: the token is none that may lease;
   * - `detached`;
   * - with a `store`, `store-in-use`, `store-copied`, `store-unreadable`, and `store-failed` with
   *   what went wrong as its `cause`.
   *
   * `retryInMs` says when it is worth another try.
   */
  next(): Promise<bigint>;

  /**
   * The next `count` ids, 1 to 100,000: all of them, or an error.
   *
   * @throws {EdgeflakeError} those of {@link next}; `invalid-number`
   */
  batch(count: number): Promise<Ids>;

  /**
   * Gives the lease back for all generators that share it, and issues nothing until
   * {@link attach}. The promise ends when the authority has answered, or has not; it frees the node
   * by itself when the lease is over.
   *
   * @throws {EdgeflakeError} those of the `store`; the lease is then not given back
   */
  detach(): Promise<void>;

  /** Issues ids again, from a lease that is acquired when the next id is asked for. */
  attach(): Promise<void>;

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
