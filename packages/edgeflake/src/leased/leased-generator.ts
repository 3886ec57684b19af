/// <reference lib="esnext.disposable" preserve="true" />

import { type Delivery, IdRequest } from "../edgeflake_lease.js";
import { EdgeflakeError } from "../error.js";
import type { Encoding, ErrorCode, LeaseState } from "../names.js";
import { integer } from "../number.js";
import { known } from "../options.js";
import type { Ids } from "../text/rows.js";
import { type NextId, writerIn } from "../text/text.js";
import type { Lease, LeaseStatistics, NamelessEvent } from "./lease.js";
import {
  checkCount,
  checked,
  type IdOptions,
  idOptions,
  type LeasedGeneratorOptions,
  signalOf,
  type WaitOptions,
} from "./lease-options.js";
import { misconfigured } from "./misconfigured.js";
import { sharedGenerator } from "./shared-generators.js";
import { KeptStore, keep, sharedHolder, variables } from "./shared-holder.js";
import { byHttp, byObjects, isNamespace, reason } from "./transport.js";

// The results of a step, unless it is a wait in ms; these agree with wasm/lease/src/id_request.rs.
const DONE = 0;
const SEND = -1;
const FAILED = -2;
const WRITE = -3;

/** The longest wait of a request, in ms: `REQUEST_WAIT_MAX_MS` of the core. */
const WAIT_MAX_MS = 5_000;

/**
 * The longest wait for an answer, in ms: by then no request waits for it, and the connection would
 * keep a process alive.
 */
const ANSWER_MAX_MS = 10_000;

/** The reason for which a call is aborted. */
const LATE = new Error("there was no answer in time");

/**
 * Issues ids from a leased node. Generators with the same authority (the same binding, or the same
 * URL), sequencer, mode, store, `bind` and prefetch options share one lease in a process or
 * isolate, at module scope or in a handler.
 *
 * ```js
 * import { LeasedGenerator } from "edgeflake/lease";
 *
 * const ids = new LeasedGenerator({
 *   authority: "https://ids.example.com",
 *   token: process.env.EDGEFLAKE_LEASE_TOKEN,
 *   encoding: "base62",
 * });
 * await ids.next(); // a string; a bigint without `encoding`
 * ```
 */
export class LeasedGenerator<E extends Encoding | undefined = undefined> {
  #shared;
  #holder;
  #store;
  #log;
  #transport;
  #sequencer;
  #shards;
  #onEvent;
  /** The encoding of `nextString`, unless a call names another. */
  #encoding: Encoding;
  /** Writes an id as `next` and `tryNext` return it. */
  #write;
  /** The reason why the authority did not let the newest call in. */
  #denied: EdgeflakeError | undefined;
  #isDisposed = false;
  /** Takes it out of the generators that the realm shares. */
  #forget: () => void = () => {};
  #spare: IdRequest | undefined;

  /**
   * The constructor sends nothing: the lease is acquired when the first id is asked for, or by
   * {@link ready}.
   *
   * @throws {EdgeflakeError} `invalid-option`, `unknown-encoding`; `invalid-configuration` for a
   * binding or variable
   */
  constructor(options: LeasedGeneratorOptions<E>) {
    const given = checked("new LeasedGenerator", options, Boolean(KeptStore), variables);
    const { authority, sequencer, token, encoding } = given;
    this.#encoding = encoding ?? "decimal";
    this.#write = writerIn(encoding as E);
    const shared = sharedHolder(given);
    this.#shared = shared;
    this.#holder = shared.holder;
    this.#store = shared.store;
    this.#log = shared.log;
    this.#sequencer = sequencer;
    this.#shards = given.shards;
    this.#onEvent = given.onEvent;
    // The last generator that was disposed of has detached it.
    shared.generators++;
    if (shared.generators === 1) shared.holder.attach();
    this.#transport = isNamespace(authority)
      ? byObjects(authority, sequencer)
      : byHttp(authority, sequencer, token);
  }

  /**
   * Returns the generator of this authority, sequencer, encoding, mode, store and prefetch options
   * in this process: the one that is there, or a new one. It is the same for all copies of this
   * package that a bundler makes, and after a dev server's reload. Give the same options
   * everywhere; of `onEvent`, the newest is called.
   *
   * @throws {EdgeflakeError} `invalid-option` when it was made with another token or number of
   * shards, and those of the constructor
   */
  static shared<E extends Encoding | undefined = undefined>(
    options: LeasedGeneratorOptions<E>,
  ): LeasedGenerator<E> {
    const given = checked("LeasedGenerator.shared", options, Boolean(KeptStore), variables);
    return sharedGenerator(given, (forget) => {
      const generator = new LeasedGenerator(options);
      generator.#forget = forget;
      return {
        generator,
        listen: (onEvent) => {
          generator.#onEvent = onEvent;
        },
        hasEnded: () => generator.#holder.hasEnded(),
      };
    });
  }

  /**
   * Returns the next id: in the generator's encoding, or as a bigint without one. Any number of
   * callers may wait at once: each gets an id of its own, in the order of their calls, and none
   * waits for a call that another one started. A wait is 5 s at most. Where a lease is held there
   * is none until the allowed future is used up; then it is as long as the layout's rate demands.
   *
   * @throws {EdgeflakeError}
   * - `authority-unreachable`, with the reason in its message; at once where it cannot get better,
   *   as with a redirect or with another server's 404, and after 5 s otherwise;
   * - `invalid-configuration` at once: the message says which variable, binding or migration of the
   *   authority's Worker to change;
   * - `exhausted` at once when the ids could not be there within 5 s; `no-node-free`,
   *   `batches-exhausted`, `overloaded`;
   * - `clock-disagreement` when the authority's clock is another; `clock-back`; `before-epoch`,
   *   `layout-ended`;
   * - `unknown-sequencer`, `sequencer-destroyed`, `other-incarnation`; `other-layout` with
   *   {@link LeasedGeneratorOptions.bind};
   * - `too-large` for a `tag` that is wider than the layout's tag fields;
   * - `unauthorized`, `forbidden` at once: the token may not lease;
   * - `detached`;
   * - with a `store`, `store-in-use`, `store-copied`, `store-unreadable`, and `store-failed` with
   *   the reason as its `cause`.
   *
   * `retryInMs` says when it is worth another try, and is undefined where it is not. A call also
   * rejects with the `reason` of an aborted `signal`, and `invalid-option` for an option of another
   * name.
   */
  async next(options?: IdOptions): Promise<NextId<E>> {
    return this.#write(this.#take(await this.#ask(1, idOptions("next", options))));
  }

  /**
   * Returns the next id as text. Without an encoding it is in that of the generator, or in decimal.
   *
   * @throws {EdgeflakeError} those of {@link next}; `unknown-encoding`, before an id is taken
   */
  async nextString(encoding: Encoding = this.#encoding, options?: IdOptions): Promise<string> {
    const given = idOptions("nextString", options);
    // An unknown encoding throws here, before an id is taken.
    const write = writerIn(encoding);
    return write(this.#take(await this.#ask(1, given)));
  }

  /**
   * Returns the next `count` ids, 1 to 100,000: all of them, or an error. Calls for up to 1,000 ids
   * never wait for larger ones. The ids that a call has taken when it is aborted are never issued.
   *
   * @throws {EdgeflakeError} those of {@link next}; `invalid-number`
   */
  async batch(count: number, options?: IdOptions): Promise<Ids> {
    checkCount(count);
    const request = await this.#ask(count, idOptions("batch", options));
    const ids = request.ids() as Ids;
    this.#log.stats.issued += count;
    this.#end(request);
    return ids;
  }

  /**
   * Returns the next id from memory, for code that cannot await, such as a column's default. It
   * never waits. If it finds no id, it has asked the authority in the background, as {@link next}
   * would (in Workers by `waitUntil`), and throws. `await ids.ready()` before you begin, and it
   * finds ids as long as the lease is renewed: each call renews it too, from half of its time on.
   *
   * It throws instead of returning `undefined`, because `undefined` as the id of a row is a row
   * without an id: SQLite would choose one of its own.
   *
   * With a `store`, it writes the file as {@link next} does, once a second of ids, before it
   * answers.
   *
   * ```js
   * id: text("id").primaryKey().$defaultFn(() => ids.tryNext()), // with `encoding: "base62"`
   * ```
   *
   * @throws {EdgeflakeError} `not-ready` while the first answer is on its way; `exhausted` with the
   * `retryInMs` after which there is an id; those of {@link next}
   */
  tryNext(options?: { tag?: number | undefined }): NextId<E> {
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
        // A request that has waited as long as it may fails with the reason.
        begin();
        request.fired(WAIT_MAX_MS);
        this.#advance(request);
      }
      return this.#write(this.#take(request));
    } catch (error) {
      this.#end(request);
      const { code, cause, retryInMs } = error as EdgeflakeError;
      if (code !== "authority-unreachable" || cause) throw error;
      throw new EdgeflakeError(
        "not-ready",
        "no id is in memory yet, and the authority was asked: await ready() first, or try again",
        retryInMs,
      );
    }
  }

  /**
   * Ends when ids are in memory, so that {@link tryNext} finds one; it acquires the lease at once
   * if there is none. It takes no id.
   *
   * @throws {EdgeflakeError} those of {@link next}
   */
  async ready(options?: WaitOptions): Promise<void> {
    this.#end(await this.#ask(0, { signal: signalOf("ready", options) }));
  }

  /**
   * Gives the lease back for all generators that share it, and issues nothing until
   * {@link attach}. The promise ends when the authority has answered, or when its time is up; the
   * authority frees the node by itself when the lease is over.
   *
   * @throws {EdgeflakeError} those of the `store`; the lease is then not given back
   */
  async detach(): Promise<void> {
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

  /**
   * Issues ids again, and acquires a lease at once: it ends as {@link ready} does. After an error
   * it is attached as well, and the next id that is asked for asks the authority again.
   *
   * @throws {EdgeflakeError} those of {@link next}
   */
  async attach(options?: WaitOptions): Promise<void> {
    const signal = signalOf("attach", options);
    this.#holder.attach();
    await this.ready(signal && { signal });
  }

  /** Returns its counts, together with those of all generators that share its lease. */
  stats(): LeaseStatistics {
    return { ...this.#log.stats };
  }

  /** The state of the holder. */
  get state(): LeaseState {
    return this.#holder.state() as LeaseState;
  }

  /** The span that ids come from, if there is one; with mode `batch` there is none. */
  get lease(): Lease | undefined {
    return this.#log.lease;
  }

  /**
   * The layout string of the sequencer, for `Layout.parse`; none before the authority has
   * answered for the first time.
   */
  get layout(): string | undefined {
    return this.#holder.layout();
  }

  /**
   * Gives the lease back as {@link detach} does, if no other generator shares it. A generator that
   * is created later acquires another lease.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#forget();
    this.#shared.generators--;
    if (this.#shared.generators === 0) await this.detach();
  }

  /**
   * Resolves with a request that has its ids. With `count` 0 it resolves as soon as an id is ready,
   * and takes none. In Workers, no call may await what another one started, so each has a request
   * and timers of its own.
   */
  async #ask(count: number, { signal, tag }: IdOptions) {
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
      // If this was the last request that waited, its call is aborted, because the connection would
      // keep the Node process alive. The call goes on in a Worker, where it may serve another
      // request, and if the caller aborted this request, because the next one can use its answer.
      if (KeptStore && shared.waiting === 1 && !signal?.aborted)
        for (const call of shared.calls) call.abort(LATE);
      throw error;
    } finally {
      shared.waiting--;
    }
  }

  #begin(count: number) {
    if (this.#store && !this.#store.isOpen) {
      this.#store.resume(this.#holder);
      this.#emit(this.#log.resumed());
    }
    const request = this.#spare ?? new IdRequest();
    this.#spare = undefined;
    request.begin(count);
    return request;
  }

  #end(request: IdRequest) {
    this.#spare?.free();
    this.#spare = request;
  }

  /** Returns the one id of a request, and ends the request. */
  #take(request: IdRequest) {
    const id = request.id();
    this.#log.stats.issued++;
    this.#end(request);
    return id;
  }

  /** Advances a request, and sends the messages that are due. Returns the ms to wait, or DONE. */
  #advance(request: IdRequest) {
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

  #step(request: IdRequest) {
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

  /** Sends the message that a request found due, and gives the answer to the holder. */
  async #send(request: IdRequest) {
    const shared = this.#shared;
    this.#denied = undefined;
    const startMs = Date.now();
    const place = this.#transport.place?.();
    const delivery = request.call(this.#holder, place, this.#shards) as Delivery;
    for (;;) {
      const message = delivery.message();
      if (message === undefined) break;
      const call = new AbortController();
      const timer = setTimeout(() => call.abort(LATE), ANSWER_MAX_MS);
      shared.calls.add(call);
      try {
        const answer = await this.#transport.send(message, delivery, call.signal);
        const isReadable = delivery.receive(answer);
        shared.cause = isReadable ? undefined : new Error(`it answered ${answer.slice(0, 200)}`);
      } catch (error) {
        const { overloaded } = error as { overloaded?: boolean };
        const mistake = delivery.fail(reason(error), Boolean(overloaded));
        shared.cause = mistake === undefined ? error : misconfigured(mistake);
        if (error instanceof EdgeflakeError) this.#denied = error;
      }
      clearTimeout(timer);
      shared.calls.delete(call);
    }
    const before = shared.log.lease;
    const outcome = delivery.end(this.#holder, Date.now());
    delivery.free();
    this.#emit(shared.log.received(outcome, before, Math.max(0, Date.now() - startMs)));
  }

  #emit(event: NamelessEvent | undefined) {
    if (!event) return;
    try {
      this.#onEvent?.({ ...event, sequencer: this.#sequencer });
    } catch (error) {
      // It is an error of the listener, and no id may be missing because of it.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #error(request: IdRequest) {
    const [code, message] = [request.errorCode(), request.errorMessage(this.#sequencer)];
    const { cause } = this.#shared;
    if (code === "invalid-configuration" && cause) {
      return new EdgeflakeError(code, reason(cause));
    }
    const hasReason = code === "authority-unreachable" && cause;
    let text = hasReason ? `${message}: ${reason(cause)}` : `${message}`;
    if (code === "other-layout") text += `, ${this.layout}`;
    const error = new EdgeflakeError(code as ErrorCode, text, request.retryInMs());
    if (hasReason) error.cause = cause;
    return error;
  }
}

/** Resolves after `ms`; rejects with the signal's reason when it aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
