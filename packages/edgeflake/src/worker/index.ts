/**
 * edgeflake's Worker, built: ids, leases and sequencers over HTTP and RPC. One line is a whole
 * Worker:
 *
 * ```js
 * export { Authority, Directory, default } from "edgeflake/worker";
 * ```
 *
 * It runs in workerd alone: under wrangler, Vite with Cloudflare's plugin, and Vitest with the
 * Workers plugin. Its configuration has the two classes as `new_sqlite_classes`.
 *
 * @module
 */

// worker/ has the code of these exports; this file declares their types.

import { RpcTarget, WorkerEntrypoint } from "cloudflare:workers";
import type { Role } from "../layout/fields.js";
import type { Encoding, PresetName } from "../names.js";
import type { Ids as IdArray } from "../text/rows.js";

export { Authority, Directory } from "../authority/index.js";
export type { Variables } from "../names.js";

/** The options of all ids of a call. */
export interface TagOptions {
  /** The value of the layout's tag fields, such as a resource type. Default: 0. */
  tag?: number | undefined;
}

/**
 * The methods for a Worker that binds this one as a service. Only Workers of the same account can
 * bind it, so it asks for no token. Ids are those of the sequencer `default`.
 *
 * A call that is refused rejects with an error whose message begins with a code and a colon, such
 * as `invalid-parameter: count is 0: a whole number from 1 to 100000 is allowed`. If the Worker that
 * calls has a compatibility date from 2026-04-21 on, or the flag `enhanced_error_serialization`, the
 * error also has it as `code`, and `retryInMs` when another try is worth it.
 */
declare class Ids extends WorkerEntrypoint {
  /** Answers over HTTP. */
  fetch(request: Request): Promise<Response>;

  /** Returns the next id. */
  next(options?: TagOptions): Promise<bigint>;

  /** Returns the next id as text, in decimal digits unless you name another encoding. */
  nextString(encoding?: Encoding, options?: TagOptions): Promise<string>;

  /** Returns the next `count` ids, 1 to 100,000: all of them, or an error. */
  batch(count: number, options?: TagOptions): Promise<IdArray>;

  /**
   * Takes an id apart, a bigint or a text in any encoding: in a preset or a layout string, or
   * without one in each of the presets that could have made it, the likeliest first.
   */
  decode(id: bigint | string, layout?: PresetName | (string & {})): Promise<DecodedId>;

  /**
   * Returns the sequencer of this name. Call it in the same line, and one round trip does both:
   *
   * ```js
   * const id = await env.IDS.sequencer("orders").next();
   * ```
   */
  sequencer(name: string): Sequencer;
}

/** A sequencer by its name. */
declare class Sequencer extends RpcTarget {
  /** Returns the next id. */
  next(options?: TagOptions): Promise<bigint>;

  /** Returns the next id as text, in decimal digits unless you name another encoding. */
  nextString(encoding?: Encoding, options?: TagOptions): Promise<string>;

  /** Returns the next `count` ids, 1 to 100,000: all of them, or an error. */
  batch(count: number, options?: TagOptions): Promise<IdArray>;

  /** Takes an id apart in the layout of this sequencer. */
  decode(id: bigint | string): Promise<DecodedId>;

  /** Answers `edgeflake/lease`: a message of its protocol, in JSON. */
  lease(operation: "acquire" | "renew" | "release" | "prefetch", body: string): Promise<string>;
}

/** An id, taken apart, as `GET /v1/decode/{id}` answers it. */
export interface DecodedId {
  /** In decimal digits. */
  id: string;
  /** The encoding in which the text was read. */
  encoding: Encoding;
  /** The other encodings in which the text can be read, as another id. */
  other_encodings: Encoding[];
  /** The id in every encoding. */
  texts: Record<Encoding, string>;
  readings: Reading[];
}

/** An id in a layout. Numbers that may be 2^53 or more are strings. */
export interface Reading {
  /** The name of the preset that the layout is. */
  preset: PresetName | null;
  /** The layout string. */
  layout: string;
  /** The likelihood of this reading among all of them; with its reasons, only without a layout. */
  percent?: number;
  reasons?: string;
  /** In Unix ms. */
  instant_ms: number;
  /** The same instant as an RFC 3339 date. */
  instant: string;
  tick: number;
  node: string;
  sequence: string;
  tag: string;
  fields: { name: string; role: Role; bits: number; value: string }[];
  warnings: { code: string; detail: string }[];
}

export type { Ids, Sequencer };
export default Ids;
