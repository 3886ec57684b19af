// Runs the Durable Objects of an authority in one Node process, each with a database of its own.
//
// Each directory stores whether it is for leases or witnesses, and to which authority it belongs.
// Each file stores the name of its object. So the authority refuses swapped volumes and renamed
// files. Otherwise it would not find its leases, and could grant the old leases again.

import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { EdgeflakeError } from "../error.js";
import { type EventName, UNREADABLE } from "../names.js";
import { DAMAGED, Database, type StorageError } from "./database.js";

interface StoredObject {
  fetch(request: { method: string; url: string; text(): Promise<string> }): Promise<Response>;
}

/** Only the process's user may open the directory, because its files contain lease tokens. */
const MODE = 0o700;

/** Name of the object that stores all sequencers' names. Locking its file locks the directory. */
const DIRECTORY = "directory";

/**
 * The longest time, in ms, for which a commit waits for more requests. Without this limit, if 6,000
 * holders start at once, the commit would wait until Node has read all their requests. The first
 * holder would give up before it got its reply.
 */
const GROUP_MAX_MS = 25;

/** Answers a request to an object: 507 if its file is damaged, 500 if it cannot be opened. */
function failed(url: string, error: StorageError) {
  const message = `${url} failed: ${error.message}`;
  console.error(JSON.stringify({ event: "object-failed" satisfies EventName, message }));
  const isDamaged = (error.cause ?? error).errcode in DAMAGED;
  return new Response(error.message, { status: isDamaged ? UNREADABLE : 500 });
}

/**
 * Returns the storage of a shard, with methods of Cloudflare's `DurableObjectStorage`. All calls of
 * `transactionSync` until the next `commitSync` form one transaction. An error undoes all of them.
 */
export function groupedStorageOf(database: Database, unseenMaxMs: () => number) {
  let isOpen = false;
  let beganMs = 0;
  /** Ends the wait for more requests. */
  let endWait = () => {};
  const attempt = (run: () => void) => {
    try {
      run();
    } catch (error) {
      isOpen = false;
      database.rollback();
      throw error;
    }
  };
  return {
    sql: database,
    transactionSync(run: () => void) {
      if (!isOpen) {
        database.begin();
        beganMs = performance.now();
      }
      isOpen = true;
      attempt(run);
      if (performance.now() - beganMs > GROUP_MAX_MS) endWait();
    },
    /** Commits the open transaction, and returns when the changes are on the disk. */
    commitSync() {
      if (!isOpen) return;
      attempt(() => database.commit());
      isOpen = false;
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

  /** Opens a directory: of leases or, if `leases` is given, of the witnesses of these leases. */
  constructor(directory: string, leases?: Objects) {
    this.path = resolve(directory);
    try {
      makeDirectory(this.path);
      this.database = this.#open(DIRECTORY);
      markRole(this, leases ? "witnesses" : "leases");
      if (leases) pair(leases, this);
    } catch (cause) {
      this.close();
      if (cause instanceof EdgeflakeError) throw cause;
      const { message } = cause as Error;
      const text = `the authority's directory ${this.path} cannot be used: ${message}`;
      throw Object.assign(new EdgeflakeError("store-failed", text), { cause });
    }
  }

  namespace(
    Class: new (state: object, env: object) => StoredObject,
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
              object = new Class({ storage: storage(this.#open(name)) }, env);
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

/** Stores the role of a directory; throws if the directory already has the other role. */
function markRole({ path, database }: Objects, role: "leases" | "witnesses") {
  database.exec("CREATE TABLE IF NOT EXISTS mark (role TEXT NOT NULL, authority TEXT) STRICT");
  const [marked] = database.exec("SELECT role FROM mark").raw();
  const [found] = marked ?? [role];
  if (found !== role) {
    const option = role === "leases" ? "directory" : "witness";
    const allowed = `give the directory of ${role} (are directory and witness swapped?), or an empty one for a new authority`;
    throw invalid(`${option} is ${path}, a directory of ${found}: ${allowed}`);
  }
  if (!marked) database.exec("INSERT INTO mark (role) VALUES (?)", role);
}

/** Marks both directories as parts of one authority; throws if their authorities differ. */
function pair(leases: Objects, witnesses: Objects) {
  const [ofLeases, ofWitnesses] = [leases, witnesses].map(
    ({ database }) => database.exec("SELECT authority FROM mark").raw()[0][0] as string | null,
  );
  // A new or emptied directory becomes part of the other directory's authority.
  const authority = ofLeases ?? ofWitnesses ?? randomUUID();
  if ((ofWitnesses ?? authority) !== authority) {
    const of = `the witnesses of another authority than ${leases.path}`;
    const allowed =
      "give two directories of one authority; an empty witness is safe only if the directory of leases is complete";
    throw invalid(`witness is ${witnesses.path}, which has ${of}: ${allowed}`);
  }
  for (const { database } of [leases, witnesses]) {
    database.exec("UPDATE mark SET authority = ?", authority);
  }
}

/** Stores the name of an object in its file; throws if the file belongs to another object. */
function nameFile(database: Database, file: string, name: string) {
  database.exec("CREATE TABLE IF NOT EXISTS object (name TEXT NOT NULL) STRICT");
  const [named] = database.exec("SELECT name FROM object").raw();
  if (!named) database.exec("INSERT INTO object VALUES (?)", name);
  else if (named[0] !== name) {
    const message = `the authority's file ${file} was renamed or copied: rename it back to the name of its object, ${named[0]}, with a dot in place of the slash`;
    throw new EdgeflakeError("store-failed", message);
  }
}

/** Makes a directory, and syncs its parent to the disk. Does nothing if the directory exists. */
function makeDirectory(directory: string) {
  try {
    mkdirSync(directory, { mode: MODE });
  } catch (error) {
    if ((error as StorageError).code === "EEXIST") return;
    throw error;
  }
  // Windows cannot open a directory, and syncs the names of new files by itself.
  if (process.platform === "win32") return;
  const descriptor = openSync(dirname(directory), "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

const invalid = (message: string) => new EdgeflakeError("invalid-option", message);
