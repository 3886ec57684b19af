// `edgeflake authority serve` runs an authority as a service: it logs a line of JSON per answer,
// serves metrics of its own, limits the rate of requests, and answers open requests before it ends.

import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { env, stdout } from "node:process";
import { answer, listen } from "../authority/http.js";
import { createAuthority } from "../authority/node.js";
import type { EventName } from "../names.js";
import type { Options } from "./arguments.js";
import { ServiceMetrics } from "./service-metrics.js";

/** Matches values of the header `X-Request-Id` that are kept. Other requests get a random id. */
const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Writes a line of the log, with the time. */
function log(fields: object) {
  stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...fields })}\n`);
}

function logEvent(event: EventName, fields: object = {}) {
  log({ level: "info", event, ...fields });
}

/** Adds the time to the Worker's log lines, which are JSON already. */
function addTimes() {
  for (const level of ["log", "info", "warn", "error"] as const) {
    console[level] = (...values: unknown[]) => {
      try {
        log({ level, ...JSON.parse(`${values[0]}`) });
      } catch {
        log({ level, message: values.join(" ") });
      }
    };
  }
}

/** Returns a function that admits `max` requests of each address per second. */
function rateLimit(max: number) {
  let second = 0;
  const counts = new Map<string, number>();
  return (address: string, nowMs: number) => {
    if (Math.floor(nowMs / 1_000) !== second) {
      second = Math.floor(nowMs / 1_000);
      counts.clear();
    }
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    return count <= max;
  };
}

function addressOf(request: IncomingMessage, isProxied = false) {
  const address = request.socket.remoteAddress ?? "";
  if (!isProxied) return address;
  // The nearest proxy appends its caller's address. Earlier addresses may be forged.
  const forwarded = `${request.headers["x-forwarded-for"] ?? ""}`.split(",").at(-1)?.trim();
  return forwarded || address;
}

function refuse(response: ServerResponse) {
  const detail = "too many requests from this client: retry in 1 s";
  const problem = { type: "/problems/too-many-requests", title: "Too Many Requests", status: 429 };
  response.writeHead(429, { "content-type": "application/problem+json", "retry-after": "1" });
  response.end(JSON.stringify({ ...problem, detail }));
}

/** Serves until SIGTERM or SIGINT. Admits at most `limit` requests per second of each address. */
export async function serve(
  directory: string,
  port: number,
  limit: number | undefined,
  { witness, host, proxied }: Options,
): Promise<void> {
  const metrics = new ServiceMetrics();
  subscribe("edgeflake:commit", (seconds) => metrics.commits.add(seconds as number));
  const authority = await createAuthority({ directory, witness, variables: env });
  addTimes();
  const admits = limit === undefined ? () => true : rateLimit(limit);

  async function fetch(request: Request) {
    const response = await authority.fetch(request);
    if (!response.ok || new URL(request.url).pathname !== "/metrics") return response;
    const text = await response.text();
    return new Response(text + metrics.text(performance.now()), response);
  }

  const server = createServer((request, response) => {
    const begin = performance.now();
    const given = `${request.headers["x-request-id"] ?? ""}`;
    const id = REQUEST_ID.test(given) ? given : randomUUID();
    const remote = addressOf(request, proxied);
    response.setHeader("x-request-id", id);
    metrics.began(request, begin);
    response.once("close", () => {
      const ms = performance.now() - begin;
      // If the answer was not finished, the caller has closed the connection.
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.ended(request, status, ms / 1e3);
      const { method, url } = request;
      const path = `${url}`.split("?")[0];
      logEvent("request", { id, remote, method, path, status, ms: Math.ceil(ms) });
    });
    if (admits(remote, Date.now())) void answer(fetch, request, response);
    else refuse(response);
  });
  const chosen = await listen(server, port, host).catch(async (error) => {
    await authority.close();
    throw error;
  });
  logEvent("serving", { host, port: chosen, witness: witness ?? "none" });
  const signal = await new Promise((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve(name));
  });
  logEvent("ending", { signal });
  await new Promise((resolve) => server.close(resolve));
  await authority.close();
  logEvent("ended");
}
