// Tests edgeflake/authority/node: an authority in this process, and one whose process is killed.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createAuthority } from "edgeflake/authority/node";
import { LeasedGenerator } from "edgeflake/lease";
import { Database } from "../../packages/edgeflake/dist/authority/database.js";
import { answer, waitedMaxMs } from "../../packages/edgeflake/dist/authority/http.js";
import { groupedStorageOf } from "../../packages/edgeflake/dist/authority/objects.js";
import { temporary } from "../harness/temporary.js";
import { addTests } from "./harness/calls.js";
import { issueWhileKilled } from "./harness/killed.js";

const root = temporary();

const variables = {
  EDGEFLAKE_LEASE_TOKEN: "lease-token-of-tests",
  EDGEFLAKE_ADMIN_TOKEN: "admin-token-of-tests",
};
const token = variables.EDGEFLAKE_LEASE_TOKEN;

let directories = 0;
/** @type {string} */
let directory;
beforeEach(() => {
  directory = join(root, `${++directories}`);
});

describe("an authority", () => {
  /** @type {Awaited<ReturnType<typeof createAuthority>>} */
  let authority;
  /** @type {URL} */
  let url;
  beforeEach(async () => {
    authority = await createAuthority({ directory, variables });
    url = await authority.listen(0);
  });
  afterEach(() => authority.close());

  test("answers in a server of your own", async () => {
    const server = createServer(authority.handler);
    await new Promise((resolve) => server.listen(0, "localhost", () => resolve(undefined)));
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const ids = new LeasedGenerator({ authority: `http://localhost:${port}`, token });
    assert.equal(typeof (await ids.next()), "bigint");
    await ids.detach();
    server.close();
    server.closeAllConnections();
  });

  test("refuses a body of a GET, and a path that begins with two slashes", async () => {
    const headers = { "Content-Length": 2 };
    for (const [options, body, found] of /** @type {const} */ ([
      [{ path: "/healthz", headers }, "{}", "400 there is a body, but this request takes none"],
      [{ path: "//metrics" }, "", '404 nothing is at "//metrics"'],
      [{ path: "//" }, "", '404 nothing is at "//"'],
      [{ path: "//elsewhere/metrics" }, "", '404 nothing is at "//elsewhere/metrics"'],
    ])) {
      // This calls `request`, because `fetch` cannot send these headers and paths.
      const [response] = await once(request(url, options).end(body), "response");
      const { status, detail } = JSON.parse(await text(response));
      assert.equal(`${status} ${detail}`.slice(0, found.length), found);
    }
  });

  test("locks its directory against other processes, and against itself", async () => {
    const message = /^the authority's file .*\/directory\.sqlite is already open: close /;
    await assert.rejects(createAuthority({ directory }), { code: "store-in-use", message });
    const script = fileURLToPath(new URL("harness/authority.js", import.meta.url));
    const args = [script, JSON.stringify({ port: 0, directory })];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    assert.equal(status, 1);
    assert.match(stderr, /directory\.sqlite is already open/);
  });
});

/** @typedef {Awaited<ReturnType<typeof createAuthority>>} Authority */

/** Sends a request with a token. @param {Authority} authority @param {string} method @param {string} path @param {object} [body] */
function ask(authority, method, path, body, sent = variables.EDGEFLAKE_ADMIN_TOKEN) {
  const headers = { authorization: `Bearer ${sent}` };
  const init = { method, headers, body: body && JSON.stringify(body) };
  return authority.fetch(new Request(`http://localhost${path}`, init));
}

let holders = 0;

addTests(new URL("authority-node.txt", import.meta.url), {
  ...{ Database, ask, createAuthority, fs, groupedStorageOf, variables },
  /** Acquires a lease as a new holder. @param {Authority} authority @param {string} name */
  async acquire(authority, name) {
    const body = { token: `${++holders}`.padStart(32, "0"), now_ms: Date.now() };
    return (await ask(authority, "POST", `/v1/sequencers/${name}/leases`, body, token)).json();
  },
  /** @param {() => unknown} call */
  messageOf(call) {
    try {
      call();
    } catch (/** @type {any} */ error) {
      return error.message;
    }
  },
  get directory() {
    return directory;
  },
});

test("a commit waits for the requests that have arrived, but no longer than 25 ms", async (t) => {
  const database = /** @type {any} */ ({ begin() {}, commit() {}, rollback() {} });
  for (const [groupMs, waits] of /** @type {const} */ ([
    [25, true],
    [26, false],
  ])) {
    let [nowMs, isWaiting] = [0, true];
    const clock = t.mock.method(performance, "now", () => nowMs);
    const storage = groupedStorageOf(database, () => 0);
    storage.transactionSync(() => {});
    const turn = storage.nextTurn().then(() => {
      isWaiting = false;
    });
    storage.transactionSync(() => {
      nowMs = groupMs;
    });
    await Promise.resolve();
    assert.equal(isWaiting, waits, `${groupMs} ms`);
    await turn;
    clock.mock.restore();
  }
});

test("a request begins in its turn, 64 at a time, unless its caller has left", async (t) => {
  const url = "/v1/sequencers/default/leases";
  const requests = [
    ...Array.from({ length: 64 }, () => ({ url, leaves: "never", begins: true })),
    { url, leaves: "before", begins: false },
    { url: `${url}/release`, leaves: "before", begins: true },
    { url, leaves: "meanwhile", begins: false },
    { url, leaves: "never", begins: true },
  ];
  const sockets = requests.map(({ leaves }) => ({ writable: leaves !== "before" }));
  let nowMs = 0;
  t.mock.method(performance, "now", () => nowMs);
  const begun = /** @type {number[]} */ ([]);
  const waitedMs = /** @type {number[]} */ ([]);
  const answers = requests.map(({ url }, i) => {
    const fetch = async () => {
      begun.push(i);
      waitedMs.push(waitedMaxMs());
      return new Response();
    };
    const incoming = /** @type {any} */ ({ url, headers: {}, socket: sockets[i], complete: true });
    const outgoing = /** @type {any} */ ({ setHeaders: () => outgoing, end() {} });
    return answer(fetch, incoming, outgoing);
  });
  // This runs between the first turn of the event loop and the second.
  setImmediate(() => {
    nowMs = 2_000.5;
    for (const [i, { leaves }] of requests.entries()) {
      if (leaves === "meanwhile") sockets[i].writable = false;
    }
  });
  await Promise.all(answers);
  const expected = requests.flatMap(({ begins }, i) => (begins ? [i] : []));
  assert.deepEqual(begun, expected);
  assert.deepEqual([waitedMs[0], waitedMs.at(-1)], [0, 2_001]);
});

test("a disk that was full before the first scrape has shards that cannot write", async (t) => {
  const authority = await createAuthority({ directory, variables });
  t.after(() => authority.close());
  t.mock.method(console, "error", () => {});
  const full = () => {
    throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
  };
  t.mock.method(DatabaseSync.prototype, "exec", full);
  t.mock.method(StatementSync.prototype, "run", full);
  const metrics = await (await ask(authority, "GET", "/metrics")).text();
  assert.match(metrics, /^edgeflake_shards_unwritable\{sequencer="default"\} 1$/m);
  assert.match(metrics, /^edgeflake_shards_unreachable\{sequencer="default"\} 0$/m);
  assert.equal((await ask(authority, "GET", "/readyz")).status, 503);
});

test("three processes and their authority, killed again and again: no id twice", async () => {
  const options = { ids: 100_000, kills: 1, lifeMs: 500 };
  const { count, repeated, killed } = await issueWhileKilled(options);
  assert.ok(count >= 100_000);
  assert.ok(killed.authority >= 1 && killed.issuers >= 3);
  assert.equal(repeated, 0);
});
