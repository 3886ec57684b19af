/**
 * Runs an authority (the service that grants leases of nodes) on your own server, without
 * Cloudflare. The authority runs in one Node process (22.13 or newer), stores its data by
 * `node:sqlite`, and has the same HTTP API, tokens, guarantees and Rust code as edgeflake's Worker.
 *
 * ```js
 * import { createAuthority } from "edgeflake/authority/node";
 *
 * const authority = await createAuthority({
 *   directory: "/var/lib/edgeflake",
 *   witness: "/mnt/witness/edgeflake", // on another disk
 *   variables: process.env, // EDGEFLAKE_LEASE_TOKEN and others
 * });
 * await authority.listen(8787);
 * ```
 *
 * @module
 */

/// <reference lib="esnext.disposable" preserve="true" />

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isAbsolute, relative, sep } from "node:path";
import { EdgeflakeError } from "../error.js";
import type { ErrorCode, Variables } from "../names.js";
import { type Check, known, refused } from "../options.js";
import { instantiate } from "../worker_node.js";
import { answer, listen, waitedMaxMs } from "./http.js";
import { groupedStorageOf, Objects } from "./objects.js";
import { watchForStalls } from "./stall.js";

export type { ErrorCode, NodeAuthority, Variables };
export { EdgeflakeError };

export interface AuthorityOptions {
  /**
   * The directory that stores the leases, on a local disk. A missing directory is created, but its
   * parent directory must exist. Only one process at a time can use a directory.
   */
  directory: string;
  /**
   * A second directory, on another disk, for witnesses (records of when leases end). With
   * witnesses, no id repeats after `directory` is emptied or restored from a backup, but each grant
   * and renewal waits for a second commit. Never restore the directory `witness`; you may empty it
   * while `directory` is complete. Default: no witnesses. Without witnesses, never restore
   * `directory` while newer leases may be in use.
   */
  witness?: string | undefined;
  /**
   * The variables and secrets of edgeflake's Worker, such as `EDGEFLAKE_LEASE_TOKEN`. Names that do
   * not begin with `EDGEFLAKE_` are ignored, so you can pass `process.env`. Default: none.
   */
  variables?: { readonly [Name in keyof Variables]?: Variables[Name] | undefined } | undefined;
}

const PATH: Check = [(path) => typeof path === "string" && path !== "", "give a path"];

/** Replaces `DurableObject` and `WorkerEntrypoint` of `cloudflare:workers`. */
class Entry {
  constructor(ctx: object, env: object) {
    Object.assign(this, { ctx, env });
  }
}

let compiled: WebAssembly.Module | undefined;

function compile() {
  const file = new URL("../worker/index_bg.wasm", import.meta.url);
  compiled ??= new WebAssembly.Module(readFileSync(file));
  return compiled;
}

function variablesOf(given: object) {
  const variables: Record<string, unknown> = {};
  if (Object(given) !== given || Array.isArray(given)) {
    throw refused("variables", given, "give an object such as process.env");
  }
  for (const [name, value] of Object.entries(given)) {
    if (!name.startsWith("EDGEFLAKE_") || value === undefined) continue;
    if (typeof value !== "string") throw refused(name, value, "give a string");
    variables[name] = value;
  }
  return variables;
}

/**
 * Opens or creates a directory, and returns the authority that stores its leases there.
 *
 * @throws {EdgeflakeError} `store-in-use` when another process uses the directory; `store-failed`,
 * with a `cause`, when the directory cannot be used; `invalid-configuration` when a variable is
 * invalid or unknown; `invalid-option`
 */
export async function createAuthority(options: AuthorityOptions): Promise<NodeAuthority> {
  const names = ["directory", "variables", "witness"];
  const checks = { witness: PATH };
  const { directory, variables = {}, witness } = known("createAuthority", options, names, checks);
  if (!PATH[0](directory)) throw refused("directory", directory, PATH[1]);
  if (witness !== undefined && isIn(directory, witness)) {
    const allowed = "choose a directory elsewhere, on a disk that is not copied with this one";
    const found = `witness is ${witness}, in the directory ${directory}`;
    throw new EdgeflakeError("invalid-option", `${found}: ${allowed}`);
  }
  const env = variablesOf(variables);
  const pending = new Pending();
  const waitUntil = (promise: Promise<unknown>) => void pending.note(promise);
  const classes = { DurableObject: Entry, WorkerEntrypoint: Entry, RpcTarget: class {} };
  const platform = { ...classes, waitUntil };
  const worker = instantiate((name) => (name === "cloudflare:workers" ? platform : compile()));
  const objects = new Objects(directory);
  let witnesses: Objects | undefined;
  try {
    if (witness !== undefined) witnesses = new Objects(witness, objects);
  } catch (error) {
    objects.close();
    throw error;
  }
  env.EDGEFLAKE_WITNESS = witnesses?.namespace(worker.Directory, env) ?? "none";
  const stalls = watchForStalls();
  const unseenMaxMs = () => Math.max(stalls.unseenMaxMs(), waitedMaxMs());
  env.AUTHORITY = objects.namespace(worker.Authority, env, (database) =>
    groupedStorageOf(database, unseenMaxMs),
  );
  env.DIRECTORY = objects.namespace(worker.Directory, env);
  const stored = [stalls, objects, ...(witnesses ? [witnesses] : [])];
  const fetch = (request: Request) => new worker.default({}, env).fetch(request);
  const authority = new NodeAuthority(fetch, stored, pending);
  // The Worker answers this request with a status below 500 if all variables are valid.
  const response = await authority.fetch(new Request("http://localhost/v1/range"));
  const problem = (await response.json()) as { detail: string };
  if (response.status < 500) return authority;
  await authority.close();
  throw new EdgeflakeError("invalid-configuration", problem.detail);
}

/** Returns whether `path` is `directory` itself or lies in it. */
function isIn(directory: string, path: string) {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

class Pending {
  #promises = new Set<Promise<unknown>>();

  note<T>(promise: Promise<T>) {
    const ended = Promise.allSettled([promise]);
    this.#promises.add(ended);
    ended.then(() => this.#promises.delete(ended));
    return promise;
  }

  async end() {
    while (this.#promises.size > 0) await Promise.all(this.#promises);
  }
}

/** An authority. Until `close` or the process ends, no other process can use its directory. */
class NodeAuthority implements AsyncDisposable {
  #fetch;
  #objects;
  #pending;
  #servers = new Set<Server>();
  #isClosed = false;

  /** @internal */
  constructor(
    fetch: (request: Request) => Promise<Response>,
    objects: { close(): void }[],
    pending: Pending,
  ) {
    this.#fetch = fetch;
    this.#objects = objects;
    this.#pending = pending;
  }

  /**
   * Answers a `Request` of the Fetch API.
   *
   * @throws {EdgeflakeError} `closed`
   */
  async fetch(request: Request): Promise<Response> {
    if (this.#isClosed)
      throw new EdgeflakeError("closed", "the authority was closed: create another one");
    return this.#pending.note(Promise.resolve(this.#fetch(request)));
  }

  /** A request listener for a server of your own: `createServer(authority.handler)`. */
  readonly handler = (request: IncomingMessage, response: ServerResponse): void => {
    void answer((given) => this.fetch(given), request, response);
  };

  /**
   * Starts an HTTP server. Default host: `localhost`, which only this machine can reach. For TLS,
   * put a proxy in front, or pass {@link handler} to `createServer` of `node:https`.
   *
   * @param port the port to listen on; 0 chooses a free port
   * @returns The URL for `new LeasedGenerator({ authority })`
   */
  async listen(port: number, host = "localhost"): Promise<URL> {
    const server = createServer(this.handler);
    const chosen = await listen(server, port, host);
    this.#servers.add(server);
    return new URL(`http://${host.includes(":") ? `[${host}]` : host}:${chosen}`);
  }

  /**
   * Stops listening, waits until all requests are answered, and unlocks the directory. You may also
   * kill the process, because each grant is stored before it is answered. In both cases, leases
   * stay valid.
   */
  async close(): Promise<void> {
    const closing = [...this.#servers].map(
      (server) => new Promise((resolve) => server.close(resolve)),
    );
    this.#servers.clear();
    await Promise.all(closing);
    this.#isClosed = true;
    await this.#pending.end();
    for (const objects of this.#objects) objects.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
