// A simulated world, drawn from one seed: processes of the shipped package, and the faults of their
// disk, network and clocks. The authority never grants a node twice, so an id that comes twice is
// the fault of the package. tests/world has the faults of authorities.

import { Layout } from "edgeflake";
import { DIRECTORY, Disk, failure } from "./disk.js";
import { startPackage } from "./modules.js";
import { Random } from "./random.js";
import { Timeline, Timers } from "./timeline.js";

/** @import { Tally } from "./simulate.js" */

/**
 * @typedef {object} Process
 * @property {string} pid
 * @property {string | undefined} store
 * @property {import("edgeflake/lease").LeasedGenerator} generator
 * @property {boolean} isDead
 * @property {boolean} hasResumed whether it has resumed a stored lease
 * @property {number} clockErrorMs
 */

const START_MS = 1_790_000_000_000;
const LENGTH_MS = 20_000;

/** The longest time that a message or a reply takes, and that a late one takes, in ms. */
const FAST_MS = 20;
const LATE_MS = 30_000;

/** The time from the last fault until everything must work again, in ms. */
const CALM_MS = 90_000;

/** The longest time until an answer while there are no faults, in ms. */
const ANSWER_MS = 10_000;

/** The errors that users of the package get while there are faults. */
const EXPECTED = new Set(
  `authority-unreachable clock-back detached exhausted not-ready overloaded store-failed store-in-use
  store-unreadable span-ended before-epoch`.split(/\s+/),
);

/** The error that ends a process in the middle of a call. */
const KILLED = new Error("the process was killed");

/** Draws the settings of a world. @param {Random} random */
const drawSettings = (random) => ({
  layout: random.pick([
    "timestamp:41 unused:1 node:19 sequence:2 @1780000000000 tick=1ms",
    "timestamp:40 node:18 sequence:6 @1780000000000 tick=10ms",
  ]),
  allowed_future_ms: random.pick([0, 60, 500]),
  lease_ms: random.pick([3_000, 6_000]),
  processes: random.pick([2, 3, 5]),
  stores: random.pick([1, 1, 2]),
  /** Whether a process can see which other processes run. */
  hasProc: random.oneIn(2),
  paceMs: random.pick([40, 120, 400]),
  faultMs: random.pick([150, 400, 1_500, 6_000]),
  /** The largest step of a clock, in ms. */
  stepMs: random.pick([5, 300, 1_500, 20_000]),
  // A clock reading, a message or a disk call meets a fault with a chance of 1 in this number.
  stepOf: random.pick([40, 400, 1_000_000]),
  lossOf: random.pick([6, 24, 24]),
  diskOf: random.pick([30, 120, 1_000]),
});

export class World {
  isCalm = false;
  /** @type {string | undefined} */
  failure;
  /** @type {string[]} */
  trace = [];
  #random;
  #settings;
  #layout;
  #tally;
  #timeline = new Timeline(START_MS);
  #disk = new Disk();
  #machine;
  /** @type {Process[]} */
  #processes = [];
  #started = 0;
  /** The process that has issued each id. @type {Map<bigint, string>} */
  #owners = new Map();
  /** The nodes that were granted, by token. @type {Map<string, number>} */
  #nodes = new Map();

  /** @param {number} seed @param {Tally} tally counts the events of all worlds */
  constructor(seed, tally) {
    this.#random = new Random(seed);
    this.#settings = drawSettings(this.#random);
    this.#layout = Layout.parse(this.#settings.layout);
    this.#tally = tally;
    this.#machine = { host: "h", boot: "b", namespace: this.#settings.hasProc ? "pid:[1]" : "" };
  }

  /** @param {string} text */
  #note(text) {
    this.trace.push(`${`${this.#timeline.nowMs - START_MS}`.padStart(9)} ms  ${text}`);
  }

  /** @param {string} text */
  #fail(text) {
    this.failure ??= text;
    this.#note(`FAILED: ${text}`);
  }

  /** Tells whether a fault happens; one in `n` does. @param {number} n @param {string} what */
  #happens(n, what) {
    if (this.isCalm || !this.#random.oneIn(n)) return false;
    this.#tally.count(what);
    return true;
  }

  async run() {
    const timeline = this.#timeline;
    const isOver = () => this.failure !== undefined;
    this.#note(JSON.stringify(this.#settings));
    for (let place = 0; place < this.#settings.processes; place++) this.#start(place);
    this.#plan();
    await timeline.pass(START_MS + LENGTH_MS, isOver);
    this.isCalm = true;
    this.#note("a calm begins");
    for (const process of this.#processes) process.clockErrorMs = 0;
    await timeline.pass(timeline.nowMs + CALM_MS, isOver);
    for (const process of this.#processes) this.#end(process);
    for (let store = 0; store < this.#settings.stores && !isOver(); store++) {
      // The second process must go on with the lease of the first.
      for (const mustResume of [false, true]) {
        const process = this.#start(0, `${DIRECTORY}/lease-${store}`);
        const { size } = this.#owners;
        this.#take(process, async () => [await process.generator.next()]);
        const isServed = () => isOver() || this.#owners.size > size;
        await timeline.pass(timeline.nowMs + ANSWER_MS, isServed);
        if (!isServed()) this.#fail("no id in a calm");
        if (mustResume && !process.hasResumed) this.#fail("no process goes on with the lease");
        this.#end(process);
      }
    }
    this.#tally.simulatedMs += timeline.nowMs - START_MS;
    return this.failure;
  }

  /** Starts a process in a free place. @param {number} place */
  #start(place, store = this.#drawStore(place)) {
    const random = this.#random;
    if (store && this.#processes.some((other) => !other.isDead && other.store === store)) {
      this.#tally.count("processes of one store at a time");
    }
    const pid = `${++this.#started}`;
    const process = /** @type {Process} */ ({ pid, store, isDead: false, clockErrorMs: 0 });
    const timers = new Timers(this.#timeline, (run) => this.#do(process, run));
    const nowMs = () => {
      const { stepOf, stepMs } = this.#settings;
      if (this.#happens(stepOf, "clock steps between two lines")) {
        process.clockErrorMs = random.below(2 * stepMs + 1) - stepMs;
      }
      return this.#timeline.nowMs + process.clockErrorMs;
    };
    const watch = (/** @type {string} */ call) => this.#watch(process, call);
    /** @param {string} url @param {any} init @returns {Promise<Response>} */
    const fetch = (url, init) => this.#send(process, url, init);
    const { LeasedGenerator } = startPackage({
      now: nowMs,
      setTimeout: timers.set,
      clearTimeout: timers.clear,
      fetch,
      random,
      files: this.#disk.files({ pid, machine: this.#machine, watch, nowMs }),
    });
    process.generator = new LeasedGenerator({
      authority: !store && random.oneIn(2) ? { fetch } : "https://ids.example.com",
      mode: !store && random.oneIn(4) ? "batch" : "lease",
      store,
      onEvent: (event) => {
        this.#note(`process ${pid}: ${JSON.stringify(event)}`);
        if (process.isDead || event.type !== "acquired") return;
        this.#tally.count(event.resumed ? "resumed" : "acquired");
        process.hasResumed = event.resumed;
      },
    });
    this.#processes[place] = process;
    this.#note(`process ${pid} starts in place ${place} with ${store ?? "no store"}`);
    this.#use(process);
    return process;
  }

  /** @param {number} place */
  #drawStore(place) {
    if (this.#random.below(5) >= 3) return undefined;
    return `${DIRECTORY}/lease-${place % this.#settings.stores}`;
  }

  /** Calls `run` unless the process is dead. @param {Process} process @param {() => void} run */
  #do(process, run) {
    if (process.isDead) return;
    try {
      run();
    } catch (error) {
      if (error !== KILLED) throw error;
    }
  }

  /** Makes random calls of the generator, again and again. @param {Process} process */
  #use(process) {
    this.#timeline.after(this.#random.pauseMs(this.#settings.paceMs), () => {
      if (process.isDead || this.isCalm) return;
      const random = this.#random;
      const { generator } = process;
      const next = async () => [await generator.next()];
      const leave = async () => {
        const left = generator.detach();
        if (random.oneIn(2)) await left;
        else left.catch(() => {});
        await generator.attach();
        return [];
      };
      const call = random.pick([
        ...[next, next, next, next],
        async () => [generator.tryNext()],
        async () => [BigInt(await generator.nextString())],
        async () => generator.batch(random.pick([1, 5, 40, 400])),
        async () => (await generator.ready()) ?? [],
        ...(random.oneIn(4) ? [leave] : []),
      ]);
      this.#do(process, () => void this.#take(process, call));
      this.#use(process);
    });
  }

  /**
   * Takes the ids of a call, and checks them.
   *
   * @param {Process} process @param {() => Promise<Iterable<bigint>>} call
   */
  async #take(process, call) {
    const { pid } = process;
    /** @type {bigint[]} */
    let ids = [];
    try {
      ids = [...(await call())];
    } catch (/** @type {any} */ error) {
      if (process.isDead || error === KILLED) return;
      if (!EXPECTED.has(error.code)) this.#fail(`process ${pid}: ${error.stack}`);
      this.#tally.count(`refused as ${error.code}`);
      // If a process has lost its store, it gets no store until it is restarted.
      if (error.code === "store-in-use" && this.#random.oneIn(4)) this.#kill(process);
    }
    for (const id of process.isDead ? [] : ids) {
      this.#tally.count("ids");
      const other = this.#owners.get(id);
      if (other) this.#fail(`id ${id} came twice: to process ${other} and to process ${pid}`);
      this.#owners.set(id, pid);
      this.#checkWritten(process, id);
    }
  }

  /**
   * Checks that this id counts as used in every record that a power failure now could leave.
   *
   * @param {Process} process @param {bigint} id
   */
  #checkWritten({ store, generator: { lease } }, id) {
    if (store === undefined || !lease) return;
    const { timestampMs, node } = this.#layout.decode(id);
    const tick = (timestampMs - this.#layout.epochMs) / this.#layout.tickMs;
    for (const text of this.#disk.leftOf(store)) {
      const written = recordOf(text)?.leased;
      if (node !== lease.node || written?.node !== node || written.reserved_tick > tick) continue;
      this.#fail(
        `tick ${tick} was issued, but only ticks before ${written.reserved_tick} are stored as used`,
      );
    }
  }

  /** Lets a fault happen at some disk calls. @param {Process} process @param {string} call */
  #watch(process, call) {
    const { diskOf } = this.#settings;
    if (process.isDead) throw KILLED;
    if (call === "writeSync" && this.#happens(20, "writes cut short")) return true;
    if (this.#happens(3 * diskOf, "calls of the disk failed")) throw failure("ENOSPC", call);
    if (this.#happens(3 * diskOf, "processes killed in a call of the disk")) this.#kill(process);
    if (this.#happens(3 * diskOf, "power failures")) this.#losePower();
    if (process.isDead) throw KILLED;
  }

  /** Ends a process, and starts another in its place later. @param {Process} process */
  #kill(process) {
    this.#end(process);
    const place = this.#processes.indexOf(process);
    this.#timeline.after(this.#random.pauseMs(300), () => {
      if (this.#processes[place] === process && !this.isCalm) this.#start(place);
    });
  }

  /** @param {Process} process */
  #end(process) {
    if (process.isDead) return;
    this.#note(`process ${process.pid} ends`);
    process.isDead = true;
    this.#disk.end(process.pid);
  }

  #losePower() {
    this.#note("the power fails");
    for (const process of this.#processes) this.#kill(process);
    this.#disk.fail(this.#random);
  }

  #plan() {
    this.#timeline.after(this.#random.pauseMs(this.#settings.faultMs), () => {
      if (this.isCalm) return;
      const process = this.#random.pick(this.#processes);
      if (this.#happens(3, "processes killed")) this.#kill(process);
      if (this.#happens(20, "power failures")) this.#losePower();
      this.#plan();
    });
  }

  /**
   * Sends a message, and receives the reply. If one of them is lost, the process gets a connection
   * error or nothing.
   *
   * @param {Process} process @param {string} url
   * @param {{ body: string, signal: AbortSignal }} init
   * @returns {Promise<Response>}
   */
  #send(process, url, { body, signal }) {
    return new Promise((resolve, reject) => {
      const { lossOf } = this.#settings;
      const after = (/** @type {() => void} */ run) => {
        const mostMs = this.#happens(lossOf, "messages late") ? LATE_MS : FAST_MS;
        this.#timeline.after(this.#random.below(mostMs), () => this.#do(process, run));
      };
      const arrives = () => {
        if (!this.#happens(lossOf, "messages lost")) return true;
        if (this.#random.oneIn(2)) after(() => reject(new Error("the connection broke")));
        return false;
      };
      signal.addEventListener("abort", () => {
        this.#tally.count("requests past their time");
        reject(signal.reason);
      });
      if (!arrives()) return;
      after(() => {
        const reply = this.#reply(`${url.split("/").at(-1)}`, JSON.parse(body).token);
        if (arrives()) after(() => resolve(Response.json(reply)));
      });
    });
  }

  /** Replies as an authority. @param {string} name @param {string} token */
  #reply(name, token = `batch ${this.#nodes.size}`) {
    const { layout, lease_ms, allowed_future_ms } = this.#settings;
    const bound = { incarnation: 1, layout, first_node: 0, node_count: 2 ** 18, shards: 1 };
    const terms = { ...bound, lease_ms, allowed_future_ms };
    const { epochMs, tickMs } = this.#layout;
    const from_tick = Math.floor((this.#timeline.nowMs - epochMs) / tickMs);
    const until_tick = from_tick + lease_ms / tickMs;
    if (name === "release") return { released: { token, incarnation: 1 } };
    if (name === "renew") {
      this.#tally.count("renewed");
      return { renewed: { ...terms, token, until_tick } };
    }
    const node = this.#nodes.get(token) ?? this.#nodes.size;
    this.#nodes.set(token, node);
    if (name === "leases") return { granted: { ...terms, token, node, from_tick, until_tick } };
    this.#tally.count("batches");
    const until = { until_tick: from_tick + 200, until_sequence: 1 };
    return { batched: { ...terms, node, from_tick, from_sequence: 0, ...until } };
  }
}

/** @param {string} text the content of a store */
function recordOf(text) {
  try {
    return JSON.parse(text.split("\n")[1]).record;
  } catch {
    // The record is damaged.
    return undefined;
  }
}
