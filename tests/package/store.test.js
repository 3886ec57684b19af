// Tests the file that stores a lease, on the real disk: its content, files that are refused, and
// generators that lose their file. simulation/schedules.js tests what happens if processes are
// killed or run at the same time.

import assert from "node:assert/strict";
import { once } from "node:events";
import nodeFs, * as fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { Worker } from "node:worker_threads";
import { LeasedGenerator } from "edgeflake/lease";
import { Store } from "../../packages/edgeflake/dist/leased/store.js";
import { temporary } from "../harness/temporary.js";
import { service } from "./consumer/authority.js";
import { addTests } from "./harness/calls.js";
import { startMachine } from "./harness/machine.js";

const AUTHORITY = "https://ids.example.com";
const directory = temporary();

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

/** Makes a record with this reserved tick. It has only the fields that a store reads. */
const upTo = (/** @type {number} */ tick) => JSON.stringify({ leased: { reserved_tick: tick } });

/** The birth time that `statSync` reports for a directory, in ns. */
const BORN_NS = 1_790_000_000_000_000_000n;

/** @param {string | undefined} record */
const tickOf = (record) => record && JSON.parse(record).leased.reserved_tick;

/** @param {typeof fs} [process] the files of a process */
const storeOf = (process = startMachine().start()) => new Store(path, AUTHORITY, "orders", process);

/** Makes a store's file with a record. @param {number} tick @param {typeof fs} [process] */
function leave(tick, process) {
  const store = storeOf(process);
  assert.equal(store.open(), undefined);
  store.write(upTo(tick));
  return store;
}

function replaceByCopy() {
  fs.copyFileSync(path, `${path}-copy`);
  fs.renameSync(`${path}-copy`, path);
}

/**
 * Makes the file system of a process, in which `change` alters what `statSync` and `fstatSync`
 * return.
 *
 * @param {(stat: fs.BigIntStats) => void} change
 */
function toldStat(change) {
  return new Proxy(startMachine().start(), {
    get(target, name) {
      const call = /** @type {any} */ (target)[name];
      if (name !== "statSync" && name !== "fstatSync") return call;
      return (/** @type {any[]} */ ...args) => {
        const stat = call(...args);
        if (stat?.mtimeNs !== undefined) change(stat);
        return stat;
      };
    },
  });
}

/**
 * Makes the file system of a process, in which files have the birth times that `bornNs` returns.
 *
 * @param {(stat: fs.BigIntStats) => bigint} bornNs
 */
const toldBorn = (bornNs) =>
  toldStat((stat) => {
    stat.birthtimeNs = bornNs(stat);
  });

/** Returns the last part of the URL of each call that generators made. */
const calls = () => played.calls.map(({ url }) => url.split("/").at(-1));

/** @param {(event: import("edgeflake/lease").LeaseEvent) => void} [onEvent] */
async function attached(onEvent) {
  const ids = new LeasedGenerator({ authority: AUTHORITY, store: path, onEvent });
  await ids.next();
  assert.deepEqual([ids.state, calls()], ["attached", ["leases"]]);
  return ids;
}

addTests(new URL("store.txt", import.meta.url), {
  ...{ AUTHORITY, Store, directory, fs, leave, replaceByCopy, startMachine, storeOf },
  ...{ tickOf, toldBorn, toldStat, upTo, LeasedGenerator, attached, calls },
  same: isDeepStrictEqual,
  /** Returns the code of an error's cause. @param {() => unknown} call */
  causeOf(call) {
    try {
      call();
    } catch (/** @type {any} */ error) {
      return error.cause.code;
    }
  },
  get path() {
    return path;
  },
});

test("the content of the file", () => {
  const store = storeOf(startMachine({ hasProc: true }).start());
  store.open();
  for (const tick of [1_000_000, 7]) store.write(upTo(tick));
  const text = fs.readFileSync(path, "utf8");
  const { ino, mode, mtimeMs, birthtimeMs } = fs.statSync(path, { bigint: true });
  const changed = mtimeMs / 1_000n;
  assert.ok(changed % 2n === 0n && Math.abs(Number(changed) - Date.now() / 1_000) < 60);
  const content = `{"authority":"${AUTHORITY}","sequencer":"orders","inode":"${ino}",\
"bornSeconds":${birthtimeMs / 1_000n},"changedSeconds":${changed},"thread":"1/task/1 1001 pid:[4026531836] 55fb2baa-74e9-4c7e-8660-40bc07cc94bd host",\
"record":{"leased":{"reserved_tick":7}}}`;
  assert.match(text, /^edgeflake-store 1 [0-9a-f]{64}\n/);
  assert.equal(text.slice(text.indexOf("\n") + 1), `${content}\n`);
  assert.equal(mode & 0o777n, 0o600n);
});

test("a file that was torn is no lease, wherever it was torn", () => {
  const kind = "edgeflake-store 1".length;
  leave(5);
  const { length } = fs.readFileSync(path, "utf8").trimEnd();
  for (let torn = 0; torn <= length; torn++) {
    fs.rmSync(path, { force: true });
    leave(5);
    const whole = fs.readFileSync(path, "utf8").trimEnd();
    const { mtime } = fs.statSync(path);
    // While a write is under way, the rest of the earlier content follows the new content. Here
    // spaces stand for that rest.
    for (const rest of new Set(["", " ".repeat(whole.length - torn)])) {
      fs.writeFileSync(path, whole.slice(0, torn) + rest);
      fs.utimesSync(path, mtime, mtime);
      const open = () => tickOf(storeOf().open());
      if (torn < kind && torn + rest.length > 0) assert.throws(open, { code: "store-unreadable" });
      else assert.equal(open(), torn === length ? 5 : undefined, `${torn}`);
    }
  }
});

test("births of files that are derived from changes, and a clock that steps back", (t) => {
  let nowMs = 1_790_000_001_999;
  t.mock.method(Date, "now", () => nowMs);
  /** The times of birth, by inode. @type {Map<bigint, bigint>} */
  const births = new Map();
  const asOnMacOS = (/** @type {fs.BigIntStats} */ stat) => {
    if (!stat.isFile()) return BORN_NS;
    const known = births.get(stat.ino) ?? stat.mtimeNs;
    const birth = known < stat.mtimeNs ? known : stat.mtimeNs;
    births.set(stat.ino, birth);
    return birth;
  };
  const store = storeOf(toldBorn(asOnMacOS));
  store.open();
  for (const [index, step] of [10_000, -60_000, 0].entries()) {
    nowMs += step;
    store.write(upTo(5 + index));
  }
  assert.equal(tickOf(storeOf(toldBorn(asOnMacOS)).open()), 7);
});

test("a clock that moves between two lines", (t) => {
  // The time is later than the file's birth.
  let nowMs = Date.now() + 60_000;
  t.mock.method(Date, "now", () => {
    nowMs += 700;
    return nowMs;
  });
  for (let tick = 1; tick <= 10; tick++) {
    const store = storeOf();
    const found = tickOf(store.open());
    assert.equal(found, tick === 1 ? undefined : tick - 1);
    store.write(upTo(tick));
  }
});

test("a store of any name differs from none", async (t) => {
  const { chdir, cwd } = process;
  t.after(chdir.bind(process, cwd()));
  chdir(directory);
  for (const store of [undefined, "undefined"]) {
    await new LeasedGenerator({ authority: AUTHORITY, sequencer: "named", store }).next();
  }
  assert.equal(fs.existsSync("undefined"), true);
});

test("a failed write may be on the disk: its lease is not given back before another", async (t) => {
  const ids = new LeasedGenerator({ authority: AUTHORITY, store: path });
  const failing = t.mock.method(nodeFs, "fdatasyncSync", () => {
    throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
  });
  syncBuiltinESMExports();
  const failed = { code: "store-failed", message: /could not be written: EIO/ };
  await assert.rejects(ids.next(), failed);
  assert.match(fs.readFileSync(path, "utf8"), /token/);
  await assert.rejects(ids.detach(), failed);
  assert.deepEqual(calls(), ["leases"]);

  failing.mock.restore();
  syncBuiltinESMExports();
  await ids.detach();
  assert.doesNotMatch(fs.readFileSync(path, "utf8"), /token/);
  assert.deepEqual(calls(), ["leases", "release"]);
});

for (const end of ["is terminated", "exits", "throws", "returns"]) {
  test(`a thread keeps its store until it ${end}`, async (t) => {
    const thread = new Worker(new URL("harness/thread.js", import.meta.url), { workerData: path });
    t.after(() => thread.terminate());
    const [id] = await once(thread, "message");
    const ids = new LeasedGenerator({ authority: AUTHORITY, store: path });
    const message = /is in use by process \d+, thread \d+: use another file$/;
    await assert.rejects(ids.next(), { code: "store-in-use", message });
    const ended = new Promise((resolve) => thread.once("exit", resolve));
    thread.once("error", ({ message }) => assert.match(message, /not caught/));
    if (end === "is terminated") thread.terminate();
    else thread.postMessage(end);
    await ended;
    assert.ok((await ids.next()) > id);
    assert.deepEqual(calls(), []);
  });
}
