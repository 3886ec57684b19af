/**
 * An authority that runs in one Node process and stores its data by `node:sqlite`, for those who run
 * servers instead of Workers. It has the HTTP API, the tokens, the guarantees and the Rust code of
 * edgeflake's Worker. It needs Node 22.13 or newer.
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

/// <reference lib="esnext.disposable" preserve="true" />

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isAbsolute, relative, sep } from "node:path";
import { EdgeflakeError } from "../error.js";
import type { ErrorCode, Variables } from "../names.js";
import { known, refused } from "../options.js";
import { instantiate } from "../worker_node.js";
import { answer } from "./http.js";
import { Mark } from "./mark.js";
import { groupedStorageOf, Objects } from "./objects.js";

export type { ErrorCode, NodeAuthority, Variables };
export { EdgeflakeError };

/** The options of {@link createAuthority}. */
export interface AuthorityOptions {
  /**
   * The directory of the leases, on a local disk: it has a database for each sequencer and shard.
   * It is made if it is missing, in a directory that must be there. Only one process may use it at
   * a time.
   */
  directory: string;
  /**
   * The directory of the leases' witnesses, on another disk than the first directory and in no copy
   * of it. With it, an authority whose `directory` is restored from a copy, or emptied, repeats no
   * id: every node starts after the end of every lease that it may have forgotten. Each grant and
   * renewal waits for a second commit. A directory of leases, and one with the witnesses of another
   * authority, are refused. Without it, never restore a copy while leases that are newer may be in
   * use. Do not restore this directory, but you may empty it while the first one is complete.
   */
  witness?: string | undefined;
  /**
   * The variables and secrets of the Worker, such as `EDGEFLAKE_LEASE_TOKEN`. Names that do not
   * begin with `EDGEFLAKE_` are left out, so `process.env` can be given.
   */
  variables?: { readonly [Name in keyof Variables]?: Variables[Name] | undefined } | undefined;
}

const PREFIX = "EDGEFLAKE_";

/** The Worker answers this request with a status below 500 if its variables are valid. */
const CHECK = "http://localhost/v1/range";

/** The base of the classes that the Worker imports from its platform. */
class Entry {
  declare readonly ctx: object;
  declare readonly env: object;

  constructor(ctx: object, env: object) {
    this.ctx = ctx;
    this.env = env;
  }
}
const classes = { DurableObject: Entry, WorkerEntrypoint: Entry, RpcTarget: class {} };

let compiled: WebAssembly.Module | undefined;

function compile() {
  const file = new URL("../worker/index_bg.wasm", import.meta.url);
  compiled ??= new WebAssembly.Module(readFileSync(file));
  return compiled;
}

function variablesOf(given: object) {
  const variables: Record<string, unknown> = {};
  if (Object(given) !== given || Array.isArray(given)) {
    throw refused("variables", given, "an object such as process.env is allowed");
  }
  for (const [name, value] of Object.entries(given)) {
    if (!name.startsWith(PREFIX) || value === undefined) continue;
    if (typeof value !== "string") throw refused(name, value, "a string is allowed");
    variables[name] = value;
  }
  return variables;
}

/**
 * Makes an authority of a directory.
 *
 * @throws {EdgeflakeError} `store-in-use` when another process has the directory, `store-failed`
 * when it cannot be used, with the `cause`; `invalid-configuration` for a variable that cannot be
 * used or is not known, `invalid-option`
 */
export async function createAuthority(options: AuthorityOptions): Promise<NodeAuthority> {
  const names = ["directory", "variables", "witness"];
  const { directory, variables = {}, witness } = known("createAuthority", options, names);
  if (typeof directory !== "string" || directory === "") {
    throw refused("directory", directory, "a path is allowed");
  }
  if (witness !== undefined && (typeof witness !== "string" || witness === "")) {
    throw refused("witness", witness, "a path is allowed, or nothing");
  }
  if (witness !== undefined && isIn(directory, witness)) {
    const why = "choose one outside of it, on another disk that is not copied with it";
    const found = `witness is ${witness}, in the directory ${directory}: ${why}`;
    throw new EdgeflakeError("invalid-option", found);
  }
  const env = variablesOf(variables);
  const pending = new Pending();
  const platform = {
    ...classes,
    waitUntil: (promise: Promise<unknown>) => void pending.note(promise),
  };
  const worker = instantiate((name) => (name === "cloudflare:workers" ? platform : compile()));
  const objects = new Objects(directory);
  const witnesses = witness === undefined ? undefined : witnessesIn(witness, objects);
  env.EDGEFLAKE_WITNESS = witnesses?.namespace(() => worker.Directory, env) ?? "none";
  env.AUTHORITY = objects.namespace(() => worker.Authority, env, groupedStorageOf);
  env.DIRECTORY = objects.namespace(() => worker.Directory, env);
  const stored = witnesses ? [objects, witnesses] : [objects];
  const fetch = (request: Request) => new worker.default({}, env).fetch(request);
  const authority = new NodeAuthority(fetch, stored, pending);
  const response = await authority.fetch(new Request(CHECK));
  const problem = (await response.json()) as { detail: string };
  if (response.status < 500) return authority;
  await authority.close();
  throw new EdgeflakeError("invalid-configuration", problem.detail);
}

/** Tells whether a path is a directory, or in it. */
function isIn(directory: string, path: string) {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Opens the witnesses of objects, and closes the objects if that fails. */
function witnessesIn(witness: string, objects: Objects) {
  let witnesses: Objects | undefined;
  try {
    witnesses = new Objects(witness, "witnesses");
    Mark.pair(objects.mark, witnesses.mark);
    return witnesses;
  } catch (error) {
    witnesses?.close();
    objects.close();
    throw error;
  }
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

/** An authority. Its directory belongs to this process until `close`, or until the process ends. */
class NodeAuthority implements AsyncDisposable {
  #fetch;
  #objects;
  #pending;
  #servers = new Set<Server>();
  #isClosed = false;

  /** @internal */
  constructor(
    fetch: (request: Request) => Promise<Response>,
    objects: Objects[],
    pending: Pending,
  ) {
    this.#fetch = fetch;
    this.#objects = objects;
    this.#pending = pending;
  }

  /**
   * Answers a request of the Fetch API, for servers that use it.
   *
   * @throws {EdgeflakeError} `closed`
   */
  async fetch(request: Request): Promise<Response> {
    if (this.#isClosed)
      throw new EdgeflakeError("closed", "the authority was closed: create another one");
    return this.#pending.note(Promise.resolve(this.#fetch(request)));
  }

  /** Answers the requests of your own server: `createServer(authority.handler)`. */
  readonly handler = (request: IncomingMessage, response: ServerResponse): void => {
    void answer((given) => this.fetch(given), request, response);
  };

  /**
   * Listens for HTTP. Without a host it listens on `localhost` alone. There is no TLS: put a proxy
   * in front, or give {@link handler} to a server of `node:https`.
   *
   * @param port is 0 for any free port
   * @returns The URL for `new LeasedGenerator({ authority })`
   */
  async listen(port: number, host = "localhost"): Promise<URL> {
    const server = createServer(this.handler);
    await new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => resolve(undefined));
    });
    this.#servers.add(server);
    const address = server.address() as AddressInfo;
    return new URL(`http://${host.includes(":") ? `[${host}]` : host}:${address.port}`);
  }

  /**
   * Stops listening, waits for the requests that are being answered, and gives the directory to the
   * next process. You may as well kill the process: leases go on, and each grant is stored.
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

  /** Calls {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
