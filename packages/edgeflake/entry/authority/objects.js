// The namespaces of the Durable Objects, in one process: each object has a database of its own.

import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { EdgeflakeError } from "../../lib/error.js";
import { DAMAGED, Database } from "./database.js";
import { Mark, nameFile } from "./mark.js";

/**
 * @typedef {{ method: string, url: string, text: () => Promise<string> }} Message what an object
 * reads of a request
 * @typedef {new (state: object, env: object) => { fetch(request: Message): Promise<Response> }} Class
 * @typedef {(call: () => Promise<Response>) => Promise<Response>} Gate
 * @typedef {{ getByName: (name: string) => Pick<StoredObject, "fetch"> }} Namespace
 */

/** Only this user may read what is stored, because a token is the proof of a lease. */
const MODE = 0o700;

/** The object that knows the names; its lock is that of the whole directory. */
const DIRECTORY = "directory";

/**
 * What an object answers that failed: 507 if it cannot read what is stored, and 500 else.
 *
 * @param {string} what
 * @param {any} error
 */
function failed(what, error) {
  const message = `${what} failed: ${error.message}`;
  console.error(JSON.stringify({ event: "object-failed", message }));
  const isDamaged = (error.cause ?? error).errcode in DAMAGED;
  return new Response(error.message, { status: isDamaged ? 507 : 500 });
}

/** An object, which answers one request after the other. */
class StoredObject {
  #database;
  #make;
  /** @type {InstanceType<Class> | undefined} */
  #object;
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  #failures = 0;

  /** @param {Database} database @param {(state: object, gate: Gate) => InstanceType<Class>} make */
  constructor(database, make) {
    this.#database = database;
    this.#make = make;
  }

  /**
   * Calls another object. No call leaves before what was written is committed, as on the platform:
   * else a witness could confirm what is then lost.
   *
   * @type {Gate}
   */
  #gate = async (call) => {
    try {
      this.#database.commit();
    } catch (/** @type {any} */ cause) {
      const text = `it is not asked, because nothing can be stored: ${cause.message}`;
      throw Object.assign(new Error(text, { cause }), { status: 500 });
    }
    try {
      return await call();
    } finally {
      this.#database.begin();
    }
  };

  /**
   * Commits what is written, so that its caller hears what cannot be stored.
   *
   * @template T
   * @param {() => T} run
   */
  #transactionSync = (run) => {
    try {
      const value = run();
      this.#database.commit();
      return value;
    } catch (error) {
      this.#database.rollback();
      throw error;
    } finally {
      this.#database.begin();
    }
  };

  /** @param {string} url @param {{ method: string, body?: string }} init */
  fetch(url, { method, body = "" }) {
    const answer = this.#last.then(() => this.#answer({ method, url, text: async () => body }));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /**
   * One transaction or, with a session and with calls of other objects, several; the last one is
   * committed before the answer leaves. After any failure the object is made anew, because what it has
   * in memory must not be newer than what is stored.
   *
   * @param {Message} message
   */
  async #answer(message) {
    const database = this.#database;
    try {
      database.begin();
      const storage = { sql: database, transactionSync: this.#transactionSync };
      const state = { storage, failures: this.#failures };
      this.#object ??= this.#make(state, this.#gate);
      const response = await this.#object.fetch(message);
      if (response.status < 500) database.commit();
      else this.#forget();
      return response;
    } catch (error) {
      this.#forget();
      return failed(message.url, error);
    }
  }

  #forget() {
    this.#failures += 1;
    this.#object = undefined;
    this.#database.rollback();
  }
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
   * @param {Namespace | null} [witnesses] of its objects
   * @returns {Namespace}
   */
  namespace(classOf, env, witnesses = null) {
    /** @type {Map<string, StoredObject>} */
    const objects = new Map();
    return {
      /** @param {string} name */
      getByName: (name) => {
        const object = objects.get(name);
        if (object) return object;
        try {
          const made = new StoredObject(this.#open(name), (state, gate) => {
            const WITNESS = witnesses && behind(gate, witnesses);
            return new (classOf())(state, { ...env, WITNESS });
          });
          objects.set(name, made);
          return made;
        } catch (error) {
          // The next call tries again.
          return { fetch: async (/** @type {string} */ url) => failed(url, error) };
        }
      },
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

/** A namespace that is called through a gate. @param {Gate} gate @param {Namespace} namespace */
const behind = (gate, namespace) => ({
  getByName: (/** @type {string} */ name) => ({
    /** @type {StoredObject["fetch"]} */
    fetch: (url, init) => gate(() => namespace.getByName(name).fetch(url, init)),
  }),
});

/** @param {string} directory whose names are to be on the disk */
function syncDirectory(directory) {
  // Windows opens no directories, and keeps their names by itself.
  if (process.platform === "win32") return;
  const descriptor = openSync(directory, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
