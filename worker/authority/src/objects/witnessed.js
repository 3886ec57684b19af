// How the object of a shard answers: a session is opened before all else, and what it has written is
// confirmed by its witness before the reply leaves. Docs: docs/DESIGN.md, "The witness".

import { ask, inTime } from "./call.js";

/** How long a witness is waited for, in ms: less than the 5,000 that an isolate waits for the object. */
const WITNESS_MAX_MS = 4_000;

/**
 * @typedef Storage
 * @property {<T>(run: () => T) => T} transactionSync rolls back what is written if it throws
 *
 * @typedef Shard
 * @property {(url: string) => string | undefined} opening
 * @property {(url: string, answer: string | undefined) => number} open
 * @property {(method: string, url: string, text: string) => Response} answer
 * @property {(url: string, error: string) => Response} failed
 * @property {() => number} written
 * @property {() => string | undefined} confirming
 * @property {(answer: string) => void} confirmed
 */

export class Witnessed {
  #env;
  #storage;
  #shard;
  #check;
  /** @type {Promise<void> | undefined} */
  #opening;
  /** Number of the newest write that is confirmed. */
  #confirmed = 0;
  /** The confirmation under way; it is never rejected. @type {Promise<void>} */
  #last = Promise.resolve();
  /** The confirmation after it, which takes all that was written until then. @type {Promise<void> | undefined} */
  #next;

  /**
   * @param {Record<string, any>} env
   * @param {Storage} storage of the object
   * @param {Shard} shard
   * @param {() => void} [check] throws if a panic has ended the instance of the module that the
   * shard is of
   */
  constructor(env, storage, shard, check = () => {}) {
    this.#env = env;
    this.#storage = storage;
    this.#shard = shard;
    this.#check = check;
  }

  /** @param {string} method @param {string} url @param {string} text */
  async answer(method, url, text) {
    const shard = this.#shard;
    try {
      if (shard.written() < 0) {
        this.#opening ??= this.#open(url).finally(() => {
          this.#opening = undefined;
        });
        try {
          await this.#opening;
        } catch (error) {
          // How it is, a shard says that cannot store a session, too: without the one that it has not
          // stored.
          if (!url.endsWith("/status")) throw error;
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
        return shard.failed(url, error.message);
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
    const confirmed = this.#storage.transactionSync(() => this.#shard.open(url, answer));
    this.#confirmed = answer === undefined ? Infinity : confirmed;
  }

  /** Confirms all that is written once the confirmation before it has ended. @param {string} url */
  #confirm(url) {
    const confirming = this.#last.then(async () => {
      this.#next = undefined;
      const call = this.#shard.confirming();
      if (call === undefined) throw new Error("its session has ended");
      const written = this.#shard.written();
      const answer = await this.#ask(url, call);
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
      // There is a witness, so an object that knows nothing of shards is no reason to go on without one.
      if (answer === undefined) throw new Error("its object runs older code");
      this.#check();
      return answer;
    } catch (/** @type {any} */ error) {
      this.#check();
      throw new Error(
        `the witness of shard ${shard} of ${sequencer} does not answer: ${error.message}`,
      );
    }
  }
}
