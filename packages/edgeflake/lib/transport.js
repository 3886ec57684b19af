// The two ways to an authority: to the objects of a namespace, or to the Worker that has them.

import { EdgeflakeError } from "./error.js";

/**
 * @import { ErrorCode } from "edgeflake"
 * @import { ObjectNamespace, ServiceBinding } from "edgeflake/lease"
 *
 * @typedef {string | ServiceBinding | ObjectNamespace} Authority
 *
 * @typedef {object} Transport
 * @property {(message: string, shard: number | undefined, tries: number) => Promise<string>} send
 * answers the message that came back to one that was sent so often before
 * @property {() => number} [place] where this process stands on the circle of shards, in 2^-16 of
 * it; without it whoever is asked finds the shard
 */

/**
 * How long an answer is waited for, in ms: by then nobody asks for it any more, and the connection
 * would keep a process alive.
 */
const ANSWER_MAX_MS = 10_000;

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

/** Problems that no other try solves. @type {ErrorCode[]} */
const DENIALS = ["unauthorized", "forbidden"];

/** What the path of a problem's type begins with. */
const PROBLEMS = "/problems/";

/** Drawn within a request, since Workers have no random bits before. @type {number | undefined} */
let ownPlace;

function place() {
  ownPlace ??= crypto.getRandomValues(new Uint16Array(1))[0];
  return ownPlace;
}

/**
 * To the objects themselves.
 *
 * @param {ObjectNamespace} namespace
 * @param {string} sequencer
 * @returns {Transport}
 */
export function byObjects(namespace, sequencer) {
  return {
    place,
    async send(body, shard) {
      // A stub is not used again after an exception, so each call has its own.
      const stub = namespace.getByName(`${sequencer}/${shard}`);
      const url = `https://authority/v1/${sequencer}/${shard}/`;
      const signal = AbortSignal.timeout(ANSWER_MAX_MS);
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
 * To a Worker, over HTTP.
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
  return {
    async send(message, shard, tries) {
      const [[name, fields]] = Object.entries(JSON.parse(message));
      const url = `${base}/v1/sequencers/${sequencer}/${PATHS.get(name)}`;
      const init = {
        method: "POST",
        headers,
        body: JSON.stringify({ ...fields, shard, tries }),
        signal: AbortSignal.timeout(ANSWER_MAX_MS),
      };
      const response = await (typeof worker === "string"
        ? fetch(url, init)
        : worker.fetch(url, init));
      const text = await response.text();
      return response.ok ? text : refused(response.status, text);
    },
  };
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

/**
 * The message that a problem stands for.
 *
 * @param {number} status
 * @param {string} text
 */
function refused(status, text) {
  const problem = problemOf(text);
  if (problem?.refused) return JSON.stringify({ refused: problem.refused });
  if (problem?.type === `${PROBLEMS}unknown-sequencer`) {
    return refusal("unknown-sequencer");
  }
  const denial = DENIALS.find((code) => problem?.type === `${PROBLEMS}${code}`);
  if (denial) throw new EdgeflakeError(denial, `${problem?.detail}`);
  throw new Error(`${status}: ${problem?.detail ?? text.slice(0, 200)}`);
}

/**
 * @param {string} text
 * @returns {{ type?: unknown, detail?: unknown, refused?: unknown } | undefined} none if what
 * answered is not the Worker
 */
function problemOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
