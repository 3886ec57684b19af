// What the callers of the drill's authority see: ids of the process itself and of a holder elsewhere,
// asked for all the time.

import { setTimeout as wait } from "node:timers/promises";
import { LeasedGenerator } from "edgeflake/lease";

/** @import { Authority } from "./authority.js" */

const EVERY_MS = 20;
const COUNT = 10;

/** What is seen in a part of the drill. */
class Seen {
  ids = 0;
  /** How long a caller waited who got its ids, at most. */
  longestMs = 0;
  /** How often each code of a problem was answered. @type {Map<string, number>} */
  codes = new Map();

  /** @param {string} code */
  failed(code) {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
  }

  toString() {
    const codes = [...this.codes].map(([code, count]) => `${code} x ${count}`);
    return [`${this.ids} ids, each in ${Math.ceil(this.longestMs)} ms`, ...codes].join(", ");
  }
}

export class Issuing {
  #authority;
  #holder;
  #isOver = false;
  /** @type {Promise<unknown>} */
  #loops = Promise.resolve();
  /** @type {Set<bigint>} */
  #all = new Set();
  seen = new Seen();
  /** Those that came before. */
  twice = 0;
  /** Whether the process of the authority is asked for none. */
  isPaused = false;

  /** @param {Authority} authority @param {string} token */
  constructor(authority, token) {
    this.#authority = authority;
    this.#holder = new LeasedGenerator({ authority: authority.url, token });
  }

  get count() {
    return this.#all.size;
  }

  start() {
    const here = this.#loop(() => this.#holder.batch(COUNT));
    const there = this.#loop(() => (this.isPaused ? [] : this.#there()));
    this.#loops = Promise.all([here, there]);
  }

  async end() {
    this.#isOver = true;
    await this.#loops;
  }

  /** The holder elsewhere takes another node. */
  async move() {
    await this.#holder.detach();
    await this.#holder.attach();
  }

  /** @param {() => Iterable<bigint> | Promise<Iterable<bigint>>} issue */
  async #loop(issue) {
    while (!this.#isOver) {
      const begin = performance.now();
      try {
        for (const id of await issue()) this.#keep(id);
        this.seen.longestMs = Math.max(this.seen.longestMs, performance.now() - begin);
      } catch (/** @type {any} */ error) {
        this.seen.failed(error.code ?? error.message);
      }
      await wait(EVERY_MS);
    }
  }

  /** Ids of the process that is the authority, too. */
  async #there() {
    const response = await this.#authority.ask("POST", `/v1/ids?count=${COUNT}`).catch(() => {
      throw new Error("no connection");
    });
    const { ids, type } = /** @type {any} */ (await response.json());
    if (!response.ok) throw new Error(type.replace("/problems/", ""));
    return ids.map(BigInt);
  }

  /** @param {bigint} id */
  #keep(id) {
    this.twice += Number(this.#all.has(id));
    this.#all.add(id);
    this.seen.ids += 1;
  }

  /** What was seen since it was asked the last time. */
  look() {
    const seen = this.seen;
    this.seen = new Seen();
    return seen;
  }
}
