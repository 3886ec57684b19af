/**
 * Exports edgeflake's Worker, which serves ids, leases and sequencers over HTTP and RPC. This line
 * is a complete Worker:
 *
 * ```js
 * export { Authority, Directory, default } from "edgeflake/worker";
 * ```
 *
 * This module runs only in workerd: under wrangler, Vite with Cloudflare's plugin, and Vitest with
 * the Workers plugin. List both classes as `new_sqlite_classes` in the Worker's configuration.
 *
 * @module
 */

// This file only declares types. The code of these exports is in worker/.

import { RpcTarget, WorkerEntrypoint } from "cloudflare:workers";
import type { Encoding, PresetName } from "../names.js";
import type { DecodedId, Reading } from "../schemas.js";
import type { Ids as IdArray } from "../text/rows.js";

export { Authority, Directory } from "../authority/index.js";
export type { Variables } from "../names.js";

export interface TagOptions {
  /** The value of the layout's tag fields, such as a resource type. Default: 0. */
  tag?: number | undefined;
}

/**
 * The methods that another Worker calls through a service binding. They need no token, because only
 * Workers of the same account can have this binding. Ids come from the sequencer `default`.
 *
 * A refused call rejects with an error whose message begins with a code and a colon, such as
 * `invalid-parameter: count is 0: give a whole number from 1 to 100000`. If the calling
 * Worker has the compatibility date 2026-04-21 or later or the flag `enhanced_error_serialization`,
 * the error also has the code as `code`, and has `retryInMs` if another try can help.
 */
declare class Ids extends WorkerEntrypoint {
  /** Answers a request to the HTTP API. */
  fetch(request: Request): Promise<Response>;

  /** Returns the next id. */
  next(options?: TagOptions): Promise<bigint>;

  /** Returns the next id as text. Default encoding: `decimal`. */
  nextString(encoding?: Encoding, options?: TagOptions): Promise<string>;

  /** Returns the next `count` ids (1 to 100,000), and never fewer. */
  batch(count: number, options?: TagOptions): Promise<IdArray>;

  /**
   * Decodes an id, or a text in any encoding. `layout` is a preset or a layout string. Without a
   * layout, the result lists each preset that could have issued the id, the likeliest first.
   */
  decode(id: bigint | string, layout?: PresetName | (string & {})): Promise<DecodedId>;

  /**
   * Returns the sequencer of this name. If you call one of its methods in the same expression, both
   * calls take only one round trip:
   *
   * ```js
   * const id = await env.IDS.sequencer("orders").next();
   * ```
   */
  sequencer(name: string): Sequencer;
}

/** The methods of one sequencer, which is a named series of ids. */
declare class Sequencer extends RpcTarget {
  /** Returns the next id. */
  next(options?: TagOptions): Promise<bigint>;

  /** Returns the next id as text. Default encoding: `decimal`. */
  nextString(encoding?: Encoding, options?: TagOptions): Promise<string>;

  /** Returns the next `count` ids (1 to 100,000), and never fewer. */
  batch(count: number, options?: TagOptions): Promise<IdArray>;

  /** Decodes an id in the layout of this sequencer. */
  decode(id: bigint | string): Promise<DecodedId>;

  /** Answers a JSON message of `LeasedGenerator`. Do not call this method yourself. */
  lease(operation: "acquire" | "renew" | "release" | "prefetch", body: string): Promise<string>;
}

export type { DecodedId, Ids, Reading, Sequencer };
export default Ids;
