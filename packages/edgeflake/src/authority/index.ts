/**
 * Exports the Durable Objects that grant leases, and the calls that manage sequencers, for a Worker
 * with its own routes. A lease is the right to issue the ids of a node for some time. A sequencer
 * is a named series of ids.
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
 * This module runs only in workerd. List both classes as `new_sqlite_classes` in the Worker's
 * configuration. In a handler, but not at module scope, you can use `exports.Authority` of
 * `cloudflare:workers` instead of a binding.
 *
 * @module
 */

// This file only declares types. The code of this module is in worker/crate/.

import { DurableObject } from "cloudflare:workers";
import type { SequencerOptions, SequencerStatus } from "../schemas.js";

export { EdgeflakeError } from "../error.js";
export type { ErrorCode, Variables } from "../names.js";
export type { SequencerOptions, SequencerStatus };

/** Grants leases. Each object is a shard, which has an equal part of a sequencer's nodes. */
export declare class Authority extends DurableObject {}

/** Stores the names of all sequencers, and notices when the storage of a shard has lost data. */
export declare class Directory extends DurableObject {}

/**
 * Creates, shows, shrinks and destroys sequencers. Call these functions in the handler of a request
 * or another event. They use the bindings `AUTHORITY` and `DIRECTORY` or, if one is missing, the
 * exported class.
 */
export declare const admin: {
  /**
   * Creates a sequencer, or returns the existing one if it has the same configuration. Options that
   * you leave out come from the Worker's variables. But if you give a layout, the defaults are
   * first node 0, one shard, and as many of the layout's nodes as the shards can hold.
   *
   * @throws {EdgeflakeError} `sequencer-already-registered` when the existing sequencer has another
   * configuration; `invalid-body` when an option is invalid; `sequencer-being-destroyed`,
   * `other-timestamp`, `spans-not-ended`; the errors of {@link status} except `unknown-sequencer`
   */
  create(name: string, options?: SequencerOptions): Promise<SequencerStatus>;

  /**
   * Returns the status of a sequencer, with the number of its nodes in use.
   *
   * @throws {EdgeflakeError} `unknown-sequencer`, `invalid-name`, `invalid-configuration`,
   * `authority-unreachable`, `authority-unreadable`
   */
  status(name: string): Promise<SequencerStatus>;

  /**
   * Permanently shrinks a sequencer to its first `node_count` nodes. The other nodes must never
   * have been leased, so that you can give them to another sequencer with the same layout. If the
   * call was interrupted, repeat the call.
   *
   * @throws {EdgeflakeError} `nodes-in-use`, whose message says how many nodes to keep;
   * `invalid-body` when the options are invalid; the errors of {@link status}
   */
  shrink(name: string, options: { node_count: number }): Promise<SequencerStatus>;

  /**
   * Destroys a sequencer, so that none of its shards grants leases any more. If the call was
   * interrupted, repeat the call.
   *
   * @throws {EdgeflakeError} the errors of {@link status}
   */
  destroy(name: string): Promise<SequencerStatus>;
};
