// The file that keeps a lease over a restart.
//
// Problem: a process that goes on with a lease must know of every id that was issued from it, and
// no other process may go on with it; though a process may be killed between any two lines here,
// the power may fail, and two processes may have the same file. No file system that all platforms
// have can compare and write in one step, and a lock that a killed process leaves behind would keep
// its successor out.
//
// - What is written is on the disk before anything of it is issued. What is broken off while it is
//   written does not match its checksum, and is no lease: another one is acquired.
// - Who takes a file first moves it away, then reads it. Who writes it first writes, then looks
//   whether it still has its name. So the taker has read what was written, or the writer sees that
//   the lease is not its own any more, before it issues anything of it.
// - A file is written by the one that made it, has one name, and says its inode and when it was
//   born: a copy has another inode, and one that has the same, on another file system, was born
//   later. The device is left out, because on many file systems its number changes with a restart.
//   It also says the time that it is given as that of its last change: what was put back over it
//   has another, and is no lease.
//
// That another process is running is seen where there is a /proc, and only saves its lease from
// being taken: whether it is seen or not, no id is issued twice.
//
// All of this rests on the disk and its file system: what is synced stays, and a name that was
// moved away is found by no user of the file system any more. Where machines share a volume, as
// during a rolling update, that may not hold for a while. So the name is looked up by opening it,
// which asks again where names are cached; and the lease of a process that says another machine is
// left to it.

import { createHash, randomUUID } from "node:crypto";
import * as nodeFs from "node:fs";
import { dirname, resolve } from "node:path";
import { lose, record, resume, written } from "../dist/edgeflake_lease.js";
import { EdgeflakeError } from "./error.js";
import { areApart, isRunning, processOf } from "./process.js";

/**
 * @import { ErrorCode } from "edgeflake"
 * @import { Holder } from "../dist/edgeflake_lease.js"
 * @import { BigIntStats } from "node:fs"
 *
 * @typedef {{ descriptor: number, stat: BigIntStats, bornSeconds: number | undefined }} File
 */

/** How a file of this kind begins; its version, the checksum of the next line, and that follow. */
const KIND = "edgeflake-store";
const VERSION = "1";

/** A token is the proof of a lease, so only its owner may read it. */
const MODE = 0o600;

/** The coarsest time of a file that there is, that of FAT, in seconds. */
const TIME_SECONDS = 2;
const SECOND_NS = 1_000_000_000n;

export class Store {
  #path;
  #bound;
  #fs;
  /** The file, once it is this process's. @type {File | undefined} */
  #file;
  /** @type {string | undefined} */
  #process;
  /** Whether its name is on the disk. */
  #isNamed = false;
  #isLost = false;

  /**
   * @param {string} path
   * @param {string} authority its URL
   * @param {string} sequencer
   * @param {typeof nodeFs} [fs]
   */
  constructor(path, authority, sequencer, fs = nodeFs) {
    this.#path = resolve(path);
    this.#bound = { authority, sequencer };
    this.#fs = fs;
  }

  /** Whether the file is this process's. */
  get isOpen() {
    return this.#file !== undefined;
  }

  /** Whether the file was this process's, and another may go on with what is written in it. */
  get isLost() {
    return this.#isLost;
  }

  /** Makes it this process's, and answers the record to go on with, if there is one. */
  open() {
    if (this.#isLost) throw this.#lost();
    return this.#attempt("opened", () => {
      this.#process = processOf(this.#fs, "self");
      const record = this.#take();
      this.#create(record);
      return record;
    });
  }

  /**
   * Puts this record in place of the last one, to stay.
   *
   * @param {string | undefined} record nothing for no lease
   */
  write(record) {
    this.#attempt("written", () => {
      if (!this.#file) throw this.#lost();
      const file = this.#file;
      // Without a lease any process may have it.
      this.#put(file, record, record && this.#process);
      this.#fs.fdatasyncSync(file.descriptor);
      if (!this.#isNamed) this.#syncName();
      const named = this.#named();
      if (named?.ino === file.stat.ino && named.dev === file.stat.dev) return;
      this.#fs.closeSync(file.descriptor);
      this.#file = undefined;
      this.#isLost = true;
      throw this.#lost();
    });
  }

  /**
   * The file that has the name now. It is opened, because a file system that several machines share
   * may answer from memory which file has a name, but asks again when one is opened.
   */
  #named() {
    try {
      const descriptor = this.#fs.openSync(this.#path, "r");
      try {
        return this.#fs.fstatSync(descriptor, { bigint: true });
      } finally {
        this.#fs.closeSync(descriptor);
      }
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Moves the file away, if there is one, and answers its record. */
  #take() {
    const stat = this.#fs.statSync(this.#path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    // Of a device, a pipe or a directory nothing is read, and none is moved.
    if (!stat.isFile()) {
      throw this.#error("store-unreadable", "is no file: use another path");
    }
    try {
      // A file and a link to it are one.
      this.#path = this.#fs.realpathSync(this.#path);
      const { process } = this.#read(this.#path);
      if (process && isRunning(this.#fs, process)) {
        const [pid] = process.split(" ");
        throw this.#error("store-in-use", `is in use by process ${pid}: use another file`);
      }
      const away = `${this.#path}.${randomUUID()}`;
      this.#fs.renameSync(this.#path, away);
      // From now on no other process takes it; one that had it until now, and runs, has lost it by
      // this.
      const { process: owner, record } = this.#read(away);
      this.#fs.unlinkSync(away);
      // On another machine it may still run, so it keeps its lease, and another one is acquired.
      return areApart(this.#process, owner) ? undefined : record;
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      throw code === "ENOENT" ? this.#lost() : error;
    }
  }

  /**
   * Opens the file, unless it is open, and has a holder go on with what it says.
   *
   * @param {Holder} holder
   */
  resume(holder) {
    if (this.isOpen) return;
    const record = this.open();
    const [random] = crypto.getRandomValues(new BigUint64Array(1));
    if (record) resume(holder, record, random);
  }

  /**
   * Writes how far a holder may go.
   *
   * @param {Holder} holder
   */
  keep(holder) {
    try {
      this.write(record(holder, Date.now()));
      written(holder);
    } finally {
      if (this.isLost) lose(holder);
    }
  }

  /**
   * The record of a file, if it has one, and the process that it is in use by, if it says so.
   *
   * @param {string} path
   * @returns {{ record?: string, process?: string }}
   */
  #read(path) {
    const descriptor = this.#fs.openSync(path, "r");
    try {
      const stat = this.#fs.fstatSync(descriptor, { bigint: true });
      return this.#contentOf(this.#fs.readFileSync(descriptor, "utf8"), stat);
    } finally {
      this.#fs.closeSync(descriptor);
    }
  }

  /**
   * @param {string} text
   * @param {BigIntStats} stat
   * @returns {{ record?: string, process?: string }}
   */
  #contentOf(text, { ino, nlink, mtimeNs, birthtimeNs }) {
    if (text === "") return {};
    const [head, content] = text.split("\n");
    const [kind, version, checksum] = head.split(" ");
    if (kind !== KIND || version !== VERSION) {
      throw this.#error("store-unreadable", `is no store of version ${VERSION}: use another path`);
    }
    if (content === undefined || checksum !== checksumOf(content)) return {};
    const { authority, sequencer, inode, bornSeconds, changedSeconds, process, record } =
      JSON.parse(content);
    const isBorn = bornSeconds === undefined || bornSeconds === secondsOf(birthtimeNs);
    if (record && (inode !== `${ino}` || !isBorn || nlink > 1n)) {
      throw this.#error(
        "store-copied",
        "is a copy or has one, so its lease may be in use elsewhere: delete it for another lease",
      );
    }
    const isOurs = authority === this.#bound.authority && sequencer === this.#bound.sequencer;
    const isOurChange = mtimeNs === BigInt(changedSeconds) * SECOND_NS;
    const isLease = record && isOurs && isOurChange;
    return { process, record: isLease ? JSON.stringify(record) : undefined };
  }

  /**
   * A new file in its place, which no other process writes.
   *
   * @param {string | undefined} record
   */
  #create(record) {
    const nameless = `${this.#path}.${randomUUID()}`;
    const descriptor = this.#fs.openSync(nameless, "wx", MODE);
    try {
      // On macOS a file that is said to be changed before it was born is born then: from now on.
      const changedSeconds = changeNow();
      this.#fs.futimesSync(descriptor, changedSeconds, changedSeconds);
      const stat = this.#fs.fstatSync(descriptor, { bigint: true });
      const file = { descriptor, stat, bornSeconds: this.#bornSeconds(stat) };
      this.#put(file, record, this.#process);
      this.#fs.fsyncSync(descriptor);
      this.#fs.renameSync(nameless, this.#path);
      this.#file = file;
    } catch (error) {
      this.#fs.closeSync(descriptor);
      // A disk that is full would else have one more of them at each attempt.
      this.#fs.rmSync(nameless, { force: true });
      throw error;
    }
  }

  /**
   * When a file was born that has just been made, if its file system knows.
   *
   * @param {BigIntStats} stat
   */
  #bornSeconds({ birthtimeNs }) {
    // Where the system does not know it, it is 0, or the time of the last change: that of the
    // directory is now.
    const directory = this.#fs.statSync(dirname(this.#path), { bigint: true });
    const isKnown = birthtimeNs > 0n && directory.birthtimeNs !== directory.ctimeNs;
    return isKnown ? secondsOf(birthtimeNs) : undefined;
  }

  /**
   * @param {File} file
   * @param {string | undefined} record
   * @param {string | undefined} process
   */
  #put({ descriptor, stat, bornSeconds }, record, process) {
    const changedSeconds = changeNow(bornSeconds);
    const content = JSON.stringify({
      ...this.#bound,
      inode: `${stat.ino}`,
      bornSeconds,
      changedSeconds,
      process,
      record: record && JSON.parse(record),
    });
    const bytes = Buffer.from(`${KIND} ${VERSION} ${checksumOf(content)}\n${content}\n`);
    for (let written = 0; written < bytes.length; ) {
      const left = bytes.length - written;
      written += this.#fs.writeSync(descriptor, bytes, written, left, written);
    }
    // Cuts off the rest of a longer record that was there before.
    this.#fs.ftruncateSync(descriptor, bytes.length);
    this.#fs.futimesSync(descriptor, changedSeconds, changedSeconds);
  }

  /** Without this, a power failure could give the file that was here before its name back. */
  #syncName() {
    // Windows has no such thing.
    if (globalThis.process.platform !== "win32") {
      const directory = this.#fs.openSync(dirname(this.#path), "r");
      try {
        this.#fs.fsyncSync(directory);
      } finally {
        this.#fs.closeSync(directory);
      }
    }
    this.#isNamed = true;
  }

  #lost() {
    return this.#error(
      "store-in-use",
      "was taken by another process, or deleted: use another file",
    );
  }

  /** @param {ErrorCode} code @param {string} found @param {unknown} [cause] */
  #error(code, found, cause) {
    const error = new EdgeflakeError(code, `the store ${this.#path} ${found}`);
    if (cause !== undefined) error.cause = cause;
    return error;
  }

  /**
   * @template T
   * @param {string} done what was attempted
   * @param {() => T} attempt
   */
  #attempt(done, attempt) {
    try {
      return attempt();
    } catch (error) {
      if (error instanceof EdgeflakeError) throw error;
      const { message } = /** @type {Error} */ (error);
      throw this.#error("store-failed", `could not be ${done}: ${message}`, error);
    }
  }
}

/**
 * The time of a change that is made now, as every file system keeps it.
 *
 * @param {number} [earliestSeconds] if the clock says less
 */
function changeNow(earliestSeconds = 0) {
  const seconds = Math.max(Math.floor(Date.now() / 1_000), earliestSeconds);
  return seconds - (seconds % TIME_SECONDS);
}

/** @param {bigint} ns */
const secondsOf = (ns) => Number(ns / SECOND_NS);

/** @param {string} content */
function checksumOf(content) {
  return createHash("sha256").update(content).digest("hex");
}
