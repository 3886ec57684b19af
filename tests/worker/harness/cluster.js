// Starts isolates and their authority, for tests of leases. The objects are in a separate isolate,
// `authority`, so that their clock can differ from a holder's.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { startWorkerd, worker } from "../../../tools/serve/workerd.js";

const AUTHORITY = "authority";

const modules = ["tests/worker/harness/entry.js", "tests/worker/harness/clock.js", ...worker];

const classes = ["Authority", "Directory"];

/** The object of the default sequencer, if it has one shard. */
const DEFAULT_OBJECT = "default/0";

/** @param {number} count @returns names of isolates */
export const named = (count) => Array.from({ length: count }, (_, i) => `isolate-${i}`);

/**
 * @param {string[]} isolates
 * @param {Record<string, string>} [vars] by default, every caller may get ids
 * @returns the isolates, started with empty storage; the caller closes them
 */
export async function startCluster(isolates, vars = {}) {
  const directory = mkdtempSync(join(tmpdir(), "edgeflake-"));
  const start = async (/** @type {Record<string, string>} */ vars, storage = "storage") => {
    mkdirSync(join(directory, storage), { recursive: true });
    const services = [AUTHORITY, ...isolates].map((name) => ({
      name,
      modules,
      vars: { EDGEFLAKE_PUBLIC_ISSUE: "true", EDGEFLAKE_PUBLIC_READ: "true", ...vars },
      objects: classes.map((className) => ({
        binding: className.toUpperCase(),
        className,
        ...(name === AUTHORITY ? {} : { owner: AUTHORITY }),
      })),
    }));
    // The Worker logs only calls that fail because the test wants them to.
    const quiet = !process.env.WORKERD_LOGS;
    return startWorkerd({ directory, storage: join(directory, storage), services, quiet });
  };
  let server = await start(vars);
  /** @param {string} isolate @param {string} path @param {RequestInit} [init] POST by default */
  const post = (isolate, path, init) =>
    fetch(server.url(isolate, path), { method: "POST", ...init });
  /**
   * Sets handles of an isolate, or asks its objects (see `entry.js`).
   *
   * @param {string} isolate @param {any} [query] @param {RequestInit} [init]
   */
  const handle = async (isolate, query, init) =>
    read(await post(isolate, `/test?${new URLSearchParams(query)}`, init));
  const close = async () => {
    await server.kill();
    rmSync(directory, { recursive: true });
  };

  return {
    isolates,

    /** @param {string} isolate @param {string} path @returns its URL */
    url: (isolate, path) => server.url(isolate, path),

    fetch: post,

    /**
     * @param {string} isolate @param {string} method @param {string} path @param {object} [options]
     * @param {string} [options.token] sent as Bearer
     * @param {Record<string, string>} [options.headers]
     * @param {unknown} [options.body] a string as it is, everything else as JSON
     * @returns the answer, with its JSON as `body`; `said` has its status and, below 400, its text,
     * or else the type and the detail of the problem
     */
    async send(isolate, method, path, { token, headers, body } = {}) {
      const response = await post(isolate, path, {
        method,
        headers: { ...(token && { Authorization: `Bearer ${token}` }), ...headers },
        body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
      });
      const text = await response.text();
      const isJson = /json$/.test(response.headers.get("content-type") ?? "") && text !== "";
      const json = /** @type {any} */ (isJson ? JSON.parse(text) : undefined);
      const { status, headers: answered } = response;
      const problem = json && `${json.type}: ${json.detail}`.replace("/problems/", "");
      const said = `${status} ${status < 400 ? text : (problem ?? text)}`;
      return { status, headers: answered, text, body: json, said };
    },

    /**
     * Returns ids, or the reason why there are none.
     *
     * @param {Ask} asked
     * @returns {Promise<Answer>}
     */
    async ask(...[isolate, count, sequencer = "default"]) {
      const path = `/v1/sequencers/${sequencer}/ids?format=binary&count=${count}`;
      const response = await post(isolate, path);
      if (response.status !== 200) {
        // A Worker that panicked sends no problem document.
        const text = await response.text();
        const problem = text.startsWith("{") ? JSON.parse(text) : { detail: text };
        return { status: response.status, ids: new BigUint64Array(), problem };
      }
      const view = new DataView(await response.arrayBuffer());
      const ids = new BigUint64Array(view.byteLength / 8);
      for (let i = 0; i < ids.length; i++) ids[i] = view.getBigUint64(i * 8);
      return { status: 200, ids };
    },

    /** Returns ids, or fails if there are none. @param {Ask} asked */
    async ids(...asked) {
      const { status, ids, problem } = await this.ask(...asked);
      if (problem) throw new Error(`${asked[0]}: ${status} ${problem.detail}`);
      return ids;
    },

    /** Returns ids, and retries as long as the answer is a 503. @param {Ask} asked */
    async idsAtLast(...asked) {
      for (;;) {
        const { status, ids, problem } = await this.ask(...asked);
        if (!problem) return ids;
        if (status !== 503) throw new Error(`${asked[0]}: ${status} ${problem.detail}`);
      }
    },

    /** @param {string} isolate @param {Record<string, number>} handles */
    async turn(isolate, handles) {
      await handle(isolate, handles);
    },

    /** @param {Record<string, number>} handles of all isolates and the authority */
    async turnAll(handles) {
      await Promise.all([AUTHORITY, ...isolates].map((name) => handle(name, handles)));
    },

    /** @param {string} isolate @returns {Promise<number>} the time of its clock, in Unix ms */
    nowMs: async (isolate) => (await handle(isolate)).now_ms,

    /** @returns {Promise<Record<"counts" | "started" | "statements", Counts> & Record<"calls" | "directory" | "witnessed", number>>} */
    calls: () => handle(AUTHORITY),

    /** Runs SQL in an object. @param {string} sql @returns {Promise<Record<string, any>[]>} */
    sql: (sql, object = DEFAULT_OBJECT) => handle(AUTHORITY, { object, sql }),

    /** Ends an object. Its memory and the requests to it are lost. */
    evict: (object = DEFAULT_OBJECT) => handle(AUTHORITY, { object }),

    /**
     * Calls a shard by its own protocol.
     *
     * @param {string} object @param {string} method @param {string} [path] @param {string} [body]
     * @returns {Promise<{ status: number, text: string }>}
     */
    direct: (object, method, path = "", body) =>
      handle(AUTHORITY, { object, method, path: `/v1/${object}/${path}` }, { body }),

    /** Kills the server with SIGKILL, so that nothing is closed. */
    kill: () => server.kill(),

    /**
     * Restarts the killed server.
     *
     * @param {Record<string, string>} [newVars] @param {string} [storage]
     */
    async start(newVars = vars, storage) {
      server = await start(newVars, storage);
    },

    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Starts isolates before the tests of a suite, sets handles of all of them, and closes them after
 * the tests.
 *
 * @param {Parameters<typeof startCluster>} started @param {Record<string, number>} [handles]
 */
export function clusterOf(started, handles) {
  const cluster = /** @type {Cluster} */ ({});
  before(async () => {
    Object.assign(cluster, await startCluster(...started));
    if (handles) await cluster.turnAll(handles);
  });
  after(() => cluster.close());
  return cluster;
}

/** @typedef {{ type: string, status: number, detail: string, refused?: object }} Problem */
/** @typedef {{ status: number, ids: BigUint64Array, problem?: Problem }} Answer */
/** @typedef {[isolate: string, count: number, sequencer?: string]} Ask */
/** @typedef {Record<string, number>} Counts */
/** @typedef {Awaited<ReturnType<typeof startCluster>>} Cluster */

/** @param {Response} response @returns {Promise<any>} its body */
async function read(response) {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text);
}
