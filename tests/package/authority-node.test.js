// Tests edgeflake/authority/node: an authority in this process, and one that is killed.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createAuthority } from "edgeflake/authority/node";
import { LeasedGenerator } from "edgeflake/lease";
import { Database } from "../../packages/edgeflake/dist/authority/database.js";
import { answer, waitedMaxMs } from "../../packages/edgeflake/dist/authority/http.js";
import { groupedStorageOf } from "../../packages/edgeflake/dist/authority/objects.js";
import { issueWhileKilled } from "./harness/killed.js";

const root = mkdtempSync(join(tmpdir(), "edgeflake-authority-"));
after(() => rmSync(root, { recursive: true }));

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

  /** @param {string} method @param {string} path @param {object} [body] @param {string} [sent] */
  async function ask(method, path, body, sent = variables.EDGEFLAKE_ADMIN_TOKEN) {
    const headers = { authorization: `Bearer ${sent}` };
    const init = { method, headers, body: body && JSON.stringify(body) };
    const response = await fetch(new URL(path, url), init);
    return { status: response.status, found: /** @type {any} */ (await response.json()) };
  }

  test("creates and destroys sequencers, and keeps them over a restart", async () => {
    const created = await ask("PUT", "/v1/sequencers/orders", { layout: "twitter" });
    assert.equal(created.status, 201);
    const options = { token, sequencer: "orders" };
    const before = new LeasedGenerator({ authority: url, ...options });
    await before.next();
    await authority.close();
    assert.deepEqual(readdirSync(directory), ["directory.sqlite", "orders.0.sqlite"]);

    authority = await createAuthority({ directory, variables });
    url = await authority.listen(0);
    const again = new LeasedGenerator({ authority: url, ...options });
    await again.next();
    assert.notEqual(again.lease?.node, before.lease?.node);
    const destroyed = await ask("DELETE", "/v1/sequencers/orders");
    assert.equal(destroyed.found.state, "destroyed");
  });

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

  test("answers nothing after it was closed", async () => {
    await authority.close();
    const message = "the authority was closed: create another one";
    const call = authority.fetch(new Request("http://localhost/healthz"));
    await assert.rejects(call, { code: "closed", message });
  });

  test("refuses a body of a GET, and a path that begins with two slashes", async () => {
    const headers = { "Content-Length": 2 };
    for (const [options, body, found] of /** @type {const} */ ([
      [{ path: "/healthz", headers }, "{}", "400 there is a body: none is allowed"],
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
    const message =
      /^the authority's file .*\/directory\.sqlite is in use by another process: end /;
    await assert.rejects(createAuthority({ directory }), { code: "store-in-use", message });
    const script = fileURLToPath(new URL("harness/authority.js", import.meta.url));
    const args = [script, JSON.stringify({ port: 0, directory })];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    assert.equal(status, 1);
    assert.match(stderr, /directory\.sqlite is in use by another process/);
  });
});

describe("an authority with a witness in another directory", () => {
  test("that is swapped with it, or belongs to another, is refused", async () => {
    const [witness, other] = [`${directory}-witness`, `${directory}-other`];
    await (await createAuthority({ directory, variables })).close();
    await (await createAuthority({ directory, witness, variables })).close();
    await (await createAuthority({ directory: other, witness: `${other}-witness` })).close();
    for (const [options, found] of /** @type {const} */ ([
      [
        { directory: `${directory}-new`, witness: directory },
        `witness is ${directory}, a directory of leases: a directory of witnesses is allowed`,
      ],
      [
        { directory: witness, witness: directory },
        `directory is ${witness}, a directory of witnesses: a directory of leases is allowed`,
      ],
      [
        { directory, witness: `${other}-witness` },
        `witness is ${other}-witness, which has the witnesses of another authority than that of ` +
          `${directory}: the directory of this one's witnesses is allowed`,
      ],
    ])) {
      const message = `${found}, or an empty one`;
      await assert.rejects(createAuthority(options), { code: "invalid-option", message });
    }
    // The refused calls have locked nothing.
    await (await createAuthority({ directory, witness, variables })).close();
  });

  let tokens = 0;
  /** Acquires a lease as a new holder. @param {Awaited<ReturnType<typeof createAuthority>>} authority @param {string} name */
  async function acquired(authority, name) {
    const body = JSON.stringify({ token: `${++tokens}`.repeat(32), now_ms: Date.now() });
    const init = { method: "POST", headers: { authorization: `Bearer ${token}` }, body };
    const url = `http://localhost/v1/sequencers/${name}/leases`;
    return (await authority.fetch(new Request(url, init))).json();
  }

  test("whose files are renamed: neither passes for the other", async () => {
    const witness = `${directory}-witness`;
    const headers = { authorization: `Bearer ${variables.EDGEFLAKE_ADMIN_TOKEN}` };
    let authority = await createAuthority({ directory, witness, variables });
    for (const name of ["orders", "invoices"]) {
      const url = `http://localhost/v1/sequencers/${name}`;
      await authority.fetch(new Request(url, { method: "PUT", headers, body: "{}" }));
      assert.ok((await acquired(authority, name)).granted);
    }
    await authority.close();
    for (const [from, to] of [
      ["orders.0", "aside"],
      ["invoices.0", "orders.0"],
      ["aside", "invoices.0"],
    ]) {
      renameSync(join(directory, `${from}.sqlite`), join(directory, `${to}.sqlite`));
    }
    authority = await createAuthority({ directory, witness, variables });
    for (const name of ["orders", "invoices"]) {
      const { type, granted } = await acquired(authority, name);
      assert.equal(type, "/problems/authority-unreachable", JSON.stringify(granted));
    }
    await authority.close();
  });

  test("that is restored from a copy grants no node again", async () => {
    const nodes = new Set();
    for (const name of ["copied", "lost", "restored"]) {
      const witness = `${directory}-witness`;
      const authority = await createAuthority({ directory, witness, variables });
      nodes.add((await acquired(authority, "default")).granted.node);
      await authority.close();
      if (name === "copied") cpSync(directory, `${directory}-copy`, { recursive: true });
      if (name === "lost") cpSync(`${directory}-copy`, directory, { recursive: true });
    }
    assert.equal(nodes.size, 3);
  });
});

test("refuses a directory that it cannot make or use", async () => {
  await assert.rejects(createAuthority({ directory: join(directory, "ids") }), {
    code: "store-failed",
    message: /^the authority's directory .*\/ids cannot be used: ENOENT: no such file or directory/,
  });
  writeFileSync(directory, "");
  await assert.rejects(createAuthority({ directory }), {
    code: "store-failed",
    message: /\/directory.sqlite cannot be used: unable to open database file$/,
  });
});

test("a statement returns the number of written rows, on which the compare-and-set relies", () => {
  const database = new Database(`${directory}.sqlite`);
  database.exec("CREATE TABLE node (node INTEGER PRIMARY KEY, until INTEGER) STRICT");
  const written = (/** @type {string} */ text, /** @type {any[]} */ ...values) =>
    database.exec(text, ...values).rowsWritten;
  assert.equal(written("INSERT INTO node VALUES (?, ?)", 1, 2 ** 53 - 1), 1);
  assert.equal(written("INSERT INTO node VALUES (?, ?) ON CONFLICT DO NOTHING", 1, 5), 0);
  const update = "UPDATE node SET until = ? WHERE node = ? AND until = ?";
  assert.equal(written(update, 7, 1, 2 ** 53 - 2), 0);
  assert.equal(written(update, 7, 1, 2 ** 53 - 1), 1);
  assert.equal(written(update, 7, 1, 7), 1);
  assert.deepEqual([...database.exec("SELECT node, until FROM node").raw()], [[1, 7]]);
  for (const [pragma, value] of [
    ["journal_mode", "wal"],
    ["locking_mode", "exclusive"],
    // The code 2 is `FULL`.
    ["synchronous", 2],
    ["fullfsync", 1],
    ["checkpoint_fullfsync", 1],
  ]) {
    assert.deepEqual([...database.exec(`PRAGMA ${pragma}`).raw()], [[value]], `${pragma}`);
  }
  database.close();
});

test("a transaction or a commit that fails is undone, and not taken for done", () => {
  /** @type {string[]} */
  const calls = [];
  const full = () => {
    throw new Error("it is full");
  };
  const database = {
    begin: () => calls.push("begin"),
    commit: () => calls.push("commit") === 2 && full(),
    rollback: () => calls.push("rollback"),
  };
  const storage = groupedStorageOf(/** @type {any} */ (database), () => 0);
  storage.transactionSync(() => {});
  assert.throws(() => storage.commitSync(), /it is full/);
  assert.throws(() => storage.transactionSync(full), /it is full/);
  for (const twice of [1, 2]) storage.transactionSync(() => void twice);
  for (const _ of [1, 2]) storage.commitSync();
  assert.equal(calls.join(" "), "begin commit rollback begin rollback begin commit");
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
  const answer = async (/** @type {string} */ path) => {
    const headers = { authorization: `Bearer ${variables.EDGEFLAKE_ADMIN_TOKEN}` };
    return authority.fetch(new Request(`http://localhost${path}`, { headers }));
  };
  const metrics = await (await answer("/metrics")).text();
  assert.match(metrics, /^edgeflake_shards_unwritable\{sequencer="default"\} 1$/m);
  assert.match(metrics, /^edgeflake_shards_unreachable\{sequencer="default"\} 0$/m);
  assert.equal((await answer("/readyz")).status, 503);
});

test("three processes and their authority, killed again and again: no id twice", async () => {
  const options = { ids: 100_000, kills: 1, lifeMs: 500 };
  const { count, repeated, killed } = await issueWhileKilled(options);
  assert.ok(count >= 100_000);
  assert.ok(killed.authority >= 1 && killed.issuers >= 3);
  assert.equal(repeated, 0);
});
