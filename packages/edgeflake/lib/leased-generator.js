import { Asking, Holder } from "../dist/edgeflake_lease.js";
import { EdgeflakeError } from "./error.js";
import { ofRealm } from "./realm.js";
import { byHttp, byObjects } from "./transport.js";

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

/** @typedef {{ holder: Holder, store: Store | undefined }} Shared */

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

/** @param {string} message */
function refused(message) {
  return new EdgeflakeError("invalid-option", message);
}

export class LeasedGenerator {
  #holder;
  #store;
  #transport;
  #shards;
  /** An asking that nobody uses. @type {Asking | undefined} */
  #spare;
  /** Why the newest call failed that did. @type {unknown} */
  #cause;
  /** Why the authority let the newest call not in. @type {EdgeflakeError | undefined} */
  #denied;

  /** @param {LeasedGeneratorOptions} options */
  constructor({ authority, token, sequencer = "default", shards = 1, mode = "lease", store }) {
    if (typeof authority !== "string" && Object(authority) !== authority) {
      throw refused(`authority is ${authority}: a URL, a namespace and a service are allowed`);
    }
    if (!NAME.test(sequencer)) {
      throw refused(`sequencer is "${sequencer}": 1 to 63 of a-z, 0-9 and - are allowed`);
    }
    if (!(Number.isInteger(shards) && shards >= 1 && shards <= SHARDS_MAX)) {
      throw refused(`shards is ${shards}: an integer of 1 to ${SHARDS_MAX} is allowed`);
    }
    if (mode !== "lease" && mode !== "batch") {
      throw refused(`mode is ${mode}: lease and batch are allowed`);
    }
    const isStorable = KeptStore && typeof authority === "string" && mode === "lease";
    if (store !== undefined && !(isStorable && typeof store === "string" && store !== "")) {
      throw refused(
        `store is ${store}: a path, in Node, Deno and Bun, with a URL and mode lease, is allowed`,
      );
    }
    const found = typeof authority === "string" ? authority.replace(/\/+$/, "") : authority;
    const shared = sharedOf(found, sequencer, mode === "batch", store);
    this.#holder = shared.holder;
    this.#store = shared.store;
    this.#shards = shards;
    this.#transport =
      typeof found === "string" || "fetch" in found
        ? byHttp(found, sequencer, token)
        : byObjects(found, sequencer);
  }

  /** @param {LeasedGeneratorOptions} options */
  static shared(options) {
    const { authority, token, sequencer = "default", shards = 1, mode = "lease", store } = options;
    const { ofUrls, ofBindings } = sharedInRealm();
    const isBinding = Object(authority) === authority && !(authority instanceof URL);
    const owner = isBinding ? authority : `${authority}`.replace(/\/+$/, "");
    /** @type {Map<unknown, SharedGenerators>} */
    const owners = isBinding ? /** @type {any} */ (ofBindings) : ofUrls;
    const ofOwner = owners.get(owner) ?? new Map();
    const name = JSON.stringify([sequencer, mode, store]);
    const there = ofOwner.get(name);
    if (!there) {
      // Only what was made is kept, so what is refused is refused again.
      const generator = new LeasedGenerator(options);
      owners.set(owner, ofOwner.set(name, { generator, token, shards }));
      return generator;
    }
    const other = there.token !== token ? "token" : there.shards !== shards ? "shards" : undefined;
    if (other) {
      throw refused(`${other} is not what this generator was made with: give the same everywhere`);
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

  [Symbol.asyncDispose]() {
    return this.detach();
  }

  /**
   * An asking that has got its ids. In Workers no request may wait for what another one started: so
   * each has an asking and timers of its own, and awaits nothing else.
   *
   * @param {number} count
   */
  async #ask(count) {
    const asking = this.#begin(count);
    for (;;) {
      const ms = this.#step(asking);
      if (ms === DONE) return asking;
      if (ms === SEND) {
        keep(this.#send(asking));
      } else if (ms === FAILED) {
        const error = this.#error(asking);
        this.#end(asking);
        throw error;
      } else if (this.#denied && this.state === "acquiring") {
        this.#end(asking);
        const { code, message } = this.#denied;
        throw new EdgeflakeError(code, message);
      } else {
        await new Promise((resolve) => setTimeout(resolve, ms));
        asking.fired(ms);
      }
    }
  }

  /** @param {number} count */
  #begin(count) {
    if (this.#store && !this.#store.isOpen) {
      const record = this.#store.open();
      const [random] = crypto.getRandomValues(new BigUint64Array(1));
      if (record) this.#holder.resume(record, random);
    }
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
        this.#write(this.#store);
      } else {
        return ms;
      }
    }
  }

  /** @param {Store} store */
  #write(store) {
    try {
      store.write(this.#holder.record(Date.now()));
      this.#holder.written();
    } finally {
      if (store.isLost) this.#holder.lose();
    }
  }

  /**
   * Sends what an asking found due, and gives the answer to the holder.
   *
   * @param {Asking} asking
   */
  async #send(asking) {
    this.#denied = undefined;
    const place = this.#transport.place?.();
    const delivery = /** @type {Delivery} */ (asking.call(this.#holder, place, this.#shards));
    for (;;) {
      const message = delivery.message();
      if (message === undefined) break;
      /** @type {string | undefined} */
      let answer;
      try {
        answer = await this.#transport.send(message, delivery.shard(), delivery.tries());
      } catch (error) {
        this.#cause = error;
        if (error instanceof EdgeflakeError) this.#denied = error;
      }
      if (!delivery.receive(answer) && answer !== undefined) {
        this.#cause = new Error(`the authority answered ${answer.slice(0, 200)}`);
      }
    }
    delivery.end(this.#holder, Date.now());
    delivery.free();
  }

  /** @param {Asking} asking */
  #error(asking) {
    const [code, message] = `${asking.error()}`.split("\n");
    const error = new EdgeflakeError(/** @type {ErrorCode} */ (code), message, asking.retryInMs());
    if (code === "authority-unreachable") error.cause = this.#cause;
    return error;
  }
}
