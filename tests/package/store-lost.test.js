// Tests a generator that loses its store because another process has taken it or because writing
// fails. Tests the store of a worker thread, too.

import assert from "node:assert/strict";
import { once } from "node:events";
import fs, {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { Worker } from "node:worker_threads";
import { LeasedGenerator } from "edgeflake/lease";
import { service } from "./consumer/authority.js";

const directory = mkdtempSync(join(tmpdir(), "edgeflake-lost-"));
after(() => rmSync(directory, { recursive: true }));

const authority = "https://ids.example.com";

/** More ids than one record reserves. */
const WRITTEN = 100_000;

/** @type {ReturnType<typeof service>} */
let played;
/** @type {string} */
let path;
let files = 0;
beforeEach(() => {
  played = service();
  Object.assign(globalThis, { fetch: played.fetch });
  path = join(directory, `${++files}`);
});

/** Lists the calls by the last part of their URL. */
const calls = () => played.calls.map(({ url }) => url.split("/").at(-1));

/** @param {(event: import("edgeflake/lease").LeaseEvent) => void} [onEvent] */
const attached = async (onEvent) => {
  const ids = new LeasedGenerator({ authority, store: path, onEvent });
  await ids.next();
  assert.deepEqual([ids.state, calls()], ["attached", ["leases"]]);
  return ids;
};

const IN_USE = { name: "EdgeflakeError", code: "store-in-use" };

test("its lease is another one's: it issues no more, and does not give it back", async () => {
  /** @type {any[]} */
  const events = [];
  const ids = await attached((event) => events.push(event));
  const { lease } = ids;
  renameSync(path, `${path}-taken`);
  // The file already reserves this id.
  await ids.next();
  await assert.rejects(Promise.all([ids.batch(WRITTEN), ids.batch(WRITTEN)]), IN_USE);
  assert.deepEqual([ids.state, ids.lease], ["acquiring", undefined]);
  const lost = { type: "lost", sequencer: "default", lease, code: "store-in-use" };
  assert.deepEqual(events.slice(1), [lost]);
  await assert.rejects(ids.next(), IN_USE);
  await assert.rejects(ids.detach(), IN_USE);
  assert.deepEqual(calls(), ["leases"]);
  assert.equal(existsSync(path), false);
});

test("generators of one store share it, and others have their own", async () => {
  const ids = await attached();
  await attached();
  const other = new LeasedGenerator({ authority, store: path, sequencer: "users" });
  await assert.rejects(other.next(), IN_USE);
  const without = new LeasedGenerator({ authority });
  await without.next();
  assert.deepEqual(calls(), ["leases", "leases"]);

  await ids.detach();
  assert.doesNotMatch(readFileSync(path, "utf8"), /token|thread/);
  // No process uses the store now.
  await other.next();
  await assert.rejects(ids.attach(), IN_USE);
  await assert.rejects(ids.next(), IN_USE);
});

test("a store of any name differs from none", async (t) => {
  const { chdir, cwd } = process;
  t.after(chdir.bind(process, cwd()));
  chdir(directory);
  for (const store of [undefined, "undefined"]) {
    await new LeasedGenerator({ authority, sequencer: "named", store }).next();
  }
  assert.equal(existsSync("undefined"), true);
});

test("a failed write may be on the disk: its lease is not given back before another", async (t) => {
  const ids = new LeasedGenerator({ authority, store: path });
  const failing = t.mock.method(fs, "fdatasyncSync", () => {
    throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
  });
  syncBuiltinESMExports();
  const failed = { code: "store-failed", message: /could not be written: EIO/ };
  await assert.rejects(ids.next(), failed);
  assert.match(readFileSync(path, "utf8"), /token/);
  await assert.rejects(ids.detach(), failed);
  assert.deepEqual(calls(), ["leases"]);

  failing.mock.restore();
  syncBuiltinESMExports();
  await ids.detach();
  assert.doesNotMatch(readFileSync(path, "utf8"), /token/);
  assert.deepEqual(calls(), ["leases", "release"]);
});

test("a store that cannot be opened is retried", async () => {
  const ids = new LeasedGenerator({ authority, store: path });
  writeFileSync(path, "something else");
  for (let i = 0; i < 2; i++) await assert.rejects(ids.next(), { code: "store-unreadable" });
  assert.deepEqual(calls(), []);
  rmSync(path);
  await ids.next();
});

for (const end of ["is terminated", "exits", "throws", "returns"]) {
  test(`a thread keeps its store until it ${end}`, async (t) => {
    const thread = new Worker(new URL("harness/thread.js", import.meta.url), { workerData: path });
    t.after(() => thread.terminate());
    const [id] = await once(thread, "message");
    const ids = new LeasedGenerator({ authority, store: path });
    const message = /is in use by process \d+, thread \d+: use another file$/;
    await assert.rejects(ids.next(), { ...IN_USE, message });
    const ended = new Promise((resolve) => thread.once("exit", resolve));
    thread.once("error", ({ message }) => assert.match(message, /not caught/));
    if (end === "is terminated") thread.terminate();
    else thread.postMessage(end);
    await ended;
    assert.ok((await ids.next()) > id);
    assert.deepEqual(calls(), []);
  });
}
