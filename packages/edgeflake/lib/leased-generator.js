import { Asking, Holder } from "../dist/edgeflake_lease.js";
import { EdgeflakeError } from "./error.js";
import { shown } from "./options.js";
import { ofRealm } from "./realm.js";
import { byHttp, byObjects, reason } from "./transport.js";

/**
 * @import { Store } from "./store.js"
 * @import { ErrorCode } from "edgeflake"
 * @import { LeasedGeneratorOptions, LeaseState } from "edgeflake/lease"
 * @import { Delivery } from "../dist/edgeflake_lease.js"
 * @import { Authority } from "./transport.js"
 */

/** Most ids of a batch, as the Worker gives at once. */
const COUNT_MAX = 100_000;

// What a step comes to; these agree with lease/src/asking.rs.
const DONE = 0;
const SEND = -1;
const FAILED = -2;
const SEED = -3;
const WRITE = -4;

/**
 * How long an answer is waited for, in ms: by then no request waits for it, and the connection
 * would keep a process alive.
 */
const ANSWER_MAX_MS = 10_000;

/** Why a call is given up. */
const LATE = new Error("there was no answer in time");

/** Most shards of a sequencer: `BoundConfig::SHARDS_MAX` of the core. */
const SHARDS_MAX = 64;

/** What a name of a sequencer is. */
const NAME = /^[a-z0-9-]{1,63}$/;

/** Sees to it that a call outlives the request that found it due. @type {(call: Promise<void>) => void} */
let keep = () => {};

/** What keeps a lease over a restart, where there are files. @type {typeof Store | undefined} */
let KeptStore;

/**
 * Begins with what a platform has of its own.
 *
 * @param {{ waitUntil?: (call: Promise<void>) => void, Store?: typeof KeptStore }} platform
 */
export function begin({ waitUntil = keep, Store }) {
  keep = waitUntil;
  KeptStore = Store;
}

/**
 * What generators share: how many of them are not disposed of, how many requests wait, the calls that
 * are on their way, and why the newest call failed that did.
 *
 * @typedef {{
 *   holder: Holder, store: Store | undefined, generators?: number, waiting?: number,
 *   calls?: Set<AbortController>, cause?: unknown
 * }} Shared
 */

/** What generators of each authority share, by mode, sequencer and store. @type {WeakMap<object, Map<string, Shared>>} */
const ofBindings = new WeakMap();

/** The same of URLs. @type {Map<string, Map<string, Shared>>} */
const ofUrls = new Map();

/**
 * One holder an authority, sequencer, mode and store, for all generators of this memory.
 *
 * @param {Authority} authority
 * @param {string} sequencer
 * @param {boolean} prefetches
 * @param {string | undefined} path
 */
function sharedOf(authority, sequencer, prefetches, path) {
  const holders = typeof authority === "string" ? ofUrls : ofBindings;
  // Of one kind, as the authority is.
  const known = /** @type {Map<unknown, Map<string, Shared>>} */ (holders);
  const ofAuthority = known.get(authority) ?? new Map();
  known.set(authority, ofAuthority);
  const name = `${prefetches}/${sequencer}/${path ?? ""}`;
  let shared = ofAuthority.get(name);
  if (!shared) {
    shared =
      KeptStore && path !== undefined
        ? { holder: Holder.storing(), store: new KeptStore(path, `${authority}`, sequencer) }
        : { holder: new Holder(prefetches), store: undefined };
    ofAuthority.set(name, shared);
  }
  return shared;
}

/**
 * @typedef {{ generator: LeasedGenerator, token: string | undefined, shards: number }} SharedGenerator
 * @typedef {Map<string, SharedGenerator>} SharedGenerators by sequencer, mode and store
 */

/** The generators that all copies of this package in a realm share, by authority. */
const sharedInRealm = () =>
  ofRealm("leased-generators/1", () => ({
    /** @type {Map<unknown, SharedGenerators>} */
    ofUrls: new Map(),
    /** @type {WeakMap<object, SharedGenerators>} */
    ofBindings: new WeakMap(),
  }));

/**
 * @param {string} name
 * @param {unknown} value
 * @param {string} allowed
 */
function refused(name, value, allowed) {
  return new EdgeflakeError("invalid-option", `${name} is ${shown(value)}: ${allowed} allowed`);
}

/**
 * The authority that somebody gives; a URL without a slash at its end.
 *
 * @param {any} given
 * @returns {Authority}
 */
function authorityOf(given) {
  if (typeof given === "string" || given instanceof URL) {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url && /^https?:$/.test(url.protocol) && url.username + url.search + url.hash === "") {
      return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
    }
    // A password is not shown.
    throw refused(
      "authority",
      url?.username ? url.host : `${given}`,
      "http or https without a user name, query and fragment, such as https://ids.example.com, is",
    );
  }
  if (given?.fetch || given?.getByName) return given;
  throw refused("authority", given, "a URL, a namespace and a service are");
}

/**
 * The options that somebody gives, with those that are left out.
 *
 * @param {LeasedGeneratorOptions} options
 */
function checked(options) {
  /** @type {LeasedGeneratorOptions} */
  const {
    authority,
    token,
    sequencer = "default",
    shards = 1,
    mode = "lease",
    store,
    ...others
  } = Object(options);
  for (const name in others) {
    const allowed = "authority, token, sequencer, shards, mode and store are";
    throw refused("an option", name, allowed);
  }
  const found = authorityOf(authority);
  if (token !== undefined && typeof token !== "string") {
    throw refused("token", token, "a string is");
  }
  if (typeof sequencer !== "string" || !NAME.test(sequencer)) {
    throw refused("sequencer", sequencer, "1 to 63 of a-z, 0-9 and - are");
  }
  if (!(Number.isInteger(shards) && shards >= 1 && shards <= SHARDS_MAX)) {
    throw refused("shards", shards, `an integer of 1 to ${SHARDS_MAX} is`);
  }
  if (mode !== "lease" && mode !== "batch") throw refused("mode", mode, "lease and batch are");
  const isStorable = KeptStore && typeof found === "string" && mode === "lease";
  if (store !== undefined && !(isStorable && typeof store === "string" && store !== "")) {
    const allowed = "a path, in Node, Deno and Bun, with a URL and mode lease, is";
    throw refused("store", store, allowed);
  }
  return { authority: found, token, sequencer, shards, mode, store };
}

export class LeasedGenerator {
  #shared;
  #holder;
  #store;
  #transport;
  #shards;
  /** Why the authority let the newest call not in. @type {EdgeflakeError | undefined} */
  #denied;
  #isDisposed = false;
  /** Takes it out of those that the realm shares. @type {() => void} */
  #forget = () => {};
  /** An asking that is not in use. @type {Asking | undefined} */
  #spare;

  /** @param {LeasedGeneratorOptions} options */
  constructor(options) {
    const { authority, token, sequencer, shards, mode, store } = checked(options);
    const shared = sharedOf(authority, sequencer, mode === "batch", store);
    this.#shared = shared;
    this.#holder = shared.holder;
    this.#store = shared.store;
    this.#shards = shards;
    // The last one that was disposed of has detached it.
    shared.generators = (shared.generators ?? 0) + 1;
    if (shared.generators === 1) shared.holder.attach();
    this.#transport =
      typeof authority === "string" || "fetch" in authority
        ? byHttp(authority, sequencer, token)
        : byObjects(authority, sequencer);
  }

  /** @param {LeasedGeneratorOptions} options */
  static shared(options) {
    const { authority, token, sequencer, shards, mode, store } = checked(options);
    const { ofUrls, ofBindings } = sharedInRealm();
    // Of one kind, as the authority is.
    const owners = /** @type {Map<unknown, SharedGenerators>} */ (
      typeof authority === "string" ? ofUrls : ofBindings
    );
    const ofOwner = owners.get(authority) ?? new Map();
    const name = JSON.stringify([sequencer, mode, store]);
    const there = ofOwner.get(name);
    if (!there) {
      const generator = new LeasedGenerator(options);
      generator.#forget = () => ofOwner.delete(name);
      owners.set(authority, ofOwner.set(name, { generator, token, shards }));
      return generator;
    }
    const other = there.token !== token ? "token" : there.shards !== shards ? "shards" : undefined;
    if (other) {
      throw new EdgeflakeError(
        "invalid-option",
        `${other} is not what this generator was made with: give the same everywhere`,
      );
    }
    return there.generator;
  }

  async next() {
    const asking = await this.#ask(1);
    const id = asking.id();
    this.#end(asking);
    return id;
  }

  /** @param {number} count */
  async batch(count) {
    if (!(Number.isInteger(count) && count >= 1 && count <= COUNT_MAX)) {
      throw new EdgeflakeError(
        "invalid-number",
        `count is ${count}: an integer of 1 to ${COUNT_MAX} is allowed`,
      );
    }
    const asking = await this.#ask(count);
    const ids = asking.ids();
    this.#end(asking);
    return ids;
  }

  async detach() {
    const asking = this.#begin(0);
    this.#holder.detach();
    // A detached holder has nothing else to send.
    if (this.#step(asking) === SEND) {
      const sent = this.#send(asking);
      keep(sent);
      await sent;
    }
    this.#end(asking);
  }

  async attach() {
    this.#holder.attach();
  }

  get state() {
    return /** @type {LeaseState} */ (this.#holder.state());
  }

  get lease() {
    const span = this.#holder.span();
    if (!span) return undefined;
    const [node, fromTick, untilTick, incarnation] = span;
    return { node, fromTick, untilTick, incarnation };
  }

  get layout() {
    return this.#holder.layout();
  }

  async [Symbol.asyncDispose]() {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#forget();
    const left = Number(this.#shared.generators) - 1;
    this.#shared.generators = left;
    if (left === 0) await this.detach();
  }

  /**
   * An asking that has got its ids. In Workers no request may wait for what another one started: so
   * each has an asking and timers of its own, and awaits nothing else.
   *
   * @param {number} count
   */
  async #ask(count) {
    const asking = this.#begin(count);
    const shared = this.#shared;
    shared.waiting = (shared.waiting ?? 0) + 1;
    try {
      for (;;) {
        const ms = this.#step(asking);
        if (ms === DONE) return asking;
        if (ms === SEND) {
          keep(this.#send(asking));
        } else if (ms === FAILED) {
          throw this.#error(asking);
        } else if (this.#denied && this.state === "acquiring") {
          const { code, message } = this.#denied;
          throw new EdgeflakeError(code, message);
        } else {
          await new Promise((resolve) => setTimeout(resolve, ms));
          asking.fired(ms);
        }
      }
    } catch (error) {
      this.#end(asking);
      // The connection would keep a process alive. In Workers it is another request's.
      if (KeptStore && shared.waiting === 1)
        for (const call of shared.calls ?? []) call.abort(LATE);
      throw error;
    } finally {
      shared.waiting--;
    }
  }

  /** @param {number} count */
  #begin(count) {
    this.#store?.resume(this.#holder);
    const asking = this.#spare ?? new Asking();
    this.#spare = undefined;
    asking.begin(count);
    return asking;
  }

  /** @param {Asking} asking */
  #end(asking) {
    this.#spare?.free();
    this.#spare = asking;
  }

  /** @param {Asking} asking */
  #step(asking) {
    for (;;) {
      const ms = asking.step(this.#holder, Date.now());
      if (ms === SEED) {
        const [a, b, c, d] = crypto.getRandomValues(new BigUint64Array(4));
        asking.seed(a, b, c, d);
      } else if (ms === WRITE && this.#store) {
        this.#store.keep(this.#holder);
      } else {
        return ms;
      }
    }
  }

  /**
   * Sends what an asking found due, and gives the answer to the holder.
   *
   * @param {Asking} asking
   */
  async #send(asking) {
    const shared = this.#shared;
    this.#denied = undefined;
    const place = this.#transport.place?.();
    const delivery = /** @type {Delivery} */ (asking.call(this.#holder, place, this.#shards));
    for (;;) {
      const message = delivery.message();
      if (message === undefined) break;
      const call = new AbortController();
      const timer = setTimeout(() => call.abort(LATE), ANSWER_MAX_MS);
      shared.calls = (shared.calls ?? new Set()).add(call);
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
      if (!delivery.receive(answer) && answer !== undefined) {
        shared.cause = new Error(`it answered ${answer.slice(0, 200)}`);
      }
    }
    delivery.end(this.#holder, Date.now());
    delivery.free();
  }

  /** @param {Asking} asking */
  #error(asking) {
    const [code, message] = `${asking.error()}`.split("\n");
    const { cause } = this.#shared;
    const hasReason = code === "authority-unreachable" && cause;
    const text = hasReason ? `${message}: ${reason(cause)}` : message;
    const error = new EdgeflakeError(/** @type {ErrorCode} */ (code), text, asking.retryInMs());
    if (hasReason) error.cause = cause;
    return error;
  }
}
