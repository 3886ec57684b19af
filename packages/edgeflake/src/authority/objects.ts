// Runs the Durable Objects of an authority in one Node process, each with a database of its own.

import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { EdgeflakeError } from "../error.js";
import { type EventName, UNREADABLE } from "../names.js";
import { DAMAGED, Database, type StorageError } from "./database.js";
import { markRole, nameFile, type Role } from "./mark.js";

interface StoredObject {
  fetch(request: { method: string; url: string; text(): Promise<string> }): Promise<Response>;
}

type Class = new (state: object, env: object) => StoredObject;

/** Only the process's user may open the directory, because its files contain lease tokens. */
const MODE = 0o700;

/**
 * Name of the object that stores all sequencers' names. While its file is locked, no other process
 * can use any file of the authority's directory.
 */
const DIRECTORY = "directory";

/**
 * The longest time, in ms, for which a commit waits for more requests. Without this limit, one
 * commit would wait for all requests that have arrived. If 6,000 holders start at once, Node takes
 * seconds to read their requests, and the first holder would give up before it got its reply.
 */
const GROUP_MAX_MS = 25;

/**
 * Answers a request to an object whose file cannot be opened. The status is 507 if the file is
 * damaged, and 500 otherwise.
 */
function failed(url: string, error: StorageError) {
  const message = `${url} failed: ${error.message}`;
  console.error(JSON.stringify({ event: "object-failed" satisfies EventName, message }));
  const isDamaged = (error.cause ?? error).errcode in DAMAGED;
  return new Response(error.message, { status: isDamaged ? UNREADABLE : 500 });
}

/**
 * Returns the storage of a shard, with methods of Cloudflare's `DurableObjectStorage`. The storage
 * commits many requests at once: all calls of `transactionSync` until the next `commitSync` form
 * one transaction. An error undoes the whole transaction.
 */
export function groupedStorageOf(database: Database, unseenMaxMs: () => number) {
  let isOpen = false;
  let beganMs = 0;
  /** Ends the wait for more requests. */
  let endWait = () => {};
  const undo = () => {
    isOpen = false;
    database.rollback();
  };
  return {
    sql: database,
    transactionSync(run: () => void) {
      if (!isOpen) {
        database.begin();
        beganMs = performance.now();
      }
      isOpen = true;
      try {
        run();
        if (performance.now() - beganMs > GROUP_MAX_MS) endWait();
      } catch (error) {
        undo();
        throw error;
      }
    },
    /** Commits the open transaction. The changes are on the disk afterwards. */
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
    /** Returns the longest time, in ms, that a request may have waited before it was read. */
    unseenMaxMs,
    /** Resolves when all requests that have arrived are read, or after about `GROUP_MAX_MS`. */
    nextTurn: () =>
      new Promise<void>((resolve) => {
        endWait = resolve;
        setImmediate(resolve);
      }),
  };
}

/** The objects of one directory. Until `close`, no other process can open the directory. */
export class Objects {
  declare readonly path: string;
  declare readonly database: Database;
  #databases = new Map<string, Database>();

  constructor(directory: string, role: Role = "leases") {
    this.path = resolve(directory);
    try {
      makeDirectory(this.path);
      this.database = this.#open(DIRECTORY);
      markRole(this, role);
    } catch (cause) {
      this.close();
      if (cause instanceof EdgeflakeError) throw cause;
      const { message } = cause as Error;
      const text = `the authority's directory ${this.path} cannot be used: ${message}`;
      throw Object.assign(new EdgeflakeError("store-failed", text), { cause });
    }
  }

  namespace(
    classOf: () => Class,
    env: object,
    storage: (database: Database) => object = (sql) => ({ sql }),
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
            // The object is not kept, so the next call tries to open its file again.
            return failed(url, error as StorageError);
          }
          return object.fetch({ method, url, text: async () => body });
        },
      }),
    };
  }

  /** Opens an object's database. A shard and its witness have a name such as `orders/0`. */
  #open(name: string) {
    let database = this.#databases.get(name);
    if (!database) {
      // The names of sequencers have no dots, so no two objects share a file.
      const file = join(this.path, `${name.replace("/", ".")}.sqlite`);
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

function makeDirectory(directory: string) {
  try {
    mkdirSync(directory, { mode: MODE });
    syncDirectory(dirname(directory));
  } catch (error) {
    if ((error as StorageError).code !== "EEXIST") throw error;
  }
}

function syncDirectory(directory: string) {
  // Windows cannot open a directory, and syncs the names of new files by itself.
  if (process.platform === "win32") return;
  const descriptor = openSync(directory, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
