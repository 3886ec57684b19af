// A request of Node's HTTP server, answered by a function that takes a `Request`.

/** @import { IncomingMessage, ServerResponse } from "node:http" */

/** More bytes than the Worker takes of a body, which it says by itself. */
const BODY_BYTES_READ = 4_097;

/**
 * @param {(request: Request) => Promise<Response>} fetch
 * @param {IncomingMessage} incoming
 * @param {ServerResponse} outgoing
 */
export async function answer(fetch, incoming, outgoing) {
  const request = await requestOf(incoming, outgoing).catch((error) => `${error.message}`);
  if (typeof request === "string") {
    outgoing.writeHead(400, { connection: "close" }).end(request);
    return;
  }
  try {
    const response = await fetch(request);
    const body = Buffer.from(await response.arrayBuffer());
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
  } catch (error) {
    console.error(error);
    outgoing.writeHead(500).end();
  }
}

/** @param {IncomingMessage} incoming @param {ServerResponse} outgoing */
async function requestOf(incoming, outgoing) {
  const { method = "GET", url = "/", headers } = incoming;
  const init = { method, headers: new Headers(/** @type {Record<string, string>} */ (headers)) };
  const target = new URL(url, "http://localhost");
  if (method === "GET" || method === "HEAD") {
    // A `Request` of these has none.
    const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
    if (length !== "0" || encoding) throw new Error("there is a body: none is allowed");
    return new Request(target, init);
  }
  return new Request(target, { ...init, body: await bodyOf(incoming, outgoing) });
}

/** @param {IncomingMessage} incoming @param {ServerResponse} outgoing */
async function bodyOf(incoming, outgoing) {
  const chunks = [];
  let length = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < BODY_BYTES_READ) continue;
    // The rest is not read, so nothing can follow it.
    outgoing.shouldKeepAlive = false;
    break;
  }
  return Buffer.concat(chunks);
}
