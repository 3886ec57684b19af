// Tests the file that stores a lease, on the real disk: its content, and files that are refused.
// simulation/schedules.js tests what happens if processes are killed or run at the same time.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { EdgeflakeError } from "../../packages/edgeflake/dist/error.js";
import { Store } from "../../packages/edgeflake/dist/leased/store.js";
import { startMachine } from "./harness/machine.js";

const AUTHORITY = "https://ids.example.com";
const directory = fs.mkdtempSync(join(tmpdir(), "edgeflake-store-"));
after(() => fs.rmSync(directory, { recursive: true }));

/** @type {string} */
let path;
let files = 0;
beforeEach(() => {
  path = join(directory, `${++files}`);
});

/** Makes a record that allows ids up to a tick, with only the fields that a store reads. */
const upTo = (/** @type {number} */ tick) => JSON.stringify({ leased: { reserved_tick: tick } });

/** @param {string | undefined} record */
const tickOf = (record) => record && JSON.parse(record).leased.reserved_tick;

/** @param {typeof fs} [process] the files of a process */
const storeOf = (process = startMachine().start()) => new Store(path, AUTHORITY, "orders", process);

/** @param {string} code @param {string | RegExp} message after the path */
function refusal(code, message) {
  return (/** @type {unknown} */ error) => {
    assert.ok(error instanceof EdgeflakeError);
    assert.equal(error.code, code);
    const found = error.message.replace(`the store ${fs.realpathSync(directory)}`, "");
    if (typeof message === "string") assert.equal(found.replace(/^\/\S+ /, ""), message);
    else assert.match(found, message);
    return true;
  };
}

const IN_USE = refusal(
  "store-in-use",
  "was taken by another process or thread, or deleted: use another file",
);

/** Makes a store's file with a record. @param {number} tick @param {typeof fs} [process] */
function leave(tick, process) {
  const store = storeOf(process);
  assert.equal(store.open(), undefined);
  store.write(upTo(tick));
  return store;
}

/** @param {() => unknown} call @returns {any} */
function thrownBy(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail("an error was expected");
}

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

test("a lease that was given back is not resumed, nor one of another authority, nor none", () => {
  leave(5);
  const store = storeOf();
  store.open();
  store.write(undefined);
  assert.equal(storeOf().open(), undefined);

  for (const [authority, sequencer] of [
    [AUTHORITY, "users"],
    ["https://other.example.com", "orders"],
  ]) {
    fs.rmSync(path);
    leave(5);
    assert.equal(new Store(path, authority, sequencer).open(), undefined);
  }

  fs.writeFileSync(path, "");
  assert.equal(storeOf().open(), undefined);
});

test("an earlier content that is restored over a file is no lease", () => {
  const store = leave(5);
  const before = fs.readFileSync(path);
  store.write(upTo(6));
  // `cp` copies in the same way, and keeps the inode of the target.
  fs.writeFileSync(path, before);
  assert.equal(storeOf().open(), undefined);
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
    // While a write is under way, the rest of the earlier content follows the new content.
    for (const rest of new Set(["", " ".repeat(whole.length - torn)])) {
      fs.writeFileSync(path, whole.slice(0, torn) + rest);
      fs.utimesSync(path, mtime, mtime);
      const open = () => tickOf(storeOf().open());
      if (torn < kind && torn + rest.length > 0) assert.throws(open, { code: "store-unreadable" });
      else assert.equal(open(), torn === length ? 5 : undefined, `${torn}`);
    }
  }
});

const COPY =
  "is a copy, or was copied, so its lease may be in use elsewhere: delete it for another lease";
const NO_STORE = "is no store of version 1: use another path";

/** Replaces the file by a copy of itself. */
function replaceByCopy() {
  fs.copyFileSync(path, `${path}-copy`);
  fs.renameSync(`${path}-copy`, path);
}

test("Q12 refused and left as it is: copies, and other kinds of files", () => {
  for (const [change, code, message] of /** @type {[() => void, string, string][]} */ ([
    [replaceByCopy, "store-copied", COPY],
    [() => fs.linkSync(path, `${path}-other`), "store-copied", COPY],
    [() => fs.writeFileSync(path, "[package]\n"), "store-unreadable", NO_STORE],
    [
      () => fs.writeFileSync(path, fs.readFileSync(path, "utf8").replace("store 1 ", "store 2 ")),
      "store-unreadable",
      NO_STORE,
    ],
  ])) {
    leave(5);
    change();
    const before = [fs.readFileSync(path, "utf8"), fs.statSync(path).ino];
    const store = storeOf();
    for (let i = 0; i < 2; i++) assert.throws(() => store.open(), refusal(code, message));
    assert.deepEqual([fs.readFileSync(path, "utf8"), fs.statSync(path).ino], before);
    fs.rmSync(path);
    assert.equal(store.open(), undefined);
    fs.rmSync(path);
  }
});

/** The time that a process is told for a file's birth and last change, in seconds. */
const BORN = 1_790_000_000n;
const SECOND_NS = 1_000_000_000n;

/**
 * Makes a process for which `change` alters what `statSync` and `fstatSync` return.
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
 * Makes a process for which files have the birth times that `bornNs` returns.
 *
 * @param {(stat: fs.BigIntStats) => bigint} bornNs
 */
const toldBorn = (bornNs) =>
  toldStat((stat) => {
    stat.birthtimeNs = bornNs(stat);
  });

const born = () => BORN * SECOND_NS;
const lastChange = (/** @type {fs.BigIntStats} */ { ctimeNs }) => ctimeNs;

test("an inode that is the same, in a file that was born at another time", () => {
  for (const [what, bornNs, foundNs, isRefused] of /** @type {[string, any, any, boolean][]} */ ([
    ["the file", born, born, false],
    ["born in the same second", born, () => born() + SECOND_NS - 1n, false],
    ["a copy that was born a second later", born, () => born() + SECOND_NS, true],
    ["one that was born a second before", born, () => born() - 1n, true],
    ["a copy on a file system that tells no time of birth", born, () => 0n, true],
    ["a file whose record names no time", () => 0n, born, false],
    ["a file of which the last change was told", lastChange, born, false],
    ["the same, changed since", lastChange, lastChange, false],
  ])) {
    fs.rmSync(path, { force: true });
    leave(5, toldBorn(bornNs));
    const other = storeOf(toldBorn(foundNs));
    if (isRefused) assert.throws(() => other.open(), { code: "store-copied" }, what);
    else assert.equal(tickOf(other.open()), 5, what);
  }
});

test("births of files that are derived from changes, and a clock that steps back", (t) => {
  let nowMs = 1_790_000_001_999;
  t.mock.method(Date, "now", () => nowMs);
  /** The times of birth, by inode. @type {Map<bigint, bigint>} */
  const births = new Map();
  const asOnMacOS = (/** @type {fs.BigIntStats} */ stat) => {
    if (!stat.isFile()) return born();
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

test("a write that is cut short is continued", () => {
  const files = startMachine().start();
  const writeSync = (/** @type {any[]} */ ...[descriptor, bytes, offset, length, position]) =>
    files.writeSync(descriptor, bytes, offset, Math.ceil(length / 3), position);
  const cut = new Proxy(files, {
    get: (target, name) => (name === "writeSync" ? writeSync : /** @type {any} */ (target)[name]),
  });
  leave(5, cut);
  assert.equal(tickOf(storeOf().open()), 5);
});

test("what is no file, or not there, is refused and stays", () => {
  for (const special of [directory, "/dev/null"]) {
    const before = fs.statSync(special).ino;
    const store = new Store(special, AUTHORITY, "orders");
    const message = /is no file: use another path$/;
    assert.throws(() => store.open(), refusal("store-unreadable", message));
    assert.equal(fs.statSync(special).ino, before);
  }
  path = join(path, "missing", "lease");
  const { code, message, cause } = thrownBy(() => storeOf().open());
  assert.deepEqual([code, cause.code], ["store-failed", "ENOENT"]);
  assert.match(message, /could not be opened: ENOENT/);
});

test("a full disk is not filled with unfinished files", () => {
  let isFull = true;
  const process = startMachine().start((name) => {
    if (isFull && name === "writeSync") throw new Error("ENOSPC");
  });
  const store = storeOf(process);
  for (let i = 0; i < 3; i++) {
    assert.throws(() => store.open(), refusal("store-failed", /could not be opened: ENOSPC/));
  }
  const strays = fs.readdirSync(directory).filter((name) => name.startsWith(`${basename(path)}.`));
  assert.deepEqual(strays, []);
  isFull = false;
  assert.equal(store.open(), undefined);
});

test("a running thread keeps its file, and an ended one does not", () => {
  for (const [state, flags, isRunning] of /** @type {[string, number, boolean][]} */ ([
    ["R", 0x400040, true],
    ["S", 0, true],
    ["T", 0, true],
    ["R", 0x400044, false],
    ["Z", 0, false],
    ["", 0, false],
  ])) {
    const machine = startMachine({ hasProc: true });
    const store = leave(5, machine.start());
    if (state === "") machine.states.delete("1");
    else machine.states.set("1", [state, flags]);
    const other = storeOf(machine.start());
    if (isRunning) {
      const message = "is in use by process 1, thread 1: use another file";
      assert.throws(() => other.open(), refusal("store-in-use", message));
      // The first thread has noticed nothing, and releases the file.
      store.write(upTo(6));
      store.write(undefined);
      assert.equal(other.open(), undefined);
    } else {
      assert.equal(tickOf(other.open()), 5);
      assert.throws(() => store.write(upTo(6)), IN_USE);
    }
    fs.rmSync(path);
  }
});

test("a thread that has the number of another one is not that one", () => {
  const machine = startMachine({ hasProc: true });
  const store = leave(5, machine.start());
  // In another namespace, such as that of another container, the same process number means another
  // process.
  const elsewhere = startMachine({ hasProc: true, namespace: "pid:[1]" });
  assert.equal(tickOf(storeOf(elsewhere.start()).open()), 5);
  assert.throws(() => store.write(upTo(6)), IN_USE);
});

test("the lease of a process on another machine is left to it", () => {
  for (const [other, isLeft] of /** @type {[{ boot?: string, host?: string }, boolean][]} */ ([
    [{ boot: "another", host: "another" }, true],
    // The machine was restarted in between.
    [{ boot: "another" }, false],
    // This is another container.
    [{ host: "another" }, false],
  ])) {
    const store = leave(5, startMachine({ hasProc: true }).start());
    const elsewhere = storeOf(startMachine({ hasProc: true, ...other }).start());
    const found = elsewhere.open();
    assert.equal(tickOf(found), isLeft ? undefined : 5, JSON.stringify(other));
    assert.throws(() => store.write(upTo(6)), IN_USE);
    fs.rmSync(path);
  }
});

test("a file that was deleted or replaced while it was in use", () => {
  let device = 0n;
  const onDevice = toldStat((stat) => {
    stat.dev += device;
  });
  const mount = () => {
    device = 1n;
  };
  for (const change of [() => fs.rmSync(path), replaceByCopy, mount]) {
    const store = leave(5, onDevice);
    change();
    assert.throws(() => store.write(upTo(6)), IN_USE);
    assert.deepEqual([store.isOpen, store.isLost], [false, true]);
    assert.throws(() => store.open(), IN_USE);
    assert.throws(() => store.write(upTo(6)), IN_USE);
    fs.rmSync(path, { force: true });
  }
});

test("a link stands for the file that it leads to", () => {
  leave(5);
  fs.symlinkSync(path, `${path}-link`);
  const real = path;
  path = `${path}-link`;
  const store = storeOf();
  assert.equal(tickOf(store.open()), 5);
  store.write(upTo(6));
  path = real;
  assert.equal(tickOf(storeOf().open()), 6);
  assert.throws(() => store.write(upTo(7)), IN_USE);
});
