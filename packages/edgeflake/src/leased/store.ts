// A store is a file that keeps a lease over a restart.
//
// Problem: a process that resumes a lease must know of every id that was issued from it, and must
// be the only one that resumes it. However, processes are killed between any two lines, the power
// fails, and two processes may have one file. No operation of all file systems compares and writes
// in one step, and a lock that a killed process leaves behind would keep its successor out.
//
// - A process syncs each record before it issues ids of it. If a record is torn, its checksum is
//   wrong; then it is no lease, and the process acquires another one.
// - To take a file, a process first moves it away, then reads it. To write its file, a process
//   first writes, then looks whether the file still has its name. So either the taker has read the
//   new record, or the writer sees that it has lost the lease before it issues ids of the record.
// - Only the process that made a file writes it, and the file has one name. It contains its inode
//   and its birth: a copy has another inode or, on another file system, a later birth. It does not
//   contain its device, because many file systems change the device's number when they restart. It
//   contains the time of its last change, which the process sets, because a file that was put back
//   over it has another time.
//
// On systems with a /proc, a process sees that the owner of a file runs, and does not take the
// file. This only saves the owner its lease, because ids are unique without it, too. Each worker
// thread counts as a process, because it may be terminated while the others go on.
//
// All of this rests on the file system: it keeps what is synced, and no process finds a name that
// was moved away. Where machines share a volume, as during a rolling update, one of them may
// remember a name for a while. Therefore a process looks a name up by opening it, because network
// file systems then ask their server again, and it leaves a lease to a process on another machine.

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

/** The content of a file: the record of its lease, and the thread that uses it. */
interface Content {
  record?: string | undefined;
  thread?: string | undefined;
}

/** The first words of a store. The checksum of the next line, and that line, follow. */
const KIND = "edgeflake-store";
const VERSION = "1";

/** A token is the proof of a lease, so only its owner may read it. */
const MODE = 0o600;

/** The step of a file's times in FAT, the file system with the longest one, in seconds. */
const TIME_SECONDS = 2;
const SECOND_NS = 1_000_000_000n;

export class Store {
  #path;
  #bound;
  #fs;
  /** The file, once it belongs to this process. */
  #file: File | undefined;
  #thread: string | undefined;
  /** Says whether the file's name is on the disk. */
  #isNamed = false;
  #isLost = false;

  /** Names the file of a lease; the authority is named by its URL. */
  constructor(path: string, authority: string, sequencer: string, fs: typeof nodeFs = nodeFs) {
    this.#path = resolve(path);
    this.#bound = { authority, sequencer };
    this.#fs = fs;
  }

  /** Tells whether the file belongs to this process. */
  get isOpen() {
    return this.#file !== undefined;
  }

  /** Tells whether this process has lost the file, so that another may resume its record. */
  get isLost() {
    return this.#isLost;
  }

  /** Takes the file for this process, and returns the record to resume, if there is one. */
  open() {
    if (this.#isLost) throw this.#lost();
    return this.#attempt("opened", () => {
      this.#thread = threadOf(this.#fs);
      const record = this.#take();
      this.#create(record);
      return record;
    });
  }

  /** Replaces the record, and syncs it; without a record there is no lease. */
  write(record: string | undefined) {
    this.#attempt("written", () => {
      if (!this.#file) throw this.#lost();
      const file = this.#file;
      // Without a lease, any process may take the file.
      this.#put(file, record, record && this.#thread);
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

  /** Returns the status of the file that has the name now. */
  #named() {
    try {
      return this.#opened(this.#path, (file) => this.#fs.fstatSync(file, { bigint: true }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Moves the file away, if there is one, and returns its record. */
  #take() {
    const stat = this.#fs.statSync(this.#path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    // It neither reads nor moves a device, a pipe or a directory.
    if (!stat.isFile()) {
      throw this.#error("store-unreadable", "is no file: use another path");
    }
    try {
      // A link leads to the file itself.
      this.#path = this.#fs.realpathSync(this.#path);
      const { thread } = this.#read(this.#path);
      if (thread && isRunning(this.#fs, thread)) {
        const [pid, , tid] = thread.split(/[ /]/);
        const found = `is in use by process ${pid}, thread ${tid}`;
        throw this.#error("store-in-use", `${found}: use another file`);
      }
      const away = `${this.#path}.${randomUUID()}`;
      this.#fs.renameSync(this.#path, away);
      // From now on no other process takes it, and its owner, if it runs, has lost it.
      const { thread: owner, record } = this.#read(away);
      this.#fs.unlinkSync(away);
      // An owner on another machine may still run, so it keeps its lease.
      return areApart(this.#thread, owner) ? undefined : record;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw code === "ENOENT" ? this.#lost() : error;
    }
  }

  /** Opens the file, and lets a holder resume its record. */
  resume(holder: Holder) {
    const record = this.open();
    const [random] = crypto.getRandomValues(new BigUint64Array(1));
    if (record) resume(holder, record, random);
  }

  /** Writes the limit of a holder's ids. */
  keep(holder: Holder) {
    try {
      this.write(record(holder, Date.now()));
      written(holder);
    } finally {
      if (this.isLost) lose(holder);
    }
  }

  #read(path: string): Content {
    return this.#opened(path, (descriptor) => {
      const stat = this.#fs.fstatSync(descriptor, { bigint: true });
      return this.#contentOf(this.#fs.readFileSync(descriptor, "utf8"), stat);
    });
  }

  /** Opens a file to read, uses it and closes it. */
  #opened<T>(path: string, use: (descriptor: number) => T) {
    const descriptor = this.#fs.openSync(path, "r");
    try {
      return use(descriptor);
    } finally {
      this.#fs.closeSync(descriptor);
    }
  }

  #contentOf(text: string, { ino, nlink, mtimeNs, birthtimeNs }: nodeFs.BigIntStats): Content {
    if (text === "") return {};
    const [head, content] = text.split("\n");
    const [kind, version, checksum] = head.split(" ");
    if (kind !== KIND || version !== VERSION) {
      throw this.#error("store-unreadable", `is no store of version ${VERSION}: use another path`);
    }
    if (content === undefined || checksum !== checksumOf(content)) return {};
    const { authority, sequencer, inode, bornSeconds, changedSeconds, thread, record } =
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
    return { thread, record: isLease ? JSON.stringify(record) : undefined };
  }

  /** Makes a new file in its place, which no other process writes. */
  #create(record: string | undefined) {
    const nameless = `${this.#path}.${randomUUID()}`;
    const descriptor = this.#fs.openSync(nameless, "wx", MODE);
    try {
      // macOS takes a time of change before the birth as the birth, so it is set before `fstat`.
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
      // Otherwise each attempt would leave a file on a full disk.
      this.#fs.rmSync(nameless, { force: true });
      throw error;
    }
  }

  /** Returns the birth of a new file, if its file system knows it. */
  #bornSeconds({ birthtimeNs }: nodeFs.BigIntStats) {
    // A file system that does not know births tells 0, or the time of the last change. The
    // directory, which has just changed, shows whether it does that.
    const directory = this.#fs.statSync(dirname(this.#path), { bigint: true });
    const isKnown = birthtimeNs > 0n && directory.birthtimeNs !== directory.ctimeNs;
    return isKnown ? secondsOf(birthtimeNs) : undefined;
  }

  #put(
    { descriptor, stat, bornSeconds }: File,
    record: string | undefined,
    thread: string | undefined,
  ) {
    const changedSeconds = changeNow(bornSeconds);
    const content = JSON.stringify({
      ...this.#bound,
      inode: `${stat.ino}`,
      bornSeconds,
      changedSeconds,
      thread,
      record: record && JSON.parse(record),
    });
    const bytes = Buffer.from(`${KIND} ${VERSION} ${checksumOf(content)}\n${content}\n`);
    for (let written = 0; written < bytes.length; ) {
      const left = bytes.length - written;
      written += this.#fs.writeSync(descriptor, bytes, written, left, written);
    }
    // This cuts off the rest of a longer record that was there before.
    this.#fs.ftruncateSync(descriptor, bytes.length);
    this.#fs.futimesSync(descriptor, changedSeconds, changedSeconds);
  }

  /** Syncs the name: otherwise a power failure could give it back to the previous file. */
  #syncName() {
    // Windows does not sync directories.
    if (process.platform !== "win32") {
      this.#opened(dirname(this.#path), (directory) => this.#fs.fsyncSync(directory));
    }
    this.#isNamed = true;
  }

  #lost() {
    return this.#error(
      "store-in-use",
      "was taken by another process or thread, or deleted: use another file",
    );
  }

  #error(code: ErrorCode, found: string, cause?: unknown) {
    const error = new EdgeflakeError(code, `the store ${this.#path} ${found}`);
    if (cause !== undefined) error.cause = cause;
    return error;
  }

  /** Throws the failure of an attempt as an error of the store. */
  #attempt<T>(done: string, attempt: () => T) {
    try {
      return attempt();
    } catch (error) {
      if (error instanceof EdgeflakeError) throw error;
      const { message } = error as Error;
      throw this.#error("store-failed", `could not be ${done}: ${message}`, error);
    }
  }
}

/** Returns the time of a change that is made now, as every file system keeps it, in seconds. */
function changeNow(earliestSeconds = 0) {
  const seconds = Math.max(Math.floor(Date.now() / 1_000), earliestSeconds);
  return seconds - (seconds % TIME_SECONDS);
}

const secondsOf = (ns: bigint) => Number(ns / SECOND_NS);

function checksumOf(content: string) {
  return createHash("sha256").update(content).digest("hex");
}
