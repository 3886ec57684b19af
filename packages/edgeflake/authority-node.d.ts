/// <reference lib="esnext.disposable" />

/**
 * An authority in one Node process, on `node:sqlite`, for those who run servers and no Workers. It is
 * edgeflake's Worker with its objects: the same HTTP API, tokens and guarantees, decided by the same
 * Rust. It needs Node 22.13 or newer.
 *
 * ```js
 * import { createAuthority } from "edgeflake/authority/node";
 *
 * const authority = await createAuthority({
 *   directory: "/var/lib/edgeflake",
 *   variables: process.env, // EDGEFLAKE_LEASE_TOKEN and others
 * });
 * await authority.listen(8787);
 * ```
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Variables } from "./names.js";

export { EdgeflakeError, type ErrorCode } from "./index.js";
export type { Variables } from "./names.js";

export interface AuthorityOptions {
  /**
   * Where the leases are stored, on a local disk: a database for each sequencer and shard. The
   * directory is made when it is not there; what it lies in must be there. Only one process may use
   * it at a time.
   */
  directory: string;
  /**
   * Where the witnesses of the leases are stored: a second directory, on another disk and in no copy
   * of the first. With it, an authority whose `directory` is restored from a copy, or emptied, repeats
   * no id: every node starts where all that it may have forgotten has ended. Each grant and renewal
   * waits for a second commit. A directory of leases, and one with the witnesses of another authority,
   * are refused. Without it, never restore a copy while leases that are newer may be in
   * use. Do not restore this directory, but you may empty it while the first one is complete.
   */
  witness?: string | undefined;
  /**
   * The variables and secrets of the Worker, such as `EDGEFLAKE_LEASE_TOKEN`. Names that do not begin
   * with `EDGEFLAKE_` are left out, so `process.env` can be given.
   */
  variables?: { readonly [Name in keyof Variables]?: Variables[Name] | undefined } | undefined;
}

/** An authority, whose directory belongs to this process until it is closed or the process ends. */
export interface NodeAuthority extends AsyncDisposable {
  /**
   * Listens for HTTP. Without a host it listens on `localhost` alone. There is no TLS: put a proxy in
   * front, or give {@link NodeAuthority.handler} to a server of `node:https`.
   *
   * @param port 0 for any that is free
   * @returns the URL for `new LeasedGenerator({ authority })`
   */
  listen(port: number, host?: string): Promise<URL>;

  /** Answers the requests of your own server: `createServer(authority.handler)`. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;

  /**
   * Answers a request, for servers that have these.
   *
   * @throws {EdgeflakeError} `closed`
   */
  fetch(request: Request): Promise<Response>;

  /**
   * Stops listening, waits for what is being answered, and gives the directory to the next process.
   * A process may as well be killed: leases go on, and what was granted is stored.
   */
  close(): Promise<void>;
}

/**
 * Makes an authority of what is stored in a directory.
 *
 * @throws {EdgeflakeError} `store-in-use` when another process has the directory, `store-failed` when
 * it cannot be used, with the `cause`; `invalid-configuration` for a variable that cannot be used or
 * is not known, `invalid-option`
 */
export function createAuthority(options: AuthorityOptions): Promise<NodeAuthority>;
