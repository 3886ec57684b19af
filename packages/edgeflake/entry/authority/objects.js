// The namespaces of the Durable Objects, in one process: each object has a database of its own.

import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { EdgeflakeError } from "../../lib/error.js";
import { DAMAGED, Database } from "./database.js";
import { Mark, nameFile } from "./mark.js";

/**
 * @typedef {{ method: string, url: string, text: () => Promise<string> }} Message what an object
 * reads of a request
 * @typedef {{ fetch(request: Message): Promise<Response> }} StoredObject
 * @typedef {new (state: object, env: object) => StoredObject} Class
 * @typedef {{ fetch: (url: string, init: { method: string, body?: string }) => Promise<Response> }} Stub
 * @typedef {{ getByName: (name: string) => Stub }} Namespace
 */

/** Only this user may read what is stored, because a token is the proof of a lease. */
const MODE = 0o700;

/** The object that knows the names; its lock is that of the whole directory. */
const DIRECTORY = "directory";

/**
 * The answer of an object whose file cannot be opened: 507 if it is damaged, and 500 otherwise.
 *
 * @param {string} url
 * @param {any} error
 */
function failed(url, error) {
  const message = `${url} failed: ${error.message}`;
  console.error(JSON.stringify({ event: "object-failed", message }));
  const isDamaged = (error.cause ?? error).errcode in DAMAGED;
  return new Response(error.message, { status: isDamaged ? 507 : 500 });
}

/** Makes the storage of an object, as the platform gives it. @param {Database} database */
function storageOf(database) {
  return {
    sql: database,
    /** Runs a function in a transaction, which is on the disk when this returns. @param {() => void} run */
    transactionSync(run) {
      database.begin();
      try {
        run();
        database.commit();
      } catch (error) {
        database.rollback();
        throw error;
      }
    },
  };
}

/**
 * Makes the storage of a shard, which commits for many requests at once. Its transactions are one
 * until the shard commits, and an error undoes all of it.
 *
 * @param {Database} database
 */
export function groupedStorageOf(database) {
  let isOpen = false;
  const undo = () => {
    isOpen = false;
    database.rollback();
  };
  return {
    sql: database,
    /** @param {() => void} run */
    transactionSync(run) {
      if (!isOpen) database.begin();
      isOpen = true;
      try {
        run();
      } catch (error) {
        undo();
        throw error;
      }
    },
    /** Makes all of it durable: it is on the disk when this returns. */
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
  /** @type {Map<string, Database>} */
  #databases = new Map();

  /** @param {string} directory @param {import("./mark.js").Role} [role] */
  constructor(directory, role = "leases") {
    this.#directory = resolve(directory);
    try {
      mkdirSync(this.#directory, { mode: MODE });
      syncDirectory(dirname(this.#directory));
    } catch (/** @type {any} */ cause) {
      if (cause.code !== "EEXIST") {
        const text = `the authority's directory ${this.#directory} cannot be made: ${cause.message}`;
        throw Object.assign(new EdgeflakeError("store-failed", text), { cause });
      }
    }
    try {
      const database = this.#open(DIRECTORY);
      this.mark = new Mark(database, this.#directory, role);
    } catch (/** @type {any} */ cause) {
      this.close();
      if (cause instanceof EdgeflakeError) throw cause;
      const text = `the authority's directory ${this.#directory} cannot be used: ${cause.message}`;
      throw Object.assign(new EdgeflakeError("store-failed", text), { cause });
    }
  }

  /**
   * The namespace of a class.
   *
   * @param {() => Class} classOf
   * @param {object} env
   * @param {(database: Database) => object} storage makes the storage of an object
   * @returns {Namespace}
   */
  namespace(classOf, env, storage = storageOf) {
    /** @type {Map<string, StoredObject>} */
    const objects = new Map();
    return {
      getByName: (name) => ({
        fetch: async (url, { method, body = "" }) => {
          let object = objects.get(name);
          try {
            if (!object) {
              object = new (classOf())({ storage: storage(this.#open(name)) }, env);
              objects.set(name, object);
            }
          } catch (error) {
            // The next call tries again.
            return failed(url, error);
          }
          return object.fetch({ method, url, text: async () => body });
        },
      }),
    };
  }

  /** @param {string} name such as `orders/0`, or of the directory */
  #open(name) {
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

/** @param {string} directory whose names are to be on the disk */
function syncDirectory(directory) {
  // Windows opens no directories, and keeps their names by itself.
  if (process.platform === "win32") return;
  const descriptor = openSync(directory, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
