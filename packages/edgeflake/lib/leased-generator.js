import { encode, encodingName, IdRequest } from "../dist/edgeflake_lease.js";
import { EdgeflakeError } from "./error.js";
import { checkCount, checked, idOptions, signalOf } from "./lease-options.js";
import { integer } from "./number.js";
import { known, shown } from "./options.js";
import { sharedGenerator } from "./shared-generators.js";
import { KeptStore, keep, sharedHolder, variables } from "./shared-holder.js";
import { byHttp, byObjects, isNamespace, reason } from "./transport.js";

/**
 * @import { Encoding, ErrorCode } from "edgeflake"
 * @import { IdOptions, LeasedGeneratorOptions, LeaseState, WaitOptions } from "edgeflake/lease"
 * @import { Delivery } from "../dist/edgeflake_lease.js"
 * @import { LeaseLog } from "./lease-log.js"
 */

// What a step comes to; these agree with lease/src/id_request.rs.
const DONE = 0;
const SEND = -1;
const FAILED = -2;
const WRITE = -3;

/** The longest wait of a request, in ms: `REQUEST_WAIT_MAX_MS` of the core. */
const WAIT_MAX_MS = 5_000;

/**
 * How long an answer is waited for, in ms: by then no request waits for it, and the connection
 * would keep a process alive.
 */
const ANSWER_MAX_MS = 10_000;

/** Why a call is given up. */
const LATE = new Error("there was no answer in time");

/** The encodings, by their numbers in the module. @type {string[]} */
const encodings = [];

/** @param {string} encoding */
function encodingNumber(encoding) {
  if (encodings.length === 0) {
    for (let name = encodingName(0); name; name = encodingName(encodings.length)) {
      encodings.push(name);
    }
  }
  const number = encodings.indexOf(encoding);
  if (number >= 0) return number;
  throw new EdgeflakeError(
    "unknown-encoding",
    `nextString got ${shown(encoding)}: ${encodings.join(", ")} are allowed`,
  );
}

export class LeasedGenerator {
  #shared;
  #holder;
  #store;
  #log;
  #transport;
  #sequencer;
  #shards;
  #onEvent;
  /** Why the authority let the newest call not in. @type {EdgeflakeError | undefined} */
  #denied;
  #isDisposed = false;
  /** Takes it out of those that the realm shares. @type {() => void} */
  #forget = () => {};
  /** A request that is not in use. @type {IdRequest | undefined} */
  #spare;

  /** @param {LeasedGeneratorOptions} options */
  constructor(options) {
    const given = checked("new LeasedGenerator", options, Boolean(KeptStore), variables);
    const { authority, sequencer, token } = given;
    const shared = sharedHolder(given);
    this.#shared = shared;
    this.#holder = shared.holder;
    this.#store = shared.store;
    this.#log = shared.log;
    this.#sequencer = sequencer;
    this.#shards = given.shards;
    this.#onEvent = given.onEvent;
    // The last one that was disposed of has detached it.
    shared.generators++;
    if (shared.generators === 1) shared.holder.attach();
    this.#transport = isNamespace(authority)
      ? byObjects(authority, sequencer)
      : byHttp(authority, sequencer, token);
  }

  /** @param {LeasedGeneratorOptions} options */
  static shared(options) {
    const given = checked("LeasedGenerator.shared", options, Boolean(KeptStore), variables);
    return sharedGenerator(given, (forget) => {
      const generator = new LeasedGenerator(options);
      generator.#forget = forget;
      const listen = (/** @type {LeasedGeneratorOptions["onEvent"]} */ onEvent) => {
        generator.#onEvent = onEvent;
      };
      return { generator, listen, hasEnded: () => generator.#holder.hasEnded() };
    });
  }

  /** @param {IdOptions} [options] */
  async next(options) {
    return this.#take(await this.#ask(1, idOptions("next", options)));
  }

  /**
   * @param {Encoding} [encoding]
   * @param {IdOptions} [options]
   */
  async nextString(encoding = "decimal", options) {
    const given = idOptions("nextString", options);
    // Before an id is taken.
    const number = encodingNumber(encoding);
    const id = this.#take(await this.#ask(1, given));
    return /** @type {string} */ (encode(id, number));
  }

  /**
   * @param {number} count
   * @param {IdOptions} [options]
   */
  async batch(count, options) {
    checkCount(count);
    const request = await this.#ask(count, idOptions("batch", options));
    const ids = request.ids();
    this.#log.stats.issued += count;
    this.#end(request);
    return ids;
  }

  /** @param {{ tag?: number | undefined }} [options] */
  tryNext(options) {
    const { tag = 0 } = known("tryNext", options ?? {}, ["tag"]);
    const number = integer("tag", tag);
    const request = this.#begin(1);
    const begin = () => {
      request.beginNow();
      request.tag(number);
    };
    begin();
    try {
      const ms = this.#advance(request);
      if (ms !== DONE) {
        this.#emit(this.#log.waits(ms));
        // Asked as by a request that has waited as long as it may, it fails, and says why.
        begin();
        request.fired(WAIT_MAX_MS);
        this.#advance(request);
      }
      return this.#take(request);
    } catch (error) {
      this.#end(request);
      const { code, cause, retryInMs } = /** @type {EdgeflakeError} */ (error);
      if (code !== "authority-unreachable" || cause) throw error;
      throw new EdgeflakeError(
        "not-ready",
        "no id is in memory yet, and the authority was asked: await ready() first, or try again",
        retryInMs,
      );
    }
  }

  /** @param {WaitOptions} [options] */
  async ready(options) {
    this.#end(await this.#ask(0, { signal: signalOf("ready", options) }));
  }

  async detach() {
    const request = this.#begin(0);
    this.#holder.detach();
    // A detached holder has nothing else to send.
    if (this.#step(request) === SEND) {
      const sent = this.#send(request);
      keep(sent);
      await sent;
    }
    this.#end(request);
  }

  /** @param {WaitOptions} [options] */
  async attach(options) {
    const signal = signalOf("attach", options);
    this.#holder.attach();
    await this.ready(signal && { signal });
  }

  stats() {
    return { ...this.#log.stats };
  }

  get state() {
    return /** @type {LeaseState} */ (this.#holder.state());
  }

  get lease() {
    return this.#log.lease;
  }

  get layout() {
    return this.#holder.layout();
  }

  async [Symbol.asyncDispose]() {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#forget();
    this.#shared.generators--;
    if (this.#shared.generators === 0) await this.detach();
  }

  /**
   * A request that has got its ids; with a count of 0, once there is one, which it leaves there. In
   * Workers no request may wait for what another one started: so each has an request and timers of
   * its own, and awaits nothing else.
   *
   * @param {number} count
   * @param {{ signal?: AbortSignal | undefined, tag?: number | undefined }} options
   */
  async #ask(count, { signal, tag }) {
    signal?.throwIfAborted();
    const request = this.#begin(count);
    if (tag !== undefined) request.tag(tag);
    const shared = this.#shared;
    if (count === 0) request.look();
    shared.waiting++;
    try {
      for (let isFirst = true; ; isFirst = false) {
        const ms = this.#advance(request);
        if (ms === DONE) return request;
        if (isFirst) this.#emit(this.#log.waits(ms));
        await pause(ms, signal);
        request.fired(ms);
      }
    } catch (error) {
      this.#end(request);
      // The connection would keep a process alive. In Workers it is another request's; and where
      // this one was aborted, the next one is served by the call that it made.
      if (KeptStore && shared.waiting === 1 && !signal?.aborted)
        for (const call of shared.calls) call.abort(LATE);
      throw error;
    } finally {
      shared.waiting--;
    }
  }

  /** @param {number} count */
  #begin(count) {
    if (this.#store && !this.#store.isOpen) {
      this.#store.resume(this.#holder);
      this.#emit(this.#log.resumed());
    }
    const request = this.#spare ?? new IdRequest();
    this.#spare = undefined;
    request.begin(count);
    return request;
  }

  /** @param {IdRequest} request */
  #end(request) {
    this.#spare?.free();
    this.#spare = request;
  }

  /** The one id of an request, which ends. @param {IdRequest} request */
  #take(request) {
    const id = request.id();
    this.#log.stats.issued++;
    this.#end(request);
    return id;
  }

  /**
   * Steps an request, and sends what it finds due, until it is done or has to wait so many ms.
   *
   * @param {IdRequest} request
   */
  #advance(request) {
    for (;;) {
      const ms = this.#step(request);
      if (ms === SEND) {
        keep(this.#send(request));
      } else if (ms === FAILED) {
        throw this.#error(request);
      } else if (ms !== DONE && this.#denied && this.state === "acquiring") {
        const { code, message } = this.#denied;
        throw new EdgeflakeError(code, message);
      } else {
        return ms;
      }
    }
  }

  /** @param {IdRequest} request */
  #step(request) {
    for (;;) {
      const ms = request.step(this.#holder, this.#log.now());
      if (ms === WRITE && this.#store) {
        const { lease } = this.#log;
        try {
          this.#store.keep(this.#holder);
        } finally {
          if (this.#store.isLost) this.#emit(this.#log.lost(lease, "store-in-use"));
        }
      } else {
        return ms;
      }
    }
  }

  /**
   * Sends what an request found due, and gives the answer to the holder.
   *
   * @param {IdRequest} request
   */
  async #send(request) {
    const shared = this.#shared;
    this.#denied = undefined;
    const startMs = Date.now();
    const place = this.#transport.place?.();
    const delivery = /** @type {Delivery} */ (request.call(this.#holder, place, this.#shards));
    for (;;) {
      const message = delivery.message();
      if (message === undefined) break;
      const call = new AbortController();
      const timer = setTimeout(() => call.abort(LATE), ANSWER_MAX_MS);
      shared.calls.add(call);
      /** @type {string | undefined} */
      let answer;
      try {
        const [shard, tries] = [delivery.shard(), delivery.tries()];
        answer = await this.#transport.send(message, shard, tries, call.signal, delivery.hint());
      } catch (error) {
        shared.cause = error;
        if (error instanceof EdgeflakeError) this.#denied = error;
      }
      clearTimeout(timer);
      shared.calls.delete(call);
      const isReadable = delivery.receive(answer);
      if (answer !== undefined) {
        shared.cause = isReadable ? undefined : new Error(`it answered ${answer.slice(0, 200)}`);
      }
    }
    const before = shared.log.lease;
    const outcome = delivery.end(this.#holder, Date.now());
    delivery.free();
    this.#emit(shared.log.received(outcome, before, Math.max(0, Date.now() - startMs)));
  }

  /** @param {ReturnType<LeaseLog["waits"]>} event */
  #emit(event) {
    if (!event) return;
    try {
      this.#onEvent?.({ ...event, sequencer: this.#sequencer });
    } catch (error) {
      // It is the listener's own, and no id may be missing for it.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** @param {IdRequest} request */
  #error(request) {
    const [code, message] = [request.errorCode(), request.errorMessage()];
    const { cause } = this.#shared;
    const hasReason = code === "authority-unreachable" && cause;
    let text = hasReason ? `${message}: ${reason(cause)}` : `${message}`;
    if (code === "other-layout") text += `, ${this.layout}`;
    const error = new EdgeflakeError(/** @type {ErrorCode} */ (code), text, request.retryInMs());
    if (hasReason) error.cause = cause;
    return error;
  }
}

/**
 * A timer of so many ms, which a signal ends with its reason.
 *
 * @param {number} ms
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<void>}
 */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
