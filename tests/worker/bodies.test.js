// Sends bodies that are too large or too slow to the Worker in workerd and to the authority on
// Node.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createAuthority } from "edgeflake/authority/node";
import { temporary } from "../harness/temporary.js";
import { startCluster } from "./harness/cluster.js";

const MIB = 2 ** 20;

/** The client would send this many bytes if the server accepted them. */
const SENT_MAX = 100 * MIB;

/**
 * The client may send less than this number of bytes before the refusal arrives. Some MB stay
 * unread in the buffers of the two sockets.
 */
const READ_MAX = 20 * MIB;

const token = "an-admin-token-of-the-tests";
const variables = { EDGEFLAKE_ADMIN_TOKEN: token, EDGEFLAKE_PUBLIC_ISSUE: "true" };

const LENGTH = `Content-Length: ${SENT_MAX}`;
const chunk = `${(MIB / 16).toString(16)}\r\n${"x".repeat(MIB / 16)}\r\n`;

/**
 * Sends the text of a request, then `more` again and again until there is an answer. It retries if
 * the answer is lost.
 *
 * @type {typeof sendOnce}
 */
async function send(url, request, more) {
  for (let tries = 1; ; tries++) {
    try {
      return await sendOnce(url, request, more);
    } catch (/** @type {any} */ error) {
      // The server closed the connection while the client was writing, so its answer was lost.
      if (!["EPIPE", "ECONNRESET"].includes(error.code) || tries === 200) throw error;
    }
  }
}

/**
 * @param {string} url @param {string} request @param {string} [more]
 * @returns {Promise<{ status: number, text: string, sent: number }>} the answer, and the sent bytes
 */
function sendOnce(url, request, more) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let [text, sent] = ["", 0];
  const pump = () => {
    while (more && text === "" && sent < SENT_MAX) {
      if (!socket.write(more)) break;
    }
    sent = socket.bytesWritten;
  };
  return new Promise((resolve, reject) => {
    const end = () => resolve({ status: Number(text.split(" ")[1]), text, sent });
    socket.on("connect", () => {
      socket.write(request);
      pump();
    });
    socket.on("drain", pump);
    socket.on("data", (data) => {
      text += data;
      // A keep-alive connection does not close by itself.
      if (text.includes('"detail"')) socket.destroy();
    });
    // If a request was not read to its end, its connection is reset, perhaps after the answer.
    socket.on("error", (error) => (text ? end() : reject(error)));
    socket.on("close", end);
  });
}

/** @param {string} method @param {string} path @param {string[]} headers */
function head(method, path, ...headers) {
  const first = [`${method} ${path} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${token}`];
  return [...first, ...headers, "", ""].join("\r\n");
}

const chunked = "Transfer-Encoding: chunked";
const create = "/v1/sequencers/orders";

const directory = temporary();
const createNode = (/** @type {string} */ name) =>
  createAuthority({ directory: join(directory, name), variables });

const servers = {
  async "the Worker in workerd"() {
    const cluster = await startCluster(["a"], variables);
    return { url: cluster.url("a", "/"), close: () => cluster.close() };
  },
  async "the authority on Node"() {
    const authority = await createNode("listening");
    const url = `${await authority.listen(0, "127.0.0.1")}`;
    return { url, close: () => authority.close() };
  },
};

for (const [name, start] of Object.entries(servers)) {
  describe(name, () => {
    /** @type {Awaited<ReturnType<typeof start>>} */
    let server;
    before(async () => {
      server = await start();
    });
    after(() => server.close());

    const put = (/** @type {string} */ length) => head("PUT", create, length);
    const post = head("POST", "/v1/ids", chunked);
    for (const [what, request, more, status, problem] of /** @type {const} */ ([
      ["100 MB in chunks", put(chunked), chunk, 413, "body-too-large"],
      ["100 MB of a known length", put(LENGTH), chunk, 413, "body-too-large"],
      ["100 MB where no body is taken", post, chunk, 422, "invalid-body"],
      ["a body that does not come", put("Content-Length: 9"), "", 408, "body-too-slow"],
      ["a body that does not end", `${put(chunked)}1\r\n{\r\n`, "", 408, "body-too-slow"],
      ["an empty body that does not end", post, "", 408, "body-too-slow"],
    ])) {
      test(`${what} is refused as ${problem}`, async () => {
        const answer = await send(server.url, request, more);
        assert.equal(answer.status, status, answer.text);
        assert.match(answer.text, new RegExp(`"/problems/${problem}"`));
        assert.ok(answer.sent < READ_MAX, `${answer.sent} bytes were sent`);
      });
    }

    test("a body in chunks is read", async () => {
      const body = '1\r\n{\r\n13\r\n"layout": "twitter"\r\n1\r\n}\r\n0\r\n\r\n';
      const request = head("PUT", create, chunked, "Connection: close") + body;
      const { text } = await send(server.url, request);
      assert.match(text, /^HTTP\/1.1 201 /);
    });
  });
}

test("a length that is not that of the body does not help", async () => {
  await using authority = await createNode("asked");
  let pulled = 0;
  const pull = (/** @type {ReadableStreamDefaultController} */ controller) => {
    pulled += 1;
    controller.enqueue(new Uint8Array(1_024));
  };
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  const headers = { authorization: `Bearer ${token}`, "content-length": "2" };
  const init = { method: "PUT", headers, body, duplex: "half" };
  const response = await authority.fetch(new Request(`http://localhost${create}`, init));
  const { detail } = /** @type {{ detail: string }} */ (await response.json());
  assert.equal(response.status, 413);
  assert.equal(detail, "the body has at least 5120 bytes: at most 4096 are allowed");
  assert.equal(pulled, 5);
});
