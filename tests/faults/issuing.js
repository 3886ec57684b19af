// Asks for ids all the time: the authority's own process over HTTP, and a holder in the drill's
// process, "the holder elsewhere".

import { setTimeout as wait } from "node:timers/promises";
import { LeasedGenerator } from "edgeflake/lease";

/** @import { Authority } from "./authority.js" */

const EVERY_MS = 20;
const COUNT = 10;

/** Results in one part of the drill. */
class Seen {
  ids = 0;
  /** Number of answers by problem code. @type {Map<string, number>} */
  codes = new Map();

  /** @param {string} code */
  failed(code) {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
  }

  toString() {
    const codes = [...this.codes].map(([code, count]) => `${code} x ${count}`);
    return [`${this.ids} ids`, ...codes].join(", ");
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
  /** Number of ids that are equal to an earlier one. */
  twice = 0;
  /** While this is true, the authority's own process is not asked for ids. */
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

  /** Makes the holder elsewhere take another node. */
  async move() {
    await this.#holder.detach();
    await this.#holder.attach();
  }

  /** @param {() => Iterable<bigint> | Promise<Iterable<bigint>>} issue */
  async #loop(issue) {
    while (!this.#isOver) {
      try {
        for (const id of await issue()) this.#keep(id);
      } catch (/** @type {any} */ error) {
        this.seen.failed(error.code ?? error.message);
      }
      await wait(EVERY_MS);
    }
  }

  /** Asks the process that is also the authority for ids. */
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

  /** Returns the results since the last call of `look`. */
  look() {
    const seen = this.seen;
    this.seen = new Seen();
    return seen;
  }
}
