import { type Delivery, objectName, objectUrl } from "../edgeflake_lease.js";
import { EdgeflakeError } from "../error.js";

/** A Worker's binding of the Durable Object namespace `Authority`. */
export interface ObjectNamespace {
  getByName(
    name: string,
    options?: { locationHint?: string | undefined },
  ): {
    fetch(url: string, init?: RequestInit): Promise<Response>;
  };
}

/** A service binding of edgeflake's Worker in another Worker. */
export interface ServiceBinding {
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** edgeflake's Worker offers this method over RPC. It is called only if no token is given. */
  sequencer?(name: string): unknown;
}

interface CallableBinding {
  sequencer(name: string): { lease(message: string, body: string): Promise<string> };
}

export type Authority = string | ServiceBinding | ObjectNamespace;

/** Sends messages to Durable Objects directly, or to edgeflake's Worker over HTTP or RPC. */
export interface Transport {
  /** Sends `message`, the current message of `delivery`, and returns the reply. */
  send(message: string, delivery: Delivery, signal: AbortSignal): Promise<string>;
  /**
   * Returns this process's place on the circle of shards, 0 to 65,535, which determines the shard
   * to ask. A transport to a Worker has no such method, because the Worker chooses the shard.
   */
  place?(): number;
}

const PATHS = new Map([
  ["acquire", "leases"],
  ["renew", "leases/renew"],
  ["release", "leases/release"],
  ["prefetch", "batches"],
]);

let ownPlace: number | undefined;

function place() {
  // Draw the place during a request, because Workers give no random bits at module scope.
  ownPlace ??= crypto.getRandomValues(new Uint16Array(1))[0];
  return ownPlace;
}

export const isNamespace = (authority: Authority): authority is ObjectNamespace =>
  typeof authority !== "string" && !("fetch" in authority);

export function byObjects(namespace: ObjectNamespace, sequencer: string): Transport {
  return {
    place,
    async send(body, delivery, signal) {
      const [shard, locationHint] = [Number(delivery.shard()), delivery.hint()];
      // Get a stub for each call, because a stub must not be used again after an exception.
      const stub = namespace.getByName(objectName(sequencer, shard), { locationHint });
      const url = objectUrl(sequencer, shard);
      const response = await stub.fetch(url, { method: "POST", body, signal });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return text;
    },
  };
}

/** Returns a transport to edgeflake's Worker: RPC for a binding without a token, otherwise HTTP. */
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
  const call = (name: string, body: string, signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      (worker as CallableBinding).sequencer(sequencer).lease(name, body).then(resolve, reject);
    });
  return {
    async send(message, delivery, signal) {
      const [[name, fields]] = Object.entries<object>(JSON.parse(message));
      const [shard, tries] = [delivery.shard(), delivery.tries()];
      const body = JSON.stringify({ ...fields, shard, tries });
      if (isCallable) {
        try {
          return await call(name, body, signal);
        } catch (error) {
          // A binding seems to have every method, but throws a TypeError if the method is missing.
          if ((error as Error).name !== "TypeError") throw error;
          isCallable = false;
        }
      }
      const url = `${base}/v1/sequencers/${sequencer}/${PATHS.get(name)}`;
      // Following a redirect could turn the POST into a GET, or lose the token.
      const init = { method: "POST", headers, body, redirect: "manual", signal } as const;
      const sent = typeof worker === "string" ? fetch(url, init) : worker.fetch(url, init);
      return answerOf(await sent, url);
    },
  };
}

/** 4xx statuses after which a retry may succeed. */
const PASSING = [408, 429];

/** Returns the reply in a response. Turns an error response into a refusal, or throws. */
async function answerOf(response: Response, url: string): Promise<string> {
  const { ok, status, headers } = response;
  const text = await response.text();
  const type = headers.get("content-type") ?? "no type";
  const isJson = type.includes("json");
  if (ok && isJson) return text;
  // These are members of an RFC 9457 problem; `refused` is an extension by edgeflake.
  const problem: { type?: unknown; detail?: unknown; refused?: unknown } | undefined = isJson
    ? JSON.parse(text)
    : undefined;
  if (problem?.refused) return JSON.stringify({ refused: problem.refused });
  const code = `${problem?.type}`.split("/problems/")[1];
  if (code === "invalid-configuration") throw new Error(`${code}: ${problem?.detail}`);
  if (code === "unknown-sequencer") {
    return JSON.stringify({ refused: { refusal: code, incarnation: 0 } });
  }
  if (code === "unauthorized" || code === "forbidden")
    throw new EdgeflakeError(code, `${problem?.detail}`);
  // For a redirect, browsers hide the target and report status 0.
  const target = headers.get("location") ?? (status ? "" : "elsewhere");
  const found = target ? `a redirect to ${target}` : (problem?.detail ?? type);
  const message = `${url} answered ${status}, ${found}`;
  if (status >= 500 || PASSING.includes(status)) throw new Error(message);
  const todo = problem ? "" : ": authority must be edgeflake's Worker";
  throw new EdgeflakeError("authority-unreachable", message + todo);
}

/**
 * Returns the reason why a call failed. In Node, the reason is in the `cause` of `fetch`'s error:
 * in its message or, if Node tried several addresses, in its `code`.
 */
// biome-ignore lint/suspicious/noExplicitAny: anything can be thrown
export function reason(error: any): string {
  const { cause } = error;
  return cause?.message || cause?.code || error.message || `${error}`;
}
