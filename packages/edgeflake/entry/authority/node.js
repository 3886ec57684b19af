// An authority in one Node process: edgeflake's Worker with its objects, on `node:sqlite`. All that
// is decided is decided by the Worker's module, so the wire and the tokens are those of the Worker.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { isAbsolute, relative, sep } from "node:path";
import { instantiate } from "../../dist/worker_node.js";
import { EdgeflakeError } from "../../lib/error.js";
import { known, shown } from "../../lib/options.js";
import { answer } from "./http.js";
import { Mark } from "./mark.js";
import { groupedStorageOf, Objects } from "./objects.js";

export { EdgeflakeError };

/**
 * @import { AuthorityOptions } from "edgeflake/authority/node"
 * @import { Server, IncomingMessage, ServerResponse } from "node:http"
 */

/** What the name of each variable begins with. */
const PREFIX = "EDGEFLAKE_";

/** What a request for the range of nothing is refused by, when the variables are right. */
const CHECK = "http://localhost/v1/range";

/** What the Worker imports from its platform. */
class Entry {
  /** @param {object} ctx @param {object} env */
  constructor(ctx, env) {
    this.ctx = ctx;
    this.env = env;
  }
}
const classes = { DurableObject: Entry, WorkerEntrypoint: Entry, RpcTarget: class {} };

/** @type {WebAssembly.Module | undefined} */
let compiled;

function compile() {
  const file = new URL("../../dist/worker/index_bg.wasm", import.meta.url);
  compiled ??= new WebAssembly.Module(readFileSync(file));
  return compiled;
}

/** @param {any} given */
function variablesOf(given) {
  /** @type {Record<string, unknown>} */
  const variables = {};
  if (Object(given) !== given || Array.isArray(given)) {
    throw invalid(`variables is ${shown(given)}: an object such as process.env is allowed`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (!name.startsWith(PREFIX) || value === undefined) continue;
    if (typeof value !== "string") throw invalid(`${name} is ${shown(value)}: a string is allowed`);
    variables[name] = value;
  }
  return variables;
}

/** @param {string} message */
const invalid = (message) => new EdgeflakeError("invalid-option", message);

/** @param {AuthorityOptions} options */
export async function createAuthority(options) {
  const names = ["directory", "variables", "witness"];
  const { directory, variables = {}, witness } = known("createAuthority", options, names);
  if (typeof directory !== "string" || directory === "") {
    throw invalid(`directory is ${shown(directory)}: a path is allowed`);
  }
  if (witness !== undefined && (typeof witness !== "string" || witness === "")) {
    throw invalid(`witness is ${shown(witness)}: a path is allowed, or nothing`);
  }
  if (witness !== undefined && isIn(directory, witness)) {
    const why = "choose one outside of it, on another disk that is not copied with it";
    throw invalid(`witness is ${witness}, in the directory ${directory}: ${why}`);
  }
  /** @type {Record<string, unknown>} */
  const env = variablesOf(variables);
  const pending = new Pending();
  const platform = {
    ...classes,
    waitUntil: (/** @type {Promise<unknown>} */ promise) => void pending.note(promise),
  };
  const worker = instantiate((name) => (name === "cloudflare:workers" ? platform : compile()));
  const objects = new Objects(directory);
  const witnesses = witness === undefined ? undefined : witnessesIn(witness, objects);
  env.EDGEFLAKE_WITNESS = witnesses?.namespace(() => worker.Directory, env) ?? "none";
  env.AUTHORITY = objects.namespace(() => worker.Authority, env, groupedStorageOf);
  env.DIRECTORY = objects.namespace(() => worker.Directory, env);
  const stored = witnesses ? [objects, witnesses] : [objects];
  const authority = new NodeAuthority(worker.default, env, stored, pending);
  const { status, problem } = await authority.fetch(new Request(CHECK)).then(async (response) => ({
    status: response.status,
    problem: await response.json(),
  }));
  if (status < 500) return authority;
  await authority.close();
  throw new EdgeflakeError("invalid-configuration", problem.detail);
}

/** Whether a path is a directory, or in it. @param {string} directory @param {string} path */
function isIn(directory, path) {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The witnesses of a directory's objects, which are closed if theirs cannot be opened. @param {string} witness @param {Objects} objects */
function witnessesIn(witness, objects) {
  /** @type {Objects | undefined} */
  let witnesses;
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

/** What is under way. */
class Pending {
  /** @type {Set<Promise<unknown>>} */
  #promises = new Set();

  /** @template T @param {Promise<T>} promise */
  note(promise) {
    const ended = promise.then(
      () => {},
      () => {},
    );
    this.#promises.add(ended);
    ended.then(() => this.#promises.delete(ended));
    return promise;
  }

  async end() {
    while (this.#promises.size > 0) await Promise.all(this.#promises);
  }
}

class NodeAuthority {
  #env;
  #Worker;
  #objects;
  #pending;
  /** @type {Set<Server>} */
  #servers = new Set();
  #isClosed = false;

  /**
   * @param {new (ctx: object, env: object) => { fetch(request: Request): Promise<Response> }} Worker
   * @param {object} env
   * @param {Objects[]} objects
   * @param {Pending} pending
   */
  constructor(Worker, env, objects, pending) {
    this.#Worker = Worker;
    this.#env = env;
    this.#objects = objects;
    this.#pending = pending;
  }

  /** @param {Request} request */
  async fetch(request) {
    if (this.#isClosed)
      throw new EdgeflakeError("closed", "the authority was closed: create another one");
    const response = new this.#Worker({}, this.#env).fetch(request);
    return this.#pending.note(Promise.resolve(response));
  }

  /** @type {(request: IncomingMessage, response: ServerResponse) => void} */
  handler = (request, response) => {
    void answer((given) => this.fetch(given), request, response);
  };

  /** @param {number} port @param {string} [host] */
  async listen(port, host = "localhost") {
    const server = createServer(this.handler);
    await new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => resolve(undefined));
    });
    this.#servers.add(server);
    const address = /** @type {import("node:net").AddressInfo} */ (server.address());
    return new URL(`http://${host.includes(":") ? `[${host}]` : host}:${address.port}`);
  }

  async close() {
    const closing = [...this.#servers].map(
      (server) => new Promise((resolve) => server.close(resolve)),
    );
    this.#servers.clear();
    await Promise.all(closing);
    this.#isClosed = true;
    await this.#pending.end();
    for (const objects of this.#objects) objects.close();
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }
}
