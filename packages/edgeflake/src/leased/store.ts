// A store is a file that keeps a lease over a restart.
//
// Problem: a process that resumes a lease must know up to which tick ids were issued, and must be
// the only process that resumes the lease. However, a process can be killed at any moment, the
// power can fail, and two processes may use one file. Not all file systems can compare and write in
// one step, and the lock file of a killed process would block the next process.
//
// - A process reserves ids in a record, and syncs the record before it issues these ids. After a
//   torn write, the checksum is wrong, so the next process acquires another lease.
// - To take over a file, a process first renames the file, then reads the file. To write its own
//   file, a process first writes, then checks that the path still leads to this file. So either the
//   new owner has read the old owner's last record, or the old owner notices the loss of the file
//   before it issues the ids in that record.
// - Only the process that created a file writes to it, and the file has only one name. A file
//   contains its inode and its birth time, so that copies are recognised: a copy has another inode
//   or, on another file system, a later birth time. A file does not contain its device number,
//   because many file systems change that number at a restart. A file also contains the time of its
//   last change, which the process sets. If older content is restored into the file, the file's
//   time differs from the time in the content.
//
// On systems with /proc, a process does not take a file whose owner is still running. Ids would be
// unique without this check, but the owner would lose its lease. Each worker thread counts as a
// process here, because one thread can be terminated while the others continue.
//
// All of this assumes that the file system keeps synced data, and that no process finds a file
// under its old name after a rename. When machines share a volume, as during a rolling update, one
// machine may cache an old name for a while. Therefore a process looks a name up by opening the
// file, because network file systems then ask their server. A process also never resumes a lease of
// a process on another machine.

import { createHash, randomUUID } from "node:crypto";
import * as nodeFs from "node:fs";
import { dirname, resolve } from "node:path";
import { type Holder, lose, record, resume, written } from "../edgeflake_lease.js";
import { EdgeflakeError } from "../error.js";
import type { ErrorCode } from "../names.js";
import { areApart, isRunning, threadOf } from "./thread.js";

interface File {
  descriptor: number;
  stat: nodeFs.BigIntStats;
  bornSeconds: number | undefined;
}

/** The first line of a file has these two words and a checksum of the second line. */
const KIND = "edgeflake-store";
const VERSION = "1";

/** The file contains the lease's token, which is secret. So only the file's owner may read it. */
const MODE = 0o600;

/** File times are rounded to this step, in seconds: FAT, the coarsest file system, uses 2 s. */
const TIME_SECONDS = 2;
const SECOND_NS = 1_000_000_000n;

export class Store {
  #path;
  #bound;
  #fs;
  /** The open file; undefined before this process has taken it, and after it was lost. */
  #file: File | undefined;
  #thread: string | undefined;
  /** Whether the directory was synced, so that the file's name survives a power failure. */
  #isNamed = false;
  /** Whether this process has lost the file: another process may resume the lease. */
  isLost = false;

  /** Does not open the file yet; `authority` is a URL. */
  constructor(path: string, authority: string, sequencer: string, fs: typeof nodeFs = nodeFs) {
    this.#path = resolve(path);
    this.#bound = { authority, sequencer };
    this.#fs = fs;
  }

  /** Returns whether this process has taken the file, and still has it. */
  get isOpen() {
    return this.#file !== undefined;
  }

  /** Replaces or creates the file; returns the record of the lease to resume, if any. */
  open() {
    if (this.isLost) throw this.#lost();
    return this.#attempt("opened", () => {
      this.#thread = threadOf(this.#fs);
      const record = this.#take();
      this.#create(record);
      return record;
    });
  }

  /** Replaces and syncs the record; `undefined` means no lease. Throws if the file was lost. */
  write(record: string | undefined) {
    this.#attempt("written", () => {
      if (!this.#file) throw this.#lost();
      const file = this.#file;
      // Without a lease, write no thread's name, so that any process may take the file.
      this.#put(file, record, record && this.#thread);
      this.#fs.fdatasyncSync(file.descriptor);
      if (!this.#isNamed) this.#syncName();
      const named = this.#named();
      if (named?.ino === file.stat.ino && named.dev === file.stat.dev) return;
      this.#fs.closeSync(file.descriptor);
      this.#file = undefined;
      this.isLost = true;
      throw this.#lost();
    });
  }

  /** Returns the `stat` of the file to which the path leads now; undefined if there is no file. */
  #named() {
    try {
      return this.#opened(this.#path, (file) => this.#fs.fstatSync(file, { bigint: true }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Takes an existing file out of use; returns its record if this process may resume the lease. */
  #take() {
    const stat = this.#fs.statSync(this.#path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    // A device, a pipe or a directory must be neither read nor moved.
    if (!stat.isFile()) throw this.#error("store-unreadable", "is no file: use another path");
    try {
      // If the path is a symbolic link, move the file and not the link.
      this.#path = this.#fs.realpathSync(this.#path);
      const { thread } = this.#read(this.#path);
      if (thread && isRunning(this.#fs, thread)) {
        const [pid, , tid] = thread.split(/[ /]/);
        const found = `is in use by process ${pid}, thread ${tid}`;
        throw this.#error("store-in-use", `${found}: use another file`);
      }
      const away = `${this.#path}.${randomUUID()}`;
      this.#fs.renameSync(this.#path, away);
      // Now no other process can take the file, and an owner that still runs has lost the file.
      const { thread: owner, record } = this.#read(away);
      this.#fs.unlinkSync(away);
      // An owner on another machine may still be running, so do not resume its lease.
      return areApart(this.#thread, owner) ? undefined : record;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw code === "ENOENT" ? this.#lost() : error;
    }
  }

  /** Opens the file, and makes the holder continue with the stored lease, if there is one. */
  resume(holder: Holder) {
    const record = this.open();
    const [random] = crypto.getRandomValues(new BigUint64Array(1));
    if (record) resume(holder, record, random);
  }

  /** Reserves more ids in the file. Then the holder may issue these ids. */
  keep(holder: Holder) {
    try {
      this.write(record(holder, Date.now()));
      written(holder);
    } finally {
      if (this.isLost) lose(holder);
    }
  }

  /** Returns a file's record of a lease, and the name of the thread that uses the file. */
  #read(path: string): { record?: string | undefined; thread?: string | undefined } {
    return this.#opened(path, (descriptor) => {
      const stat = this.#fs.fstatSync(descriptor, { bigint: true });
      return this.#contentOf(this.#fs.readFileSync(descriptor, "utf8"), stat);
    });
  }

  /** Opens a file for reading, passes its descriptor to `use`, and closes the file. */
  #opened<T>(path: string, use: (descriptor: number) => T) {
    const descriptor = this.#fs.openSync(path, "r");
    try {
      return use(descriptor);
    } finally {
      this.#fs.closeSync(descriptor);
    }
  }

  #contentOf(text: string, { ino, nlink, mtimeNs, birthtimeNs }: nodeFs.BigIntStats) {
    if (text === "") return {};
    const [head, content] = text.split("\n");
    const [kind, version, checksum] = head.split(" ");
    if (kind !== KIND || version !== VERSION) {
      throw this.#error("store-unreadable", `is no store in format ${VERSION}: use another path`);
    }
    if (content === undefined || checksum !== checksumOf(content)) return {};
    const { authority, sequencer, inode, bornSeconds, changedSeconds, thread, record } =
      JSON.parse(content);
    const isBorn = bornSeconds === undefined || bornSeconds === secondsOf(birthtimeNs);
    if (record && (inode !== `${ino}` || !isBorn || nlink > 1n)) {
      throw this.#error(
        "store-copied",
        "is a copy, or was copied, so its lease may be in use elsewhere: delete the file to get another lease",
      );
    }
    const isOurs = authority === this.#bound.authority && sequencer === this.#bound.sequencer;
    const isOurChange = mtimeNs === BigInt(changedSeconds) * SECOND_NS;
    const isLease = record && isOurs && isOurChange;
    return { thread, record: isLease ? JSON.stringify(record) : undefined };
  }

  /** Creates a new file at the path; only this process writes to it. */
  #create(record: string | undefined) {
    const nameless = `${this.#path}.${randomUUID()}`;
    const descriptor = this.#fs.openSync(nameless, "wx", MODE);
    try {
      // Call `fstat` after `futimes`: on macOS, setting an earlier mtime also moves the birth time.
      const changedSeconds = changeNow();
      this.#fs.futimesSync(descriptor, changedSeconds, changedSeconds);
      const stat = this.#fs.fstatSync(descriptor, { bigint: true });
      const file = { descriptor, stat, bornSeconds: this.#bornSeconds(stat) };
      this.#put(file, record, this.#thread);
      this.#fs.fsyncSync(descriptor);
      this.#fs.renameSync(nameless, this.#path);
      this.#file = file;
    } catch (error) {
      this.#fs.closeSync(descriptor);
      // Remove the file, because otherwise each attempt on a full disk would leave a file behind.
      this.#fs.rmSync(nameless, { force: true });
      throw error;
    }
  }

  /** Returns the birth time of a new file in seconds; undefined if the file system has none. */
  #bornSeconds({ birthtimeNs }: nodeFs.BigIntStats) {
    // Without birth times, a file system reports 0 or the time of the last change. The directory
    // has just changed, so if the directory's birth time equals its change time, the file system
    // has no birth times.
    const directory = this.#fs.statSync(dirname(this.#path), { bigint: true });
    const isKnown = birthtimeNs > 0n && directory.birthtimeNs !== directory.ctimeNs;
    return isKnown ? secondsOf(birthtimeNs) : undefined;
  }

  #put({ descriptor, stat, bornSeconds }: File, json: string | undefined, thread?: string) {
    const changedSeconds = changeNow(bornSeconds);
    const [inode, record] = [`${stat.ino}`, json && JSON.parse(json)];
    const fields = { ...this.#bound, inode, bornSeconds, changedSeconds, thread, record };
    const content = JSON.stringify(fields);
    const bytes = Buffer.from(`${KIND} ${VERSION} ${checksumOf(content)}\n${content}\n`);
    for (let written = 0; written < bytes.length; ) {
      const left = bytes.length - written;
      written += this.#fs.writeSync(descriptor, bytes, written, left, written);
    }
    // If the previous content was longer, cut off its end.
    this.#fs.ftruncateSync(descriptor, bytes.length);
    this.#fs.futimesSync(descriptor, changedSeconds, changedSeconds);
  }

  /** Syncs the directory: otherwise the previous file could come back after a power failure. */
  #syncName() {
    // Windows cannot sync directories.
    if (process.platform !== "win32") {
      this.#opened(dirname(this.#path), (directory) => this.#fs.fsyncSync(directory));
    }
    this.#isNamed = true;
  }

  #lost() {
    return this.#error(
      "store-in-use",
      "was taken by another process or thread, or deleted: restart this process, with a file of its own",
    );
  }

  #error(code: ErrorCode, found: string) {
    return new EdgeflakeError(code, `the store ${this.#path} ${found}`);
  }

  /** Runs `attempt`; turns the errors of the file system into `store-failed`. */
  #attempt<T>(done: string, attempt: () => T) {
    try {
      return attempt();
    } catch (error) {
      if (error instanceof EdgeflakeError) throw error;
      const failed = `could not be ${done}: ${(error as Error).message}`;
      throw Object.assign(this.#error("store-failed", failed), { cause: error });
    }
  }
}

/** Returns the current time in seconds, rounded down so that any file system can store it. */
function changeNow(earliestSeconds = 0) {
  const seconds = Math.max(Math.floor(Date.now() / 1_000), earliestSeconds);
  return seconds - (seconds % TIME_SECONDS);
}

const secondsOf = (ns: bigint) => Number(ns / SECOND_NS);

function checksumOf(content: string) {
  return createHash("sha256").update(content).digest("hex");
}
