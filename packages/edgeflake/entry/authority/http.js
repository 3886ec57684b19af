// A request of Node's HTTP server, answered by a function that takes a `Request`.

/** @import { IncomingMessage, ServerResponse } from "node:http" */

/**
 * @param {(request: Request) => Promise<Response>} fetch
 * @param {IncomingMessage} incoming
 * @param {ServerResponse} outgoing
 */
export async function answer(fetch, incoming, outgoing) {
  /** @type {Request} */
  let request;
  try {
    request = requestOf(incoming);
  } catch (/** @type {any} */ error) {
    outgoing.writeHead(400, { connection: "close" }).end(error.message);
    return;
  }
  try {
    const response = await fetch(request);
    const body = Buffer.from(await response.arrayBuffer());
    // What the Worker did not read of a body is not read, so nothing can follow it.
    if (!incoming.complete) outgoing.shouldKeepAlive = false;
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
  } catch (error) {
    console.error(JSON.stringify({ event: "request-failed", message: `${error}` }));
    outgoing.writeHead(500).end();
  }
}

/** @param {IncomingMessage} incoming */
function requestOf(incoming) {
  const { method = "GET", url = "/", headers } = incoming;
  const init = { method, headers: new Headers(/** @type {Record<string, string>} */ (headers)) };
  const target = new URL(url, "http://localhost");
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  if (length === "0" && !encoding) return new Request(target, init);
  // A `Request` of these has none.
  if (method === "GET" || method === "HEAD") throw new Error("there is a body: none is allowed");
  const streamed = { ...init, body: streamOf(incoming), duplex: "half" };
  return new Request(target, streamed);
}

/**
 * The body, of which nothing is taken from the socket before the Worker asks for it.
 *
 * @param {IncomingMessage} incoming
 * @returns {ReadableStream<Uint8Array>}
 */
function streamOf(incoming) {
  // The answer needs the socket when the body is given up.
  const chunks = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
