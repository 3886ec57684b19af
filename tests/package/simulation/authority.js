// The authority of a world: the Worker and its objects as they are shipped. They run either in an
// authority on Node, or on a platform that evicts objects and sometimes runs two instances of one.
// Requests reach both as users send them, and both may end at any moment around a write.

import { DatabaseSync } from "node:sqlite";
import { Clock } from "./clock.js";
import { startAuthority, startWorker } from "./modules.js";
import { Timers } from "./timeline.js";

/** @import { World } from "./world.js" */

/** The longest time until an ended authority runs again. */
const DOWN_MS = 3_000;

/** The directories of an authority on Node. */
const [AUTHORITY, WITNESS] = ["/authority", "/witness"];

class Crash extends Error {}

/** Makes the platform of the Worker and its objects. @param {World} world */
function platformOf(world) {
  const { timeline, random, tally, stepOf } = world;
  const clock = new Clock(timeline, random, tally, stepOf);
  const timers = new Timers(timeline, (run) => run());
  return {
    clock,
    now: () => clock.now(),
    setTimeout: timers.set,
    clearTimeout: timers.clear,
    fetch: () => Promise.reject(new Error("an authority fetches nothing")),
    random,
    log: (/** @type {unknown[]} */ ...args) => {
      const text = args.join(" ");
      world.note(`the authority says ${text}`);
      if (!text.includes("storage-rolled-back")) return;
      if (tally.of("storages restored") === 0) world.fail("a rollback was noticed that never was");
      tally.count("rollbacks noticed");
    },
  };
}

/** Makes another database with the same content. @param {DatabaseSync} database */
function copyOf(database) {
  const copy = new DatabaseSync(":memory:");
  const tables = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all();
  for (const { name, sql } of tables) {
    copy.exec(`${sql}`);
    for (const row of database.prepare(`SELECT * FROM ${name}`).all()) {
      const values = Object.values(row);
      copy.prepare(`INSERT INTO ${name} VALUES (${values.map(() => "?")})`).run(...values);
    }
  }
  return copy;
}

/** The databases of an authority on Node, which outlive it. */
class Files {
  #world;
  /**
   * A copy of the authority's directory, from an earlier moment.
   *
   * @type {Map<string, DatabaseSync>}
   */
  #kept = new Map();
  /** @type {Map<string, DatabaseSync>} */
  #files = new Map();
  /** @type {Set<string>} */
  #locked = new Set();

  /** @param {World} world */
  constructor(world) {
    this.#world = world;
  }

  /**
   * Makes the class that the authority has in place of `DatabaseSync`.
   *
   * @param {() => void} use throws if the authority has ended
   * @param {(when: "before" | "after") => void} atCommit
   */
  opened(use, atCommit) {
    const files = this.#files;
    const locked = this.#locked;
    return class {
      #file;
      #database;
      /** @param {string} file */
      constructor(file) {
        this.#file = file;
        this.#database = files.get(file) ?? new DatabaseSync(":memory:");
        files.set(file, this.#database);
      }

      /** @param {string} text */
      exec(text) {
        use();
        if (text.startsWith("PRAGMA")) return;
        if (text.startsWith("BEGIN IMMEDIATE; COMMIT")) {
          if (locked.has(this.#file)) throw Object.assign(new Error("locked"), { errcode: 5 });
          locked.add(this.#file);
          return;
        }
        if (text !== "COMMIT") {
          this.#database.exec(text);
          return;
        }
        atCommit("before");
        this.#database.exec(text);
        atCommit("after");
      }

      /** @param {string} text */
      prepare(text) {
        if (text === "PRAGMA journal_mode") return { get: () => ({ journal_mode: "wal" }) };
        const statement = this.#database.prepare(text);
        const used =
          (/** @type {(...values: any[]) => any} */ call) =>
          (/** @type {any[]} */ ...values) => {
            use();
            return call.apply(statement, values);
          };
        return { run: used(statement.run), all: used(statement.all) };
      }

      close() {
        use();
        locked.delete(this.#file);
      }
    };
  }

  /** Frees the databases of a process that has ended. */
  release() {
    this.#locked.clear();
    for (const database of this.#files.values()) {
      if (database.isTransaction) database.exec("ROLLBACK");
    }
    const { random, climate, isCalm } = this.#world;
    if (!climate.hasWitness || isCalm) return;
    const kind = random.below(4);
    if (kind < 2) this.#keep();
    else if (kind === 2) this.#restore();
  }

  /** Lists the files of the authority, without those of its witnesses. */
  #own() {
    return [...this.#files].filter(([file]) => file.startsWith(`${AUTHORITY}/`));
  }

  #keep() {
    this.#kept = new Map(this.#own().map(([file, database]) => [file, copyOf(database)]));
  }

  /** Restores the copy, and deletes files that are newer than it. */
  #restore() {
    this.#world.restored("the authority's directory");
    for (const [file, database] of this.#own()) {
      database.close();
      const kept = this.#kept.get(file);
      if (kept) this.#files.set(file, copyOf(kept));
      else this.#files.delete(file);
    }
  }

  close() {
    for (const database of this.#files.values()) database.close();
  }
}

export class NodeAuthority {
  #world;
  #files;
  /** @type {Awaited<ReturnType<typeof import("edgeflake/authority/node").createAuthority>> | undefined} */
  #authority;
  #life = 0;
  /** @type {Clock | undefined} */
  clock;

  /** @param {World} world */
  constructor(world) {
    this.#world = world;
    this.#files = new Files(world);
  }

  async start() {
    const { random, tally, climate } = this.#world;
    const life = ++this.#life;
    const platform = platformOf(this.#world);
    this.clock = platform.clock;
    const use = () => {
      if (life !== this.#life) throw new Crash();
    };
    const Database = this.#files.opened(use, (when) => {
      if (this.#world.isCalm) return;
      if (when === "before" && random.oneIn(climate.fullOf)) {
        tally.count("writes failed");
        throw new Error("database or disk is full");
      }
      if (!random.oneIn(climate.lossOf)) return;
      tally.count(when === "before" ? "crashes before a write" : "crashes after a write");
      this.crash();
      throw new Crash();
    });
    const createAuthority = startAuthority(platform, Database);
    const { variables, hasWitness } = climate;
    const options = { directory: AUTHORITY, variables, ...(hasWitness && { witness: WITNESS }) };
    this.#authority = await createAuthority(options);
  }

  crash() {
    if (!this.#authority) return;
    this.#authority = undefined;
    this.#life++;
    const { timeline, random, tally } = this.#world;
    timeline.after(0, () => this.#files.release());
    timeline.after(1 + random.below(DOWN_MS), () => {
      if (this.#authority) return;
      tally.count("authorities started again");
      this.start();
    });
  }

  /** @param {string} url @param {RequestInit} init @returns {Promise<Response>} */
  async fetch(url, { method, headers, body }) {
    const life = this.#life;
    if (!this.#authority) throw new Error("connection refused");
    const response = await this.#authority.fetch(new Request(url, { method, headers, body }));
    if (life === this.#life) return response;
    // The authority ended before the answer left.
    return new Promise(() => {});
  }

  close() {
    this.#files.close();
  }
}

/** An object of a platform, with its storage, and perhaps its twin. */
class StoredObject {
  #world;
  #make;
  #database = new DatabaseSync(":memory:");
  /** @type {Map<string, import("node:sqlite").StatementSync>} */
  #statements = new Map();
  /** @type {any} */
  #object;
  /** @type {any} */
  #twin;
  /** A copy of its storage, from an earlier moment. @type {DatabaseSync | undefined} */
  #kept;

  /** @param {World} world @param {(state: object, life: { isOver: boolean }) => any} make */
  constructor(world, make) {
    this.#world = world;
    this.#make = make;
  }

  /** Makes an instance with its own access to the storage, which ends with the instance. */
  #new() {
    const life = { isOver: false };
    const exec = (/** @type {string} */ text, /** @type {any[]} */ ...values) => {
      if (life.isOver) throw new Crash("the object was reset");
      const statement = this.#statements.get(text) ?? this.#database.prepare(text);
      this.#statements.set(text, statement);
      if (/^(SELECT|PRAGMA) /.test(text)) {
        const rows = statement.all(...values).map((row) => Object.values(row));
        return { raw: () => rows, rowsWritten: 0 };
      }
      this.#begin(life);
      const { changes } = statement.run(...values);
      return { raw: () => [], rowsWritten: Number(changes) };
    };
    /** @template T @param {() => T} run */
    const transactionSync = (run) => {
      this.#begin(life);
      this.#database.exec("SAVEPOINT part");
      try {
        return run();
      } catch (error) {
        this.#database.exec("ROLLBACK TO part");
        throw error;
      } finally {
        this.#database.exec("RELEASE part");
      }
    };
    return { life, object: this.#make({ storage: { sql: { exec }, transactionSync } }, life) };
  }

  /**
   * Begins a transaction, so that writes without an await in between are stored at once.
   *
   * @param {{ isOver: boolean }} life
   */
  #begin(life) {
    if (this.#database.isTransaction) return;
    this.#database.exec("BEGIN");
    queueMicrotask(() => this.#write(life));
  }

  /** @param {{ isOver: boolean }} life */
  #write(life) {
    const { random, tally, climate, isCalm } = this.#world;
    life.isOver ||= !isCalm && random.oneIn(2 * climate.lossOf);
    const isBefore = life.isOver && random.oneIn(2);
    if (life.isOver) tally.count(isBefore ? "crashes before a write" : "crashes after a write");
    this.#database.exec(isBefore ? "ROLLBACK" : "COMMIT");
  }

  evict() {
    this.#object = undefined;
    this.#twin = undefined;
  }

  keep() {
    this.#kept = copyOf(this.#database);
  }

  /** Replaces the storage by its copy, or empties it. Objects restart on it. */
  restore() {
    for (const object of [this.#object, this.#twin]) if (object) object.life.isOver = true;
    this.evict();
    this.#database.close();
    this.#database = this.#kept ? copyOf(this.#kept) : new DatabaseSync(":memory:");
    this.#statements.clear();
  }

  /** Starts a second instance, for a moment. */
  double() {
    this.#twin ??= this.#new();
  }

  /** @param {string} url @param {{ method?: string, body?: any }} init @returns {Promise<Response>} */
  async fetch(url, { method = "GET", body = "" }) {
    const { random, tally } = this.#world;
    this.#object ??= this.#new();
    let chosen = this.#object;
    if (this.#twin && random.oneIn(2)) {
      tally.count("answers by a twin");
      chosen = this.#twin;
    }
    try {
      const response = await chosen.object.fetch({ method, url, text: async () => body });
      if (chosen.life.isOver) throw new Crash("the object was reset");
      return response;
    } catch (error) {
      if (chosen === this.#object) this.#object = undefined;
      else this.#twin = undefined;
      throw error;
    }
  }

  close() {
    this.#database.close();
  }
}

/**
 * Makes a namespace for the calls of an object. No call leaves before the earlier writes are
 * stored, so an object that ended during a write sends none.
 *
 * @param {{ isOver: boolean }} life
 * @param {{ getByName: (name: string) => Pick<StoredObject, "fetch"> }} namespace
 */
const behind = (life, namespace) => ({
  getByName: (/** @type {string} */ name) => ({
    /** @type {StoredObject["fetch"]} */
    fetch: async (url, init) => {
      // The writes of this turn are stored when it ends.
      await undefined;
      if (life.isOver) throw new Crash("the object was reset");
      return namespace.getByName(name).fetch(url, init);
    },
  }),
});

export class PlatformAuthority {
  #world;
  /** @type {Map<string, StoredObject>} */
  #objects = new Map();
  #worker;
  #env;
  /** The namespace of the shards. */
  namespace;
  clock;

  /** @param {World} world */
  constructor(world) {
    this.#world = world;
    const platform = platformOf(world);
    this.clock = platform.clock;
    this.#worker = startWorker(platform);
    this.namespace = this.#namespace("Authority");
    this.#env = {
      ...world.climate.variables,
      AUTHORITY: this.namespace,
      DIRECTORY: this.#namespace("Directory"),
    };
  }

  /** @param {string} className */
  #namespace(className) {
    return {
      getByName: (/** @type {string} */ name) => {
        const key = `${className} ${name}`;
        const object =
          this.#objects.get(key) ??
          new StoredObject(this.#world, (state, life) => {
            const DIRECTORY = behind(life, this.#env.DIRECTORY);
            return new this.#worker[className](state, { ...this.#env, DIRECTORY });
          });
        this.#objects.set(key, object);
        return object;
      },
    };
  }

  start() {}

  crash() {
    const { random, tally } = this.#world;
    for (const [name, object] of this.#objects) {
      const kind = random.below(6);
      if (kind < 2) {
        tally.count("objects evicted");
        object.evict();
      } else if (kind === 2) {
        object.double();
      } else if (kind === 3) {
        object.keep();
      } else if (kind === 4 && name.startsWith("Authority ") && random.oneIn(2)) {
        // The witness is not restored with its shard.
        this.#world.restored(name);
        object.restore();
      }
    }
  }

  /** @param {string} url @param {RequestInit} init @returns {Promise<Response>} */
  async fetch(url, { method, headers, body }) {
    const request = new Request(url, { method, headers, body });
    return new this.#worker.default({}, this.#env).fetch(request);
  }

  close() {
    for (const object of this.#objects.values()) object.close();
  }
}
