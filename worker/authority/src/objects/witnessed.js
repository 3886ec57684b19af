// How the object of a shard answers: a session is opened before all else, and what it has written is
// confirmed by its witness before the reply leaves. Docs: docs/WITNESS.md.

import { ask, inTime, UNWITNESSED } from "./call.js";

/** How long a witness is waited for, in ms: less than the 5,000 that an isolate waits for the object. */
const WITNESS_MAX_MS = 4_000;

/**
 * @typedef Storage
 * @property {<T>(run: () => T) => T} transactionSync rolls back what is written if it throws
 *
 * @typedef Shard
 * @property {(url: string) => string | undefined} opening
 * @property {(url: string, answer: string | undefined) => void} open
 * @property {(method: string, url: string, text: string) => Response} answer
 * @property {(url: string, error: string, status: number) => Response} failed
 * @property {() => number} written
 * @property {() => string | undefined} confirming
 * @property {(answer: string) => void} confirmed
 */

/** What tells the instance of the module that a shard is of from others. @param {Shard} shard */
const instanceOf = (shard) => /** @type {any} */ (shard.constructor).instance();

export class Witnessed {
  #env;
  #storage;
  #shard;
  #instance;
  /** @type {Promise<void> | undefined} */
  #opening;
  /** How many sessions this instance has begun. */
  #sessions = 0;
  /** Number of the newest write that a stamp of this session has confirmed; -1 before there is one. */
  #confirmed = -1;
  /** The confirmation under way; it is never rejected. @type {Promise<void>} */
  #last = Promise.resolve();
  /** The confirmation after it, which takes all that was written until then. @type {Promise<void> | undefined} */
  #next;

  /**
   * @param {Record<string, any>} env
   * @param {Storage} storage of the object
   * @param {Shard} shard
   */
  constructor(env, storage, shard) {
    this.#env = env;
    this.#storage = storage;
    this.#shard = shard;
    this.#instance = instanceOf(shard);
  }

  /** Throws if a panic has ended the instance of the module that the shard is of. */
  #check() {
    if (instanceOf(this.#shard) !== this.#instance) throw new Error("the authority panicked");
  }

  /** @param {string} method @param {string} url @param {string} text */
  async answer(method, url, text) {
    const shard = this.#shard;
    try {
      this.#check();
      if (shard.written() < 0) {
        this.#opening ??= this.#open(url).finally(() => {
          this.#opening = undefined;
        });
        try {
          await this.#opening;
        } catch (/** @type {any} */ error) {
          // A shard that cannot store a session still says how it is, without the one that it has not
          // stored.
          if (error.status === UNWITNESSED || !url.endsWith("/status")) throw error;
          this.#check();
          this.#storage.transactionSync(() => shard.opening(url));
        }
        this.#check();
      }
      const response = shard.answer(method, url, text);
      if (shard.written() > this.#confirmed) {
        this.#next ??= this.#confirm(url);
        await this.#next;
      }
      return response;
    } catch (/** @type {any} */ error) {
      try {
        this.#check();
        return shard.failed(url, error.message, error.status ?? 500);
      } catch {
        return new Response(error.message, { status: 500 });
      }
    }
  }

  /** @param {string} url */
  async #open(url) {
    const call = this.#storage.transactionSync(() => this.#shard.opening(url));
    if (call === undefined) return;
    const answer = await this.#ask(url, call);
    // A session without its restart would let an older copy pass for a newer one.
    this.#storage.transactionSync(() => this.#shard.open(url, answer));
    this.#sessions += 1;
    // Until a stamp of this session is confirmed, what it found stored may yet be forgotten.
    this.#confirmed = answer === undefined ? Infinity : -1;
  }

  /** Confirms all that is written once the confirmation before it has ended. @param {string} url */
  #confirm(url) {
    const confirming = this.#last.then(async () => {
      this.#next = undefined;
      this.#check();
      const call = this.#shard.confirming();
      if (call === undefined) throw new Error("its session has ended");
      const [written, sessions] = [this.#shard.written(), this.#sessions];
      const answer = await this.#ask(url, call);
      // A late answer says nothing about the session that has begun meanwhile.
      if (sessions !== this.#sessions) throw new Error("its session has ended");
      if (answer !== undefined) this.#shard.confirmed(answer);
      this.#confirmed = Math.max(this.#confirmed, written);
    });
    this.#last = confirming.catch(() => {});
    return confirming;
  }

  /** @param {string} url @param {string} call @returns what the witness answers; undefined if there is none */
  async #ask(url, call) {
    const env = this.#env;
    const binding = "WITNESS" in env ? "WITNESS" : "DIRECTORY";
    if (env[binding] === null) return;
    const [, , , , sequencer, shard] = url.split("/");
    const name = `${sequencer}/${shard}`;
    try {
      const asking = ask(
        env,
        binding,
        "Directory",
        name,
        undefined,
        "POST",
        `https://witness/${name}`,
        call,
      );
      const answer = await inTime(asking, WITNESS_MAX_MS);
      // A 404 does not say that there is no witness.
      if (answer === undefined) throw new Error("its object is not a witness");
      this.#check();
      return answer;
    } catch (/** @type {any} */ error) {
      this.#check();
      const silent = `the witness of shard ${shard} of ${sequencer} does not answer`;
      // A platform that could not store what the witness shall confirm says so by another status.
      const { status = UNWITNESSED } = error;
      throw Object.assign(new Error(`${silent}: ${error.message}`), { status });
    }
  }
}
