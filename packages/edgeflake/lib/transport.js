// The ways to an authority: to the objects of a namespace, or to the Worker that has them, over
// HTTP or over RPC.

import { objectName, objectUrl } from "../dist/edgeflake_lease.js";
import { EdgeflakeError } from "./error.js";

/**
 * @import { ObjectNamespace, ServiceBinding } from "edgeflake/lease"
 *
 * @typedef {string | ServiceBinding | ObjectNamespace} Authority
 *
 * @typedef {object} Transport
 * @property {(
 *   message: string, shard: number | undefined, tries: number, signal: AbortSignal,
 *   hint: string | undefined
 * ) => Promise<string>} send answers the message that came back to one that was sent so often
 * before; the hint says where to place the shard's object
 * @property {() => number} [place] where this process stands on the circle of shards, in 2^-16 of
 * it; without it the Worker that is asked finds the shard
 */

/**
 * When to ask an object again that the platform finds overloaded, in ms: no sooner than where the
 * authority finds that itself.
 */
const OVERLOADED_MS = 2_000;

/** Where a message goes, by its name. */
const PATHS = new Map([
  ["acquire", "leases"],
  ["renew", "leases/renew"],
  ["release", "leases/release"],
  ["prefetch", "batches"],
]);

/** What the path of a problem's type begins with. */
const PROBLEMS = "/problems/";

/** Drawn within a request, since Workers have no random bits before. @type {number | undefined} */
let ownPlace;

function place() {
  ownPlace ??= crypto.getRandomValues(new Uint16Array(1))[0];
  return ownPlace;
}

/**
 * @param {Authority} authority
 * @returns {authority is ObjectNamespace}
 */
export const isNamespace = (authority) => typeof authority !== "string" && !("fetch" in authority);

/**
 * A transport to the objects themselves.
 *
 * @param {ObjectNamespace} namespace
 * @param {string} sequencer
 * @returns {Transport}
 */
export function byObjects(namespace, sequencer) {
  return {
    place,
    async send(body, shard, _tries, signal, locationHint) {
      // A stub is not used again after an exception, so each call has its own.
      const stub = namespace.getByName(objectName(sequencer, Number(shard)), { locationHint });
      const url = objectUrl(sequencer, Number(shard));
      try {
        const response = await stub.fetch(url, { method: "POST", body, signal });
        const text = await response.text();
        if (!response.ok) throw new Error(`${response.status}: ${text}`);
        return text;
      } catch (error) {
        if (!(/** @type {{ overloaded?: boolean }} */ (error).overloaded)) throw error;
        return refusal("overloaded", { retry_in_ms: OVERLOADED_MS });
      }
    },
  };
}

/**
 * To a Worker, over HTTP; or over RPC, where it is a binding and there is no token.
 *
 * @param {string | ServiceBinding} worker its URL without a slash at the end, or its binding
 * @param {string} sequencer
 * @param {string | undefined} token
 * @returns {Transport}
 */
export function byHttp(worker, sequencer, token) {
  const base = typeof worker === "string" ? worker : "https://edgeflake";
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  let isCallable =
    typeof worker !== "string" && token === undefined && typeof worker.sequencer === "function";
  return {
    async send(message, shard, tries, signal) {
      const [[name, fields]] = Object.entries(JSON.parse(message));
      const body = JSON.stringify({ ...fields, shard, tries });
      if (isCallable) {
        try {
          return await called(/** @type {any} */ (worker), sequencer, name, body, signal);
        } catch (/** @type {any} */ error) {
          // The platform's, of a Worker without this method: a binding seems to have every method.
          if (error.name !== "TypeError") throw error;
          isCallable = false;
        }
      }
      const url = `${base}/v1/sequencers/${sequencer}/${PATHS.get(name)}`;
      const init = {
        method: "POST",
        headers,
        body,
        // Followed, one would turn a POST into a GET, or leave the token out.
        redirect: /** @type {const} */ ("manual"),
        signal,
      };
      const response = await (typeof worker === "string"
        ? fetch(url, init)
        : worker.fetch(url, init));
      return answerOf(response, url);
    },
  };
}

/**
 * What edgeflake's Worker answers over RPC, unless it is given up before.
 *
 * @param {{ sequencer(name: string): { lease(name: string, body: string): Promise<string> } }}
 * worker
 * @param {string} sequencer
 * @param {string} name of the message
 * @param {string} body
 * @param {AbortSignal} signal
 * @returns {Promise<string>}
 */
function called(worker, sequencer, name, body, signal) {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    worker.sequencer(sequencer).lease(name, body).then(resolve, reject);
  });
}

/**
 * The message of an authority that refuses, without its incarnation.
 *
 * @param {string} code
 * @param {Record<string, number>} [fields]
 */
function refusal(code, fields) {
  return JSON.stringify({ refused: { refusal: code, incarnation: 0, ...fields } });
}

/** Statuses of requests that may be answered otherwise later. */
const PASSING = [408, 429];

/**
 * The message that a response has or stands for.
 *
 * @param {Response} response
 * @param {string} url
 */
async function answerOf(response, url) {
  const { ok, status, headers } = response;
  const text = await response.text();
  const type = headers.get("content-type") ?? "no type";
  const isJson = type.includes("json");
  if (ok && isJson) return text;
  /** @type {{ type?: unknown, detail?: unknown, refused?: unknown } | undefined} */
  const problem = isJson ? JSON.parse(text) : undefined;
  if (problem?.refused) return JSON.stringify({ refused: problem.refused });
  const code = `${problem?.type}`.split(PROBLEMS)[1];
  if (code === "unknown-sequencer") return refusal(code);
  if (code === "unauthorized" || code === "forbidden") {
    throw new EdgeflakeError(code, `${problem?.detail}`);
  }
  // Browsers tell no more of a redirect than that it is one, with status 0.
  const target = headers.get("location") ?? (status ? "" : "elsewhere");
  const found = target ? `a redirect to ${target}` : (problem?.detail ?? type);
  const message = `${url} answered ${status}, ${found}`;
  if (status >= 500 || PASSING.includes(status)) throw new Error(message);
  const todo = problem ? "" : ": authority must be edgeflake's Worker";
  throw new EdgeflakeError("authority-unreachable", message + todo);
}

/**
 * Why a call failed. What `fetch` says in Node is only that it did, and its cause says why; the
 * cause of several attempts has a code alone.
 *
 * @param {any} error
 * @returns {string}
 */
export function reason(error) {
  const { cause } = error;
  return cause?.message || cause?.code || error.message || `${error}`;
}
