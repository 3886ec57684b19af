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
 * `new_sqlite_classes`. In a handler, `exports.Authority` of `cloudflare:workers` needs no binding;
 * at module scope there are no exports yet.
 *
 * @module
 */

// worker/crate/ has the code of these exports; this file declares their types.

import { DurableObject } from "cloudflare:workers";

export { EdgeflakeError } from "../error.js";
export type { ErrorCode, Variables } from "../names.js";

/** Grants the leases of one shard of a sequencer. */
export declare class Authority extends DurableObject {
  /** Answers an isolate. */
  fetch(request: Request): Promise<Response>;
}

/** Keeps the names of the sequencers. */
export declare class Directory extends DurableObject {
  /** Answers an isolate. */
  fetch(request: Request): Promise<Response>;
}

/**
 * Creates, shows, shrinks and destroys sequencers, from a request or any other event. It finds the
 * objects by the bindings `AUTHORITY` and `DIRECTORY` if there are any, otherwise by the exported
 * classes `Authority` and `Directory`.
 */
export declare const admin: {
  /**
   * Creates a sequencer, or shows it if it is there with the same configuration. The variables say
   * the options that you leave out; if you give a layout, these are one shard and all its nodes.
   *
   * @throws {EdgeflakeError} `sequencer-already-registered` when it is there with another
   * configuration, `sequencer-being-destroyed`, `other-timestamp`, `spans-not-ended`;
   * `invalid-body` for options and `invalid-name` for a name that cannot be;
   * `invalid-configuration`; `authority-unreachable`, `authority-unreadable`
   */
  create(name: string, options?: SequencerOptions): Promise<SequencerStatus>;

  /**
   * Shows a sequencer, with the number of its nodes in use.
   *
   * @throws {EdgeflakeError} `unknown-sequencer`, `invalid-name`, `invalid-configuration`,
   * `authority-unreachable`, `authority-unreadable`
   */
  status(name: string): Promise<SequencerStatus>;

  /**
   * Shrinks a sequencer to its first `node_count` nodes for good, while it grants. The others must
   * never have been granted, so another sequencer of the same layout may have them. If the call was
   * interrupted, call it again.
   *
   * @throws {EdgeflakeError} `nodes-in-use`, whose message says how many nodes it must keep;
   * `invalid-body` for options that cannot be; those of {@link status}
   */
  shrink(name: string, options: { node_count: number }): Promise<SequencerStatus>;

  /**
   * Destroys a sequencer in all its shards. If the call was interrupted, call it again.
   *
   * @throws {EdgeflakeError} those of {@link status}
   */
  destroy(name: string): Promise<SequencerStatus>;
};

/** The configuration of a sequencer: the body of `PUT /v1/sequencers/{name}`. */
export interface SequencerOptions {
  /**
   * A preset with its options, such as `snowcast nodes=129 epoch=2014-02-01`, or a layout string; see
   * `Layout.parse` of `edgeflake`.
   */
  layout?: string | undefined;
  first_node?: number | undefined;
  node_count?: number | undefined;
  /** Number of objects that grant the nodes: 1, 2, 4 ... 64. */
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
  /** The end of the layout, as an RFC 3339 date. */
  ends: string;
  /** The date from which a destroyed sequencer can be created again. */
  recreatable_from?: string;
  /** Only of `status`, when all shards have answered. */
  nodes?: { total: number; held: number; free: number; used: number };
  /** Number of issued ids, as far as holders have reported it. */
  issued?: number;
  /** Number of rollbacks of its shards' storage, as their witnesses have seen; only of `status`. */
  rollbacks?: number;
  warnings: string[];
}
