// Messages go to an authority in one of three ways: to the objects of a namespace, or to the Worker
// that has them, over HTTP or over RPC.

import { type Delivery, objectName, objectUrl } from "../edgeflake_lease.js";
import { EdgeflakeError } from "../error.js";

/** The namespace of edgeflake's Durable Objects, as a Worker binds it. */
export interface ObjectNamespace {
  getByName(
    name: string,
    options?: { locationHint?: string | undefined },
  ): {
    fetch(url: string, init?: RequestInit): Promise<Response>;
  };
}

/** edgeflake's Worker, as another Worker binds it. */
export interface ServiceBinding {
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** A binding of edgeflake's Worker has this method, which is called if there is no token. */
  sequencer?(name: string): unknown;
}

export type Authority = string | ServiceBinding | ObjectNamespace;

export interface Transport {
  /** Sends the present message of a delivery, and returns the reply. */
  send(message: string, delivery: Delivery, signal: AbortSignal): Promise<string>;
  /**
   * Returns the place of this process on the circle of shards, in units of 2^-16 of the circle. A
   * transport without this method lets the Worker choose the shard.
   */
  place?(): number;
}

const PATHS = new Map([
  ["acquire", "leases"],
  ["renew", "leases/renew"],
  ["release", "leases/release"],
  ["prefetch", "batches"],
]);

const PROBLEMS = "/problems/";

/** The place of this process, drawn within a request, because Workers have no random bits before. */
let ownPlace: number | undefined;

function place() {
  ownPlace ??= crypto.getRandomValues(new Uint16Array(1))[0];
  return ownPlace;
}

export const isNamespace = (authority: Authority): authority is ObjectNamespace =>
  typeof authority !== "string" && !("fetch" in authority);

/** Makes a transport to the objects themselves. */
export function byObjects(namespace: ObjectNamespace, sequencer: string): Transport {
  return {
    place,
    async send(body, delivery, signal) {
      const [shard, locationHint] = [Number(delivery.shard()), delivery.hint()];
      // Each call has its own stub, because a stub must not be used again after an exception.
      const stub = namespace.getByName(objectName(sequencer, shard), { locationHint });
      const url = objectUrl(sequencer, shard);
      const response = await stub.fetch(url, { method: "POST", body, signal });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return text;
    },
  };
}

/**
 * Makes a transport to a Worker, over HTTP; or over RPC, if it is a binding and there is no token.
 *
 * @param worker is its URL without a slash at the end, or its binding
 */
export function byHttp(
  worker: string | ServiceBinding,
  sequencer: string,
  token: string | undefined,
): Transport {
  const base = typeof worker === "string" ? worker : "https://edgeflake";
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  let isCallable =
    typeof worker !== "string" && token === undefined && typeof worker.sequencer === "function";
  return {
    async send(message, delivery, signal) {
      const [[name, fields]] = Object.entries<object>(JSON.parse(message));
      const [shard, tries] = [delivery.shard(), delivery.tries()];
      const body = JSON.stringify({ ...fields, shard, tries });
      if (isCallable) {
        try {
          return await called(worker as CallableBinding, sequencer, name, body, signal);
        } catch (error) {
          // A binding seems to have every method: the platform throws this if the Worker has none.
          if ((error as Error).name !== "TypeError") throw error;
          isCallable = false;
        }
      }
      const url = `${base}/v1/sequencers/${sequencer}/${PATHS.get(name)}`;
      // To follow a redirect would turn a POST into a GET, or leave the token out.
      const init = { method: "POST", headers, body, redirect: "manual", signal } as const;
      const response = await (typeof worker === "string"
        ? fetch(url, init)
        : worker.fetch(url, init));
      return answerOf(response, url);
    },
  };
}

/** edgeflake's Worker, as a binding that is called over RPC. */
interface CallableBinding {
  sequencer(name: string): { lease(message: string, body: string): Promise<string> };
}

function called(
  worker: CallableBinding,
  sequencer: string,
  name: string,
  body: string,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    worker.sequencer(sequencer).lease(name, body).then(resolve, reject);
  });
}

/** Statuses of requests that may succeed later. */
const PASSING = [408, 429];

/** Returns the reply that a response has, or that stands for its problem. */
async function answerOf(response: Response, url: string): Promise<string> {
  const { ok, status, headers } = response;
  const text = await response.text();
  const type = headers.get("content-type") ?? "no type";
  const isJson = type.includes("json");
  if (ok && isJson) return text;
  // An RFC 9457 problem has these.
  const problem: { type?: unknown; detail?: unknown; refused?: unknown } | undefined = isJson
    ? JSON.parse(text)
    : undefined;
  if (problem?.refused) return JSON.stringify({ refused: problem.refused });
  const code = `${problem?.type}`.split(PROBLEMS)[1];
  if (code === "invalid-configuration") throw new Error(`${code}: ${problem?.detail}`);
  if (code === "unknown-sequencer") {
    return JSON.stringify({ refused: { refusal: code, incarnation: 0 } });
  }
  if (code === "unauthorized" || code === "forbidden") {
    throw new EdgeflakeError(code, `${problem?.detail}`);
  }
  // Browsers do not tell the target of a redirect, but a status of 0.
  const target = headers.get("location") ?? (status ? "" : "elsewhere");
  const found = target ? `a redirect to ${target}` : (problem?.detail ?? type);
  const message = `${url} answered ${status}, ${found}`;
  if (status >= 500 || PASSING.includes(status)) throw new Error(message);
  const todo = problem ? "" : ": authority must be edgeflake's Worker";
  throw new EdgeflakeError("authority-unreachable", message + todo);
}

/**
 * Returns why a call failed. In Node, the error of `fetch` says only "fetch failed", and the reason
 * is the message of its `cause`. If several addresses were tried, the `cause` has a `code` and no
 * message.
 */
// biome-ignore lint/suspicious/noExplicitAny: anything can be thrown
export function reason(error: any): string {
  const { cause } = error;
  return cause?.message || cause?.code || error.message || `${error}`;
}
