// The database of an object: what a Durable Object has as `ctx.storage.sql`, in a file.
//
// A commit is on the disk before `commit` returns, because the authority's promise rests on what is
// stored: `synchronous = FULL` syncs the write-ahead log at each commit, and `fullfsync` makes that
// reach the disk on macOS. The exclusive lock is held until the process ends, however it ends.

import { DatabaseSync } from "node:sqlite";
import { EdgeflakeError } from "../../lib/error.js";

/** @import { StatementSync } from "node:sqlite" */

const PRAGMAS = [
  // Before the first access, so that no memory is shared with another process.
  "locking_mode = EXCLUSIVE",
  "journal_mode = WAL",
  "synchronous = FULL",
  "fullfsync = ON",
  "checkpoint_fullfsync = ON",
];

/** How a statement begins that answers rows. */
const READS = /^(SELECT|PRAGMA) /;

/** `SQLITE_BUSY`: another process has the lock. */
const BUSY = 5;

/** Errors of a file that is damaged, and of one that is none of SQLite's, by their number. */
export const DAMAGED = /** @type {Record<number, string>} */ ({
  11: "SQLITE_CORRUPT",
  26: "SQLITE_NOTADB",
});

export class Database {
  #database;
  /** Each statement, prepared once, by its text. @type {Map<string, StatementSync>} */
  #statements = new Map();

  /** @param {string} file */
  constructor(file) {
    /** @type {DatabaseSync | undefined} */
    let database;
    try {
      database = new DatabaseSync(file);
      for (const pragma of PRAGMAS) database.exec(`PRAGMA ${pragma}`);
      const found = /** @type {any} */ (database.prepare("PRAGMA journal_mode").get());
      const journal = found.journal_mode;
      if (journal !== "wal") throw new Error(`its journal is ${journal}, not a write-ahead log`);
      // Takes the lock.
      database.exec("BEGIN IMMEDIATE; COMMIT");
      this.#database = database;
    } catch (/** @type {any} */ cause) {
      database?.close();
      const found = new EdgeflakeError(
        cause.errcode === BUSY ? "store-in-use" : "store-failed",
        cause.errcode === BUSY
          ? `the authority's file ${file} is in use by another process: end that one, or use another directory`
          : `the authority's file ${file} cannot be used: ${cause.message}`,
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

  /**
   * As `SqlStorage.exec` of a Durable Object, as far as the objects use it.
   *
   * @param {string} text
   * @param {any[]} values
   */
  exec(text, ...values) {
    try {
      return this.#exec(text, values);
    } catch (/** @type {any} */ error) {
      // The platform ends its message like this, too.
      if (error.errcode in DAMAGED) error.message += `: ${DAMAGED[error.errcode]}`;
      throw error;
    }
  }

  /** @param {string} text @param {any[]} values */
  #exec(text, values) {
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
