// Each object has a database in a file, as a Durable Object has in `ctx.storage.sql`.
//
// A commit is on the disk before `commit` returns, because the authority's promise rests on stored
// grants: `synchronous = FULL` syncs the write-ahead log at each commit, and `fullfsync` makes that
// reach the disk on macOS. The exclusive lock is held until the thread ends, however it ends.

import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { EdgeflakeError } from "../error.js";

const PRAGMAS = [
  // It comes before the first access, so that no memory is shared with another process.
  "locking_mode = EXCLUSIVE",
  "journal_mode = WAL",
  "synchronous = FULL",
  "fullfsync = ON",
  "checkpoint_fullfsync = ON",
];

/** The start of a statement that returns rows. */
const READS = /^(SELECT|PRAGMA) /;

/** `SQLITE_BUSY`: another process has the lock. */
const BUSY = 5;

/** Errors of a file that is damaged, and of one that is none of SQLite's, by their numbers. */
export const DAMAGED: Record<number, string> = { 11: "SQLITE_CORRUPT", 26: "SQLITE_NOTADB" };

export interface StorageError extends Error {
  errcode: number;
  code?: string;
  cause?: StorageError;
}

export class Database {
  #database;
  /** Each statement, prepared once, by its text. */
  #statements = new Map<string, StatementSync>();

  constructor(file: string) {
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(file);
      for (const pragma of PRAGMAS) database.exec(`PRAGMA ${pragma}`);
      const journal = database.prepare("PRAGMA journal_mode").get()?.journal_mode;
      if (journal !== "wal") throw new Error(`its journal is ${journal}, not a write-ahead log`);
      // This takes the lock.
      database.exec("BEGIN IMMEDIATE; COMMIT");
      this.#database = database;
    } catch (cause) {
      database?.close();
      const { errcode, message } = cause as StorageError;
      const found = new EdgeflakeError(
        errcode === BUSY ? "store-in-use" : "store-failed",
        errcode === BUSY
          ? `the authority's file ${file} is in use by another process: end that one, or use another directory`
          : `the authority's file ${file} cannot be used: ${message}`,
      );
      throw Object.assign(found, { cause });
    }
  }

  begin() {
    this.#database.exec("BEGIN IMMEDIATE");
  }

  commit() {
    this.#database.exec("COMMIT");
  }

  rollback() {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite itself has rolled back, as it does after some errors.
    }
  }

  /** Works as `SqlStorage.exec` of a Durable Object, as far as the objects use it. */
  exec(text: string, ...values: SQLInputValue[]) {
    try {
      return this.#exec(text, values);
    } catch (thrown) {
      const error = thrown as StorageError;
      // The platform ends its message like this, too.
      if (error.errcode in DAMAGED) error.message += `: ${DAMAGED[error.errcode]}`;
      throw error;
    }
  }

  #exec(text: string, values: SQLInputValue[]) {
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
  }

  close() {
    this.#database.close();
  }
}
