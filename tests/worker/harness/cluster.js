// Starts isolates and their authority, for tests of leases. The objects are in a separate isolate,
// `authority`, so that their clock can differ from a holder's.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWorkerd, worker } from "../../../tools/serve/workerd.js";

const AUTHORITY = "authority";

const modules = ["tests/worker/harness/entry.js", "tests/worker/harness/clock.js", ...worker];

/** The classes of the Durable Objects. */
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
  const state = async (isolate = AUTHORITY) => read(await post(isolate, "/test"));

  return {
    isolates,

    /** @param {string} isolate @param {string} path @returns its URL */
    url: (isolate, path) => server.url(isolate, path),

    fetch: post,

    /**
     * @param {string} isolate
     * @param {string} method
     * @param {string} path
     * @param {object} [options]
     * @param {string} [options.token] sent as Bearer
     * @param {Record<string, string>} [options.headers]
     * @param {unknown} [options.body] a string as it is, everything else as JSON
     * @returns the answer, with its JSON as `body`
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
      return { status: response.status, headers: response.headers, text, body: json };
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

    /**
     * Sets handles of an isolate (see `entry.js`).
     *
     * @param {string} isolate
     * @param {Record<string, number>} handles
     */
    async turn(isolate, handles) {
      const query = new URLSearchParams(
        Object.entries(handles).map(([name, value]) => [name, `${value}`]),
      );
      await (await post(isolate, `/test?${query}`)).arrayBuffer();
    },

    /** @param {Record<string, number>} handles of all isolates and the authority */
    async turnAll(handles) {
      await Promise.all([AUTHORITY, ...isolates].map((name) => this.turn(name, handles)));
    },

    /** @param {Record<string, number>} handles */
    turnAuthority(handles) {
      return this.turn(AUTHORITY, handles);
    },

    /** @param {string} isolate @returns {Promise<number>} the time of its clock, in Unix ms */
    async nowMs(isolate) {
      return (await state(isolate)).now_ms;
    },

    /** @returns {Promise<Record<"counts" | "started" | "statements", Counts> & Record<"calls" | "directory" | "witnessed", number>>} */
    async calls() {
      return state();
    },

    /**
     * Runs SQL in a shard's storage.
     *
     * @param {string} sql
     * @returns {Promise<Record<string, any>[]>}
     */
    async sql(sql, object = DEFAULT_OBJECT) {
      const query = new URLSearchParams({ object, sql });
      return read(await post(AUTHORITY, `/test?${query}`));
    },

    /** Ends an object. Its memory and the requests to it are lost. */
    async evict(object = DEFAULT_OBJECT) {
      const query = new URLSearchParams({ object });
      await (await post(AUTHORITY, `/test?${query}`)).arrayBuffer();
    },

    /**
     * Calls a shard by its own protocol.
     *
     * @param {string} object
     * @param {string} method
     * @param {string} [body]
     * @returns {Promise<{ status: number, text: string }>}
     */
    async direct(object, method, path = "", body) {
      const query = new URLSearchParams({ object, method, path: `/v1/${object}/${path}` });
      return read(await post(AUTHORITY, `/test?${query}`, { body }));
    },

    /** Kills the server with SIGKILL, so that nothing is closed. */
    kill: () => server.kill(),

    /**
     * Restarts the killed server.
     *
     * @param {Record<string, string>} [newVars]
     * @param {string} [storage]
     */
    async start(newVars = vars, storage) {
      server = await start(newVars, storage);
    },

    async close() {
      await server.kill();
      rmSync(directory, { recursive: true });
    },
  };
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
