/// <reference lib="esnext.disposable" preserve="true" />

import { type Delivery, IdRequest } from "../edgeflake_lease.js";
import { EdgeflakeError } from "../error.js";
import type { Encoding, ErrorCode, LeaseState } from "../names.js";
import { integer, known } from "../options.js";
import type { Ids } from "../text/rows.js";
import { type NextId, writerIn } from "../text/text.js";
import type { Lease, LeaseStatistics, NamelessEvent } from "./lease-log.js";
import type { IdOptions, LeasedGeneratorOptions, WaitOptions } from "./lease-options.js";
import { checkCount, checked, idOptions, misconfigured, signalOf } from "./lease-options.js";
import { sharedGenerator } from "./shared-generators.js";
import { platform, sharedHolder } from "./shared-holder.js";
import { byHttp, byObjects, isNamespace, reason } from "./transport.js";

// Results of `IdRequest.step`; a positive result is a wait in ms. See wasm/lease/src/id_request.rs.
const DONE = 0;
const SEND = -1;
const FAILED = -2;
const WRITE = -3;

/** The longest wait of a request, in ms; equals `Wait::MAX_MS` of the Rust core. */
const WAIT_MAX_MS = 5_000;

/** The longest wait for the authority's answer, in ms. After this time no request waits for it. */
const ANSWER_MAX_MS = 10_000;

/** The abort reason of a call to the authority that got no answer in time. */
const LATE = new Error("there was no answer in time");

/**
 * Issues ids from a leased node. In a process or isolate, all generators with the same authority
 * (the same binding, or the same URL), sequencer, mode, store, `bind` and prefetch options share
 * one lease.
 *
 * ```js
 * import { LeasedGenerator } from "edgeflake/lease";
 *
 * const token = process.env.EDGEFLAKE_LEASE_TOKEN;
 * const ids = new LeasedGenerator({ authority: "https://ids.example.com", token });
 * await ids.next(); // a bigint, or a string if you set the option `encoding`
 * ```
 */
export class LeasedGenerator<E extends Encoding | undefined = undefined> {
  #shared;
  #transport;
  #shards;
  #onEvent;
  #encoding: Encoding;
  /** Converts an id to the type that `next` and `tryNext` return. */
  #write;
  /** The error of the newest call to the authority if no retry can help, such as `unauthorized`. */
  #denied: EdgeflakeError | undefined;
  #isDisposed = false;
  /** Removes this generator from the generators that `LeasedGenerator.shared` returns. */
  #forget: () => void = () => {};
  #spare: IdRequest | undefined;

  /**
   * The constructor sends nothing to the authority. The first call for an id, or the first call of
   * {@link ready}, acquires the lease.
   *
   * @throws {EdgeflakeError} `invalid-option`, `unknown-encoding`; `invalid-configuration` when a
   * binding or variable of this Worker is wrong
   */
  constructor(options: LeasedGeneratorOptions<E>) {
    const given = checked("new LeasedGenerator", options, platform);
    const { authority, sequencer, token, encoding } = given;
    this.#encoding = encoding ?? "decimal";
    this.#write = writerIn(encoding as E);
    const shared = sharedHolder(given);
    this.#shared = shared;
    this.#shards = given.shards;
    this.#onEvent = given.onEvent;
    // Disposing of a holder's last generator detaches the holder, so a new generator attaches it.
    shared.generators++;
    if (shared.generators === 1) shared.holder.attach();
    this.#transport = isNamespace(authority)
      ? byObjects(authority, sequencer)
      : byHttp(authority, sequencer, token);
  }

  /**
   * Returns the one generator that this process has for these options; the first call creates it.
   * A call with another `token` or number of `shards` is refused. The `onEvent` of the newest call
   * replaces the earlier ones, also if it is left out. A call with another value of any other
   * option returns another generator. If a bundler or a dev server loads several copies of this
   * package, these copies share the generator.
   *
   * @throws {EdgeflakeError} `invalid-option` when the generator was created with another token or
   * number of shards; the errors of the constructor
   */
  static shared<E extends Encoding | undefined = undefined>(
    options: LeasedGeneratorOptions<E>,
  ): LeasedGenerator<E> {
    const given = checked("LeasedGenerator.shared", options, platform);
    return sharedGenerator(given, (forget) => {
      const generator = new LeasedGenerator(options);
      generator.#forget = forget;
      return {
        generator,
        listen: (onEvent) => {
          generator.#onEvent = onEvent;
        },
        hasEnded: () => generator.#shared.holder.hasEnded(),
      };
    });
  }

  /**
   * Returns the next id, in the generator's encoding or, without an encoding, as a bigint. Calls
   * that wait at the same time get different ids, in the order of the calls. A call waits at most
   * 5 s. While a lease is held, a call waits only if ids were already issued as far ahead of the
   * clock as is allowed.
   *
   * @throws {EdgeflakeError} an error whose `retryInMs` says when to try again, and is undefined if
   * a retry does not help:
   * - `authority-unreachable`, with the reason in its message: at once when a retry cannot help,
   *   for example after a redirect or another server's 404, and otherwise after 5 s;
   * - `invalid-configuration` at once: the message says which variable, binding or migration of the
   *   authority's Worker to change;
   * - `exhausted` at once when the ids cannot be issued within 5 s; `no-node-free`,
   *   `batches-exhausted`, `overloaded`;
   * - `clock-disagreement` when the clocks here and at the authority differ too much; `clock-back`;
   *   `before-epoch`, `layout-ended`;
   * - `unknown-sequencer`, `sequencer-destroyed`, `other-incarnation`; `other-layout` with
   *   {@link LeasedGeneratorOptions.bind};
   * - `too-large` for a `tag` that is wider than the layout's tag fields; `invalid-option`;
   * - `unauthorized`, `forbidden` at once: the token does not permit leasing;
   * - `detached` after {@link detach};
   * - with a `store`, `store-in-use`, `store-copied`, `store-unreadable`, and `store-failed` with
   *   the reason as its `cause`.
   */
  async next(options?: IdOptions): Promise<NextId<E>> {
    return this.#write(this.#take(await this.#ask(1, idOptions("next", options))));
  }

  /**
   * Returns the next id as a string. Default encoding: the generator's or, without one, decimal.
   *
   * @throws {EdgeflakeError} the errors of {@link next}; `unknown-encoding`, before an id is taken
   */
  async nextString(encoding: Encoding = this.#encoding, options?: IdOptions): Promise<string> {
    const given = idOptions("nextString", options);
    const write = writerIn(encoding);
    return write(this.#take(await this.#ask(1, given)));
  }

  /**
   * Returns the next `count` ids (1 to 100,000), and never fewer. Calls for up to 1,000 ids do not
   * wait for larger calls.
   *
   * @throws {EdgeflakeError} the errors of {@link next}; `invalid-number`
   */
  async batch(count: number, options?: IdOptions): Promise<Ids> {
    checkCount(count);
    const request = await this.#ask(count, idOptions("batch", options));
    const ids = request.ids() as Ids;
    this.#shared.log.stats.issued += count;
    this.#end(request);
    return ids;
  }

  /**
   * Returns the next id from memory, for code that cannot await, such as a column's default. If no
   * id can be issued now, `tryNext` throws. If the authority can help, `tryNext` also calls the
   * authority in the background (in Workers by `waitUntil`). Call `await ids.ready()` once before
   * the first `tryNext`. When between 1/2 and 5/8 of the lease time is over, the next call renews
   * the lease in the background. With a `store`, {@link next} and `tryNext` sometimes write the file
   * synchronously; each write reserves the ids of one second.
   *
   * ```js
   * id: text("id").primaryKey().$defaultFn(() => ids.tryNext()), // with `encoding: "base62"`
   * ```
   *
   * @throws {EdgeflakeError} `not-ready` until the authority has answered; `exhausted`, whose
   * `retryInMs` says when there will be an id; the errors of {@link next}
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
        this.#emit(this.#shared.log.waits(ms));
        // Pretend that the longest wait is over: the request then fails, and tells the reason.
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
        "no id is in memory yet, but a lease was requested: await ready() first, or try again",
        retryInMs,
      );
    }
  }

  /**
   * Resolves as soon as {@link tryNext} can issue an id, but takes no id. If there is no lease,
   * acquires one at once.
   *
   * @throws {EdgeflakeError} the errors of {@link next}
   */
  async ready(options?: WaitOptions): Promise<void> {
    this.#end(await this.#ask(0, { signal: signalOf("ready", options) }));
  }

  /**
   * Gives the lease back for all generators that share this lease. These generators issue no ids
   * until {@link attach}. Resolves when the authority has answered, or when the call has failed
   * (after 10 s at most). If the call failed, the authority frees the node when the lease ends.
   *
   * @throws {EdgeflakeError} the errors of the `store`; the lease is then not given back
   */
  async detach(): Promise<void> {
    const request = this.#begin(0);
    this.#shared.holder.detach();
    // The only message that can be due now is the release of the lease.
    if (this.#step(request) === SEND) {
      const sent = this.#send(request);
      platform.waitUntil?.(sent);
      await sent;
    }
    this.#end(request);
  }

  /**
   * Allows ids again after {@link detach}, and then waits for an id as {@link ready} does. If the
   * wait fails, ids stay allowed, and the next call asks the authority again.
   *
   * @throws {EdgeflakeError} the errors of {@link next}
   */
  async attach(options?: WaitOptions): Promise<void> {
    const signal = signalOf("attach", options);
    this.#shared.holder.attach();
    await this.ready(signal && { signal });
  }

  /** Returns the total counts of all generators that share this generator's lease. */
  stats(): LeaseStatistics {
    return { ...this.#shared.log.stats };
  }

  /** The state of the lease, such as `acquiring`, `attached` or `detached`. */
  get state(): LeaseState {
    return this.#shared.holder.state() as LeaseState;
  }

  /** The lease from which ids are issued; undefined if there is none, as in mode `batch`. */
  get lease(): Lease | undefined {
    return this.#shared.log.lease;
  }

  /** The sequencer's layout string; undefined until the authority or the `store` has told it. */
  get layout(): string | undefined {
    return this.#shared.holder.layout();
  }

  /**
   * Disposes of this generator. When all generators of a lease are disposed of, the lease is given
   * back, as {@link detach} does.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#forget();
    this.#shared.generators--;
    if (this.#shared.generators === 0) await this.detach();
  }

  /**
   * Resolves with a request that has its ids. With `count` 0, resolves as soon as an id is ready,
   * and takes no id. Each call has a request and timers of its own, because in Workers an incoming
   * request must not await a promise that another incoming request has started.
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
        if (isFirst) this.#emit(shared.log.waits(ms));
        await pause(ms, signal);
        request.fired(ms);
      }
    } catch (error) {
      request.cancel(shared.holder);
      this.#end(request);
      // Abort calls to the authority whose answers no request waits for, because open connections
      // keep the process alive. Abort none in Workers, where a call may belong to another incoming
      // request, and none if the caller aborted this request: the next request gets their answers.
      if (platform.Store && shared.waiting === 1 && !signal?.aborted)
        for (const call of shared.calls) call.abort(LATE);
      throw error;
    } finally {
      shared.waiting--;
    }
  }

  #begin(count: number) {
    const { store, holder, log } = this.#shared;
    if (store && !store.isOpen) {
      store.resume(holder);
      const { lease } = log;
      this.#emit(lease && { type: "acquired", lease, resumed: true, tookMs: 0 });
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

  /** Returns the id of a request for one id, and ends the request. */
  #take(request: IdRequest) {
    const id = request.id();
    this.#shared.log.stats.issued++;
    this.#end(request);
    return id;
  }

  /** Steps a request, and sends its messages. Returns `DONE` or the ms to wait, or throws. */
  #advance(request: IdRequest) {
    for (;;) {
      const ms = this.#step(request);
      if (ms === SEND) {
        const sent = this.#send(request);
        platform.waitUntil?.(sent);
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
    const { store, holder, log } = this.#shared;
    for (;;) {
      const ms = request.step(holder, log.now());
      if (ms !== WRITE || !store) return ms;
      const { lease } = log;
      try {
        store.keep(holder);
      } finally {
        if (store.isLost) this.#emit(log.lost(lease, "store-in-use"));
      }
    }
  }

  /** Calls the authority after a `step` that returned `SEND`; passes the answer to the holder. */
  async #send(request: IdRequest) {
    const shared = this.#shared;
    this.#denied = undefined;
    const startMs = Date.now();
    const place = this.#transport.place?.();
    const delivery = request.call(shared.holder, place, this.#shards) as Delivery;
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
    const outcome = delivery.end(shared.holder, Date.now());
    delivery.free();
    this.#emit(shared.log.received(outcome, before, Math.max(0, Date.now() - startMs)));
  }

  #emit(event: NamelessEvent | undefined) {
    if (!event) return;
    try {
      this.#onEvent?.({ ...event, sequencer: this.#shared.sequencer });
    } catch (error) {
      // The listener's error must not fail the request, so throw it outside of the request.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #error(request: IdRequest) {
    const [code, message] = [request.errorCode(), request.errorMessage(this.#shared.sequencer)];
    const { cause } = this.#shared;
    if (code === "invalid-configuration" && cause) return new EdgeflakeError(code, reason(cause));
    const hasReason = code === "authority-unreachable" && cause;
    let text = hasReason ? `${message}: ${reason(cause)}` : `${message}`;
    if (code === "other-layout") text += `, ${this.layout}`;
    const error = new EdgeflakeError(code as ErrorCode, text, request.retryInMs());
    if (hasReason) error.cause = cause;
    return error;
  }
}

/** Resolves after `ms`; rejects with the signal's reason when the signal aborts. */
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
