// The Durable Objects of an authority live in one process, where each has a database of its own.

import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { EdgeflakeError } from "../error.js";
import { type EventName, UNREADABLE } from "../names.js";
import { DAMAGED, Database, type StorageError } from "./database.js";
import { Mark, nameFile, type Role } from "./mark.js";

/** A request, as far as an object reads it. */
interface Message {
  method: string;
  url: string;
  text(): Promise<string>;
}

interface StoredObject {
  fetch(request: Message): Promise<Response>;
}

type Class = new (state: object, env: object) => StoredObject;

/** Only this user may read the files, because a token is the proof of a lease. */
const MODE = 0o700;

/** The object that knows the names; its lock is that of the whole directory. */
const DIRECTORY = "directory";

/** Answers a request to an object whose file cannot be opened: 507 if it is damaged, else 500. */
function failed(url: string, error: StorageError) {
  const message = `${url} failed: ${error.message}`;
  console.error(JSON.stringify({ event: "object-failed" satisfies EventName, message }));
  const isDamaged = (error.cause ?? error).errcode in DAMAGED;
  return new Response(error.message, { status: isDamaged ? UNREADABLE : 500 });
}

/** Makes the storage of an object, with the methods of Cloudflare's `DurableObjectStorage`. */
function storageOf(database: Database) {
  const { transactionSync, commitSync } = groupedStorageOf(database);
  return {
    sql: database,
    /** Runs a function in a transaction, which is on the disk when this returns. */
    transactionSync(run: () => void) {
      transactionSync(run);
      commitSync();
    },
  };
}

/**
 * Makes the storage of a shard, which commits for many requests at once. Its transactions are one
 * until the shard commits, and an error undoes all of it.
 */
export function groupedStorageOf(database: Database) {
  let isOpen = false;
  const undo = () => {
    isOpen = false;
    database.rollback();
  };
  return {
    sql: database,
    transactionSync(run: () => void) {
      if (!isOpen) database.begin();
      isOpen = true;
      try {
        run();
      } catch (error) {
        undo();
        throw error;
      }
    },
    /** Commits what was written. It is on the disk when this returns. */
    commitSync() {
      if (!isOpen) return;
      try {
        database.commit();
        isOpen = false;
      } catch (error) {
        undo();
        throw error;
      }
    },
    /** Resolves when the messages that have arrived by now have been read. */
    nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

/** The objects of a directory, which belong to this process until they are closed. */
export class Objects {
  #directory;
  #databases = new Map<string, Database>();
  declare readonly mark: Mark;

  constructor(directory: string, role: Role = "leases") {
    this.#directory = resolve(directory);
    try {
      mkdirSync(this.#directory, { mode: MODE });
      syncDirectory(dirname(this.#directory));
    } catch (cause) {
      const { code, message } = cause as StorageError;
      if (code !== "EEXIST") {
        const text = `the authority's directory ${this.#directory} cannot be made: ${message}`;
        throw Object.assign(new EdgeflakeError("store-failed", text), { cause });
      }
    }
    try {
      const database = this.#open(DIRECTORY);
      this.mark = new Mark(database, this.#directory, role);
    } catch (cause) {
      this.close();
      if (cause instanceof EdgeflakeError) throw cause;
      const { message } = cause as Error;
      const text = `the authority's directory ${this.#directory} cannot be used: ${message}`;
      throw Object.assign(new EdgeflakeError("store-failed", text), { cause });
    }
  }

  namespace(
    classOf: () => Class,
    env: object,
    storage: (database: Database) => object = storageOf,
  ) {
    const objects = new Map<string, StoredObject>();
    return {
      getByName: (name: string) => ({
        fetch: async (url: string, { method, body = "" }: { method: string; body?: string }) => {
          let object = objects.get(name);
          try {
            if (!object) {
              object = new (classOf())({ storage: storage(this.#open(name)) }, env);
              objects.set(name, object);
            }
          } catch (error) {
            // The next call tries again.
            return failed(url, error as StorageError);
          }
          return object.fetch({ method, url, text: async () => body });
        },
      }),
    };
  }

  /** Opens the database of an object, whose name is such as `orders/0`. */
  #open(name: string) {
    let database = this.#databases.get(name);
    if (!database) {
      // No name of a sequencer has a dot.
      const file = join(this.#directory, `${name.replace("/", ".")}.sqlite`);
      database = new Database(file);
      try {
        nameFile(database, file, name);
      } catch (error) {
        database.close();
        throw error;
      }
      this.#databases.set(name, database);
    }
    return database;
  }

  close() {
    for (const database of this.#databases.values()) database.close();
    this.#databases.clear();
  }
}

function syncDirectory(directory: string) {
  // Windows does not open directories, and syncs their names by itself.
  if (process.platform === "win32") return;
  const descriptor = openSync(directory, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
