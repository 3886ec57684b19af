// `edgeflake authority serve` runs an authority as a service: it logs a line of JSON per answer,
// serves metrics of its own, limits the rate of requests, and answers open requests before it ends.

import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { env, stdout } from "node:process";
import { answer, BACKLOG } from "../authority/http.js";
import { createAuthority } from "../authority/node.js";
import type { EventName } from "../names.js";
import { ServiceMetrics } from "./service-metrics.js";

/** The settings of the service. All other settings are environment variables. */
export interface ServeOptions {
  directory: string;
  witness: string | undefined;
  host: string;
  port: number;
  /** Requests per second that one address may send; `undefined` for no limit. */
  limit: number | undefined;
  /** Whether requests come through a proxy that adds the caller's address to `X-Forwarded-For`. */
  isProxied: boolean;
}

/** Matches a header `X-Request-Id` whose id is kept. Other requests get a random request id. */
const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Writes a line of the log, with the time. */
function log(fields: object) {
  stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...fields })}\n`);
}

/** Logs an event of the service. */
function logEvent(event: EventName, fields: object = {}) {
  log({ level: "info", event, ...fields });
}

/** Adds the time to the Worker's log lines, which are JSON already. */
function addTimes() {
  for (const level of ["log", "info", "warn", "error"] as const) {
    console[level] = (...values: unknown[]) => {
      const [line] = values;
      try {
        log({ level, ...JSON.parse(`${line}`) });
      } catch {
        log({ level, message: values.join(" ") });
      }
    };
  }
}

/** Counts the requests of each address in the current second. */
class RateLimit {
  #max;
  #second = 0;
  #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  admits(address: string, nowMs: number) {
    const second = Math.floor(nowMs / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#counts.clear();
    }
    const count = (this.#counts.get(address) ?? 0) + 1;
    this.#counts.set(address, count);
    return count <= this.#max;
  }
}

function addressOf(request: IncomingMessage, isProxied: boolean) {
  const address = request.socket.remoteAddress ?? "";
  if (!isProxied) return address;
  // The nearest proxy appends the address of its caller. The caller may have forged all earlier
  // addresses.
  const forwarded = `${request.headers["x-forwarded-for"] ?? ""}`.split(",").at(-1)?.trim();
  return forwarded || address;
}

function refuse(response: ServerResponse) {
  const detail = "too many requests from this client: retry in 1 s";
  const problem = { type: "/problems/too-many-requests", title: "Too Many Requests", status: 429 };
  response.writeHead(429, { "content-type": "application/problem+json", "retry-after": "1" });
  response.end(JSON.stringify({ ...problem, detail }));
}

/** Serves until SIGTERM or SIGINT, and resolves when all requests are answered. */
export async function serve(options: ServeOptions): Promise<void> {
  const { directory, witness, host, port, limit, isProxied } = options;
  const metrics = new ServiceMetrics();
  subscribe("edgeflake:commit", (seconds) => metrics.committed(seconds as number));
  const authority = await createAuthority({ directory, witness, variables: env });
  addTimes();
  const rate = limit === undefined ? undefined : new RateLimit(limit);

  async function fetch(request: Request) {
    const response = await authority.fetch(request);
    if (!response.ok || new URL(request.url).pathname !== "/metrics") return response;
    const text = (await response.text()) + metrics.text(performance.now());
    return new Response(text, response);
  }

  const server = createServer((request, response) => {
    const begin = performance.now();
    const given = `${request.headers["x-request-id"] ?? ""}`;
    const id = REQUEST_ID.test(given) ? given : randomUUID();
    const remote = addressOf(request, isProxied);
    response.setHeader("x-request-id", id);
    metrics.began(request, begin);
    response.once("close", () => {
      const ms = performance.now() - begin;
      // If the answer was not finished, the caller has closed the connection.
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.ended(request, status, ms / 1e3);
      const path = `${request.url}`.split("?")[0];
      const { method } = request;
      logEvent("request", { id, remote, method, path, status, ms: Math.ceil(ms) });
    });
    if (rate?.admits(remote, Date.now()) === false) refuse(response);
    else void answer(fetch, request, response);
  });
  try {
    await new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, BACKLOG, () => resolve(undefined));
    });
  } catch (error) {
    await authority.close();
    throw error;
  }
  const { port: listening } = server.address() as { port: number };
  logEvent("serving", { host, port: listening, witness: witness ?? "none" });
  const signal = await new Promise((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve(name));
  });
  logEvent("ending", { signal });
  await new Promise((resolve) => server.close(resolve));
  await authority.close();
  logEvent("ended");
}
