/**
 * The Durable Objects that grant leases, for a Worker that has its own routes; and the calls that
 * create, show, shrink and destroy a sequencer.
 *
 * ```js
 * import { env } from "cloudflare:workers";
 * import { LeasedGenerator } from "edgeflake/lease";
 *
 * export { Authority, Directory } from "edgeflake/authority";
 *
 * const ids = new LeasedGenerator({ authority: env.AUTHORITY });
 * ```
 *
 * It runs in workerd alone. The configuration of the Worker has the two classes as
 * `new_sqlite_classes`. In a handler, `exports.Authority` of `cloudflare:workers` needs no binding; at
 * module scope there are no exports yet.
 *
 * @module
 */

import { DurableObject } from "cloudflare:workers";

export { EdgeflakeError, type ErrorCode } from "./index.js";

/** Grants the leases of one shard of a sequencer. */
export class Authority extends DurableObject {
  /** Answers an isolate. */
  fetch(request: Request): Promise<Response>;
}

/** Knows the names of the sequencers. */
export class Directory extends DurableObject {
  /** Answers an isolate. */
  fetch(request: Request): Promise<Response>;
}

/**
 * Creates, shows, shrinks and destroys sequencers, from a request or any other event. It finds the objects
 * by the bindings `AUTHORITY` and `DIRECTORY` where there are any, otherwise by the exported classes
 * `Authority` and `Directory`.
 */
export declare const admin: {
  /**
   * Creates a sequencer, or shows it when it is there with the same configuration. What the options
   * leave out is taken from the variables; with a layout, it is all of the layout's nodes in one
   * shard.
   *
   * @throws {EdgeflakeError} `sequencer-already-registered` when it is there with another
   * configuration, `sequencer-being-destroyed`, `other-timestamp`, `spans-not-ended`; `invalid-body`
   * for options and `invalid-name` for a name that cannot be; `invalid-configuration`;
   * `authority-unreachable`, `authority-unreadable`
   */
  create(name: string, options?: SequencerOptions): Promise<SequencerStatus>;

  /**
   * Shows a sequencer, with how many of its nodes are in use.
   *
   * @throws {EdgeflakeError} `unknown-sequencer`, `invalid-name`, `invalid-configuration`,
   * `authority-unreachable`, `authority-unreadable`
   */
  status(name: string): Promise<SequencerStatus>;

  /**
   * Has a sequencer keep `node_count` nodes and give up those after them for good, while it grants.
   * They must never have been granted, so another sequencer of the same layout may have them. If that
   * was broken off, it is done again.
   *
   * @throws {EdgeflakeError} `nodes-in-use`, whose message says how many nodes it must keep;
   * `invalid-body` for options that cannot be; those of {@link status}
   */
  shrink(name: string, options: { node_count: number }): Promise<SequencerStatus>;

  /**
   * Ends a sequencer in all its shards. If that was broken off, it goes on from there.
   *
   * @throws {EdgeflakeError} those of {@link status}
   */
  destroy(name: string): Promise<SequencerStatus>;
};

/** What a sequencer is bound to: the body of `PUT /v1/sequencers/{name}`. */
export interface SequencerOptions {
  /** A preset or a layout string. */
  layout?: string | undefined;
  /** A preset, in place of a layout; the four after it are what its users choose. */
  preset?: string | undefined;
  /** Of `snowcast`: its number of nodes, 128 to 8,192, rounded up to a power of two. */
  nodes?: number | undefined;
  /** When tick 0 begins, in Unix ms or as an RFC 3339 date; of all presets but those of services. */
  epoch?: number | string | undefined;
  /** Of `hazelcast`: its `bits-sequence`. */
  bits_sequence?: number | undefined;
  /** Of `hazelcast`: its `bits-node-id`. */
  bits_node_id?: number | undefined;
  first_node?: number | undefined;
  node_count?: number | undefined;
  /** How many objects grant the nodes: 1, 2, 4 ... 64. */
  shards?: number | undefined;
}

/** A sequencer, as `GET /v1/sequencers/{name}` answers it. */
export interface SequencerStatus {
  name: string;
  state: "active" | "destroying" | "destroyed";
  /** Goes up each time that the sequencer is created. */
  incarnation: number;
  /** The layout string. */
  layout: string;
  first_node: number;
  node_count: number;
  shards: number;
  ids_per_second_and_node: number;
  /** When the layout runs out, as an RFC 3339 date. */
  ends: string;
  /** When a destroyed sequencer can be created again. */
  recreatable_from?: string;
  /** Only of `status`, when all shards have answered. */
  nodes?: { total: number; held: number; free: number; used: number };
  /** How many ids were issued, as far as holders have reported it. */
  issued?: number;
  /** How often the storage of its shards was rolled back, as their witnesses have seen; only of `status`. */
  rollbacks?: number;
  warnings: string[];
}

export type { Variables } from "./names.js";
