import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ReadableStream } from "node:stream/web";
import type { EventName } from "../names.js";

/**
 * Number of connections that may wait to be accepted, as when many holders start at once. The
 * kernel makes further connections try again after 1 s or more. Linux allows at most 4,096; Node's
 * default is 511.
 */
const BACKLOG = 4_096;

/**
 * Largest number of requests that begin in one turn of the event loop. Between turns, Node reads
 * the data that has arrived, and notices which callers have left. Requests of these callers need no
 * answer: a holder repeats an unanswered request after 1.5 s or more, and gives up after 10 s.
 */
const TURN_MAX = 64;

/**
 * Matches the URL of a request to release a lease. Such a request is carried out even if its caller
 * has left, because otherwise the node would stay in use until the lease ends.
 */
const RELEASE = /\/leases\/release$/;

/** The requests that wait for their turn, with the times of their arrival. */
const queue: { begin: () => void; arrivedMs: number }[] = [];

let waitedMs = 0;

/** Returns the longest wait, in ms, of the requests that began in the newest turn. */
export const waitedMaxMs = () => Math.ceil(waitedMs);

/** Starts to listen; returns the port. With port 0, the system chooses a free port. */
export async function listen(server: Server, port: number, host: string) {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, BACKLOG, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Resolves when the request may begin. Requests begin in the order in which they arrived. */
function turn() {
  return new Promise<void>((begin) => {
    if (queue.push({ begin, arrivedMs: performance.now() }) === 1) setImmediate(beginTurn);
  });
}

function beginTurn() {
  const requests = queue.splice(0, TURN_MAX);
  waitedMs = performance.now() - requests[0].arrivedMs;
  for (const { begin } of requests) begin();
  if (queue.length > 0) setImmediate(beginTurn);
}

/** Answers a request in its turn, unless its caller has left. */
export async function answer(
  fetch: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) {
  await turn();
  if (!incoming.socket.writable && !RELEASE.test(incoming.url ?? "")) return;
  let request: Request;
  try {
    request = requestOf(incoming);
  } catch (error) {
    const problem = { title: "Bad Request", status: 400, detail: (error as Error).message };
    const headers = { connection: "close", "content-type": "application/problem+json" };
    outgoing.writeHead(400, headers).end(JSON.stringify(problem));
    return;
  }
  try {
    const response = await fetch(request);
    const body = Buffer.from(await response.arrayBuffer());
    // If the body was not read to its end, no other request can follow on this connection.
    if (!incoming.complete) outgoing.shouldKeepAlive = false;
    outgoing.statusCode = response.status;
    outgoing.setHeaders(response.headers).end(body);
  } catch (error) {
    const event: EventName = "request-failed";
    console.error(JSON.stringify({ event, message: `${error}` }));
    outgoing.writeHead(500).end();
  }
}

function requestOf(incoming: IncomingMessage) {
  const { method = "GET", url = "/", headers } = incoming;
  const init = { method, headers: new Headers(headers as Record<string, string>) };
  // `new URL(url, base)` would read the path `//orders` as a host.
  const target = new URL(url.startsWith("/") ? `http://localhost${url}` : url);
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  if (length === "0" && !encoding) return new Request(target, init);
  // `new Request` accepts no body for these methods.
  if (method === "GET" || method === "HEAD")
    throw new Error("there is a body, but this request takes none");
  // The body is read only when the Worker asks for it. If the body is cancelled, the socket stays
  // open, because the response needs it.
  const body = ReadableStream.from(incoming.iterator({ destroyOnReturn: false }));
  const streamed: object = { ...init, body, duplex: "half" };
  return new Request(target, streamed);
}
