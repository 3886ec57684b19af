// On Node, each object of an authority stores its data in a SQLite file of its own, as a Durable
// Object does in `ctx.storage.sql`.
//
// `commit` returns only when the commit is on the disk, because ids may repeat if a granted lease
// is lost. `synchronous = FULL` syncs the write-ahead log at each commit, and `fullfsync` makes
// macOS also flush the disk's cache. The file stays locked until `close`, or until the thread ends.

import { channel } from "node:diagnostics_channel";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { EdgeflakeError } from "../error.js";

const PRAGMAS = [
  // This pragma must precede the first access, so that SQLite needs no memory shared by processes.
  "locking_mode = EXCLUSIVE",
  "journal_mode = WAL",
  "synchronous = FULL",
  "fullfsync = ON",
  "checkpoint_fullfsync = ON",
];

/** The subscribers of this channel get the duration of each commit, in seconds. */
const commits = channel("edgeflake:commit");

/** Matches a statement that returns rows. */
const READS = /^(SELECT|PRAGMA) /;

/** SQLite's error number when another process has locked the file (`SQLITE_BUSY`). */
const BUSY = 5;

/** Names of the errors for a damaged file (11) and for a file that SQLite did not write (26). */
export const DAMAGED: Record<number, string> = { 11: "SQLITE_CORRUPT", 26: "SQLITE_NOTADB" };

export interface StorageError extends Error {
  errcode: number;
  code?: string;
  cause?: StorageError;
}

export class Database {
  #database;
  /** The prepared statements, by their SQL text. */
  #statements = new Map<string, StatementSync>();

  constructor(file: string) {
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(file);
      for (const pragma of PRAGMAS) database.exec(`PRAGMA ${pragma}`);
      const journal = database.prepare("PRAGMA journal_mode").get()?.journal_mode;
      if (journal !== "wal") throw new Error(`its journal is ${journal}, not a write-ahead log`);
      // In the exclusive mode, the first transaction locks the file, and the file stays locked.
      database.exec("BEGIN IMMEDIATE; COMMIT");
      this.#database = database;
    } catch (cause) {
      database?.close();
      const { errcode, message } = cause as StorageError;
      const isBusy = errcode === BUSY;
      const found = isBusy
        ? "is already open: close the authority that uses it; another directory would be another " +
          "authority, which may issue the same ids"
        : `cannot be used: ${message}`;
      const text = `the authority's file ${file} ${found}`;
      const error = new EdgeflakeError(isBusy ? "store-in-use" : "store-failed", text);
      throw Object.assign(error, { cause });
    }
  }

  begin() {
    this.#database.exec("BEGIN IMMEDIATE");
  }

  commit() {
    const begin = performance.now();
    this.#database.exec("COMMIT");
    commits.publish((performance.now() - begin) / 1e3);
  }

  rollback() {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // Ignore this error, because after some errors SQLite has already rolled back by itself.
    }
  }

  /** Runs a statement, as `SqlStorage.exec` of a Durable Object does. */
  exec(text: string, ...values: SQLInputValue[]) {
    try {
      let statement = this.#statements.get(text);
      if (!statement) {
        statement = this.#database.prepare(text);
        this.#statements.set(text, statement);
      }
      if (!READS.test(text)) {
        return { raw: () => [], rowsWritten: Number(statement.run(...values).changes) };
      }
      const rows = statement.all(...values).map((row) => Object.values(row));
      return { raw: () => rows, rowsWritten: 0 };
    } catch (thrown) {
      const error = thrown as StorageError;
      // Add the name of SQLite's error: Cloudflare does so, too, and the Worker looks for the name.
      if (error.errcode in DAMAGED) error.message += `: ${DAMAGED[error.errcode]}`;
      throw error;
    }
  }

  close() {
    this.#database.close();
  }
}
