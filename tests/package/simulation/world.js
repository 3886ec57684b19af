// A simulated world, drawn from one seed: processes that issue ids, the authority, and all faults.

import { Layout } from "edgeflake";
import { Authority } from "./authority.js";
import { drawClimate } from "./climate.js";
import { DIRECTORY, Disk, failure } from "./disk.js";
import { KILLED, Network, Process } from "./process.js";
import { Random } from "./random.js";
import { Timeline } from "./timeline.js";

/** @import { LeaseEvent } from "edgeflake/lease" */
/** @import { Tally } from "./simulate.js" */

const START_MS = 1_790_000_000_000;

/** The longest time until an answer while there are no faults, in ms. */
const ANSWER_MS = 10_000;

/** A lease must be resumed if at least this much of it is left, in ms. One record reserves less. */
const LEFT_MS = 1_500;

/** The time from the last fault until everything must work again, in ms. */
const CALM_MS = 90_000;

/** The errors that users of the package get during an outage. */
const EXPECTED = new Set(
  `authority-unreachable batches-exhausted clock-back clock-disagreement detached exhausted
  no-node-free not-ready overloaded store-failed store-in-use store-unreadable span-ended
  before-epoch unexpected-reply`.split(/\s+/),
);

export class World {
  /** The number of processes that were started. */
  started = 0;
  isCalm = false;
  /** @type {string | undefined} */
  failure;
  /** @type {string[]} */
  trace = [];
  /** The process that has issued each id. @type {Map<bigint, Process>} */
  #owners = new Map();
  /** @type {Process[]} */
  #processes = [];
  #isFull = false;
  /** The number of nested disk calls during which another process runs. */
  #depth = 0;

  #isOver = () => this.failure !== undefined;

  /** @param {number} seed @param {Tally} tally counts the events of all worlds */
  constructor(seed, tally) {
    this.random = new Random(seed);
    this.climate = drawClimate(this.random);
    this.layout = Layout.parse(this.climate.variables.EDGEFLAKE_LAYOUT);
    this.tally = tally;
    this.timeline = new Timeline(START_MS);
    this.disk = new Disk();
    this.disk.nowMs = () => this.timeline.nowMs;
    this.network = new Network(this);
    const { climate } = this;
    this.machines = Array.from({ length: climate.machines }, (_, i) => ({
      host: climate.hasHosts ? `host-${i}` : "localhost",
      boot: `boot-${i}`,
      namespace: climate.hasProc ? "pid:[1]" : "",
      caches: climate.isVolume,
    }));
    this.authority = new Authority(this);
  }

  /** On average, a clock steps once in this many readings. */
  get stepOf() {
    return this.isCalm ? Number.POSITIVE_INFINITY : this.climate.stepOf;
  }

  /** @param {string} text */
  note(text) {
    const seconds = ((this.timeline.nowMs - START_MS) / 1_000).toFixed(3);
    this.trace.push(`${seconds.padStart(9)}  ${text}`);
  }

  /** @param {string} text */
  fail(text) {
    this.failure ??= text;
    this.note(`FAILED: ${text}`);
  }

  async run() {
    const { climate, timeline, tally } = this;
    this.note(JSON.stringify(climate));
    const endMs = START_MS + climate.lengthMs;
    await this.authority.start();
    if (climate.machines > 1) tally.count("machines with one volume");
    for (let i = 0; i < climate.processes; i++) this.#start(i);
    this.#plan();
    await timeline.pass(endMs, this.#isOver);
    if (!this.failure) await this.#calm();
    tally.simulatedMs += timeline.nowMs - START_MS;
    for (const process of this.#processes) if (!process.isDead) this.#end(process);
    this.authority.close();
    return this.failure;
  }

  /** @param {number} place */
  #drawStore(place) {
    const { random, climate } = this;
    return random.below(5) < 3 ? `${DIRECTORY}/lease-${place % climate.stores}` : undefined;
  }

  /** Starts a process in a place where another one has ended. @param {number} place */
  #start(place, store = this.#drawStore(place)) {
    const { random, climate, machines } = this;
    const hasStore = store !== undefined;
    const process = new Process(this, {
      machine: machines[place % machines.length],
      store,
      isService: !hasStore && random.oneIn(2),
      mode: !hasStore && random.oneIn(4) ? "batch" : "lease",
    });
    if (hasStore && this.#processes.some((other) => !other.isDead && other.store === store)) {
      this.tally.count("processes of one store at a time");
    }
    this.#processes[place] = process;
    this.note(`${process} starts in place ${place}${hasStore ? ` with ${store}` : ""}`);
    if (!this.isCalm && random.oneIn(2)) process.clock.step(climate.clockErrorMs);
    this.#use(process);
  }

  /** Requests ids, again and again. @param {Process} process */
  #use(process) {
    const { random, climate, timeline } = this;
    timeline.after(random.pauseMs(climate.paceMs), () => {
      if (process.isDead || this.isCalm) return;
      process.do(() => this.#ask(process));
      this.#use(process);
    });
  }

  /** Makes a random request. @param {Process} process */
  #ask(process) {
    const { random, climate, tally } = this;
    const { generator } = process;
    const take = (/** @type {Iterable<bigint>} */ ids) => this.#take(process, ids);
    const next = async () => take([await generator.next()]);
    const batch = async () => {
      tally.count("ids at once");
      take(await generator.batch(random.pick([1, 5, 40, 400])));
    };
    const kinds = [
      async () => take([generator.tryNext()]),
      batch,
      () => generator.ready(),
      async () => take([BigInt(await generator.nextString())]),
      ...[next, next, next, next],
    ];
    const ask = random.oneIn(climate.leave) ? () => this.#leave(process) : random.pick(kinds);
    ask().catch((error) => this.#met(process, error));
  }

  /**
   * Gives the lease back and acquires another, once or several times in a row.
   *
   * @param {Process} process
   */
  async #leave(process) {
    const { random, tally } = this;
    for (let times = random.pick([1, 1, 3]); times > 0; times--) {
      for (const [call, count] of /** @type {const} */ ([
        ["detach", "released"],
        ["attach", "attached again"],
      ])) {
        if (process.isDead) return;
        tally.count(count);
        const called = process.generator[call]();
        if (random.oneIn(2)) await called;
        else called.catch((error) => this.#met(process, error));
      }
    }
  }

  /** @param {Process} process @param {any} error */
  #met(process, error) {
    if (process.isDead || error === KILLED) return;
    if (error.code === "store-in-use") {
      this.tally.count("refused as store-in-use");
      // The process has no store any more until it is restarted.
      if (!this.isCalm && this.random.oneIn(4)) this.#kill(process);
    }
    if (error.code === "store-failed") this.tally.count("refused as store-failed");
    if (error.name === "EdgeflakeError" && EXPECTED.has(error.code)) return;
    this.fail(`${process} met what it should not: ${error.stack}`);
  }

  /** @param {Process} process @param {Iterable<bigint>} ids */
  #take(process, ids) {
    if (process.isDead) return;
    for (const id of ids) {
      this.tally.count("ids");
      const other = this.#owners.get(id);
      if (other) this.fail(`id ${id} came twice: to ${other} and to ${process}`);
      this.#owners.set(id, process);
      this.#checkWritten(process, id);
    }
  }

  /**
   * Checks that this id counts as used in every record that a power failure now could leave.
   *
   * @param {Process} process
   * @param {bigint} id
   */
  #checkWritten({ store, generator }, id) {
    const { lease } = generator;
    if (store === undefined || !lease || this.climate.isVolume) return;
    const { layout } = this;
    const { timestampMs, node } = layout.decode(id);
    const tick = (timestampMs - layout.epochMs) / layout.tickMs;
    // The id is of a batch, or of the previous lease.
    if (node !== lease.node) return;
    if (tick < lease.fromTick || tick >= lease.untilTick) return;
    for (const text of this.disk.leftOf(store)) {
      const written = this.#recordOf(text)?.leased;
      if (written?.node !== lease.node || written.reserved_tick > tick) continue;
      this.fail(`tick ${tick} was issued, ${written.reserved_tick} is written down`);
    }
  }

  /** @param {string} text the content of a store */
  #recordOf(text) {
    const [, content] = text.split("\n");
    try {
      return JSON.parse(content).record;
    } catch {
      // The record is damaged.
      return undefined;
    }
  }

  /** @param {Process} process @param {LeaseEvent} event */
  heard(process, event) {
    if (process.isDead) return;
    if (event.type === "acquired") {
      this.tally.count(event.resumed ? "resumed" : "acquired");
      process.hasResumed ||= event.resumed;
    }
    if (event.type === "acquired" || event.type === "renewed") {
      const { node, fromTick, untilTick } = event.lease;
      this.note(`${process} has ${event.type} node ${node}, ${fromTick}..${untilTick}`);
    } else {
      this.note(`${process}: ${event.type}`);
    }
  }

  /** Lets a fault happen at some disk calls. @param {Process} process @param {string} call */
  watch(process, call) {
    if (process.isDead) throw KILLED;
    const { random, climate, tally } = this;
    if (this.#isFull && call === "writeSync") {
      tally.count("calls of the disk failed");
      throw failure("ENOSPC", call);
    }
    if (this.isCalm) return;
    if (call === "writeSync" && random.oneIn(20)) {
      tally.count("writes cut short");
      return true;
    }
    if (!random.oneIn(climate.diskOf)) return;
    const kind = random.below(4);
    if (kind === 0) {
      tally.count("processes killed in a call of the disk");
      this.note(`${process} is killed at ${call}`);
      this.#kill(process);
      throw KILLED;
    }
    if (kind === 1) {
      tally.count("calls of the disk failed");
      this.note(`${process} fails at ${call}`);
      throw failure(random.pick(["EIO", "ENOSPC"]), call);
    }
    if (kind === 2) {
      this.note(`the power fails at ${call} of ${process}`);
      this.#powerFails();
      throw KILLED;
    }
    const others = this.#processes.filter((other) => other !== process && !other.isStopped);
    if (others.length === 0 || this.#depth > 1) return;
    // Another process does all that it can do without waiting.
    tally.count("another process in a call of the disk");
    const other = random.pick(others);
    this.#depth++;
    other.do(() => this.#ask(other));
    this.#depth--;
    if (process.isDead) throw KILLED;
  }

  /** Ends a process, and starts another in its place later. @param {Process} process */
  #kill(process) {
    if (process.isDead) return;
    const place = this.#processes.indexOf(process);
    this.#end(process);
    this.timeline.after(this.random.pauseMs(300), () => {
      if (this.#processes[place] === process) this.#start(place);
    });
  }

  /** @param {Process} process */
  #end(process) {
    const { batches, renewals } = process.generator.stats();
    this.tally.count("batches", batches);
    this.tally.count("renewed", renewals);
    process.kill();
  }

  #powerFails() {
    this.tally.count("power failures");
    for (const process of this.#processes) this.#kill(process);
    this.disk.fail(this.random);
  }

  #plan() {
    this.timeline.after(this.random.pauseMs(this.climate.faultMs), () => {
      if (this.isCalm) return;
      this.#fault();
      this.#plan();
    });
  }

  #fault() {
    const { random, climate, tally, timeline } = this;
    const process = random.pick(this.#processes);
    const kind = random.below(14);
    if (kind < 3) {
      tally.count("processes killed");
      this.note(`${process} is killed`);
      this.#kill(process);
    } else if (kind < 5) {
      if (process.isStopped) return;
      tally.count("processes stopped");
      this.note(`${process} is stopped`);
      process.isStopped = true;
      timeline.after(random.pauseMs(climate.leaseMs), () => process.goOn());
    } else if (kind < 7) {
      tally.count("clock steps");
      process.clock.step(climate.clockErrorMs);
    } else if (kind === 7) {
      this.authority.clock?.step(climate.clockErrorMs);
    } else if (kind === 8 && random.oneIn(4)) {
      this.note("the power fails");
      this.#powerFails();
    } else if (kind === 12) {
      this.#fill();
    } else if (kind < 12) {
      this.note("the authority ends or is evicted");
      this.authority.crash();
    }
  }

  /** Fills the disk for a while, and then restarts most of the processes that have a store. */
  #fill() {
    if (this.#isFull) return;
    const { random, timeline, tally } = this;
    tally.count("disks that were full");
    this.note("the disk is full");
    this.#isFull = true;
    timeline.after(random.pauseMs(2_000), () => {
      this.#isFull = false;
      if (this.isCalm) return;
      for (const process of this.#processes) {
        if (process.store === undefined || random.oneIn(3)) continue;
        this.#kill(process);
      }
    });
  }

  /** Checks that everything works again: each process gets an id, and a restarted one resumes. */
  async #calm() {
    const { timeline, climate } = this;
    this.isCalm = true;
    this.#isFull = false;
    this.note("a calm begins");
    this.authority.clock?.correct();
    for (const process of this.#processes) {
      process.goOn();
      process.clock.correct();
    }
    await timeline.pass(timeline.nowMs + CALM_MS + 2 * climate.leaseMs, this.#isOver);
    for (const process of this.#processes) if (process.store !== undefined) this.#end(process);
    // Only one process of each store gets ids, because processes that see each other refuse to share
    // a store.
    const stores = new Set();
    for (const [place, { isDead, store }] of this.#processes.entries()) {
      if (!isDead) await this.#serves(place);
      else if (store && !stores.has(store)) await this.#restarts(place, store);
      stores.add(store);
    }
  }

  /** Checks that a restart resumes the lease. @param {number} place @param {string} store */
  async #restarts(place, store) {
    this.#start(place, store);
    await this.#serves(place);
    const { generator } = this.#processes[place];
    const { lease } = generator;
    this.#end(this.#processes[place]);
    if (!lease) return;
    this.#start(place, store);
    await this.#serves(place);
    const { epochMs, tickMs } = this.layout;
    const leftMs = epochMs + lease.untilTick * tickMs - this.timeline.nowMs;
    if (leftMs < LEFT_MS || this.#processes[place].hasResumed) return;
    this.fail(`${this.#processes[place]} does not go on with a lease that is written down`);
  }

  /** Checks that the process in this place soon has an id. @param {number} place */
  async #serves(place) {
    const { timeline } = this;
    const process = this.#processes[place];
    let isDone = false;
    process.do(() => {
      process.generator.attach().catch(() => {});
      process.generator.next().then(
        (id) => {
          isDone = true;
          this.tally.count("ids in a calm");
          this.#take(process, [id]);
        },
        (error) => {
          isDone = true;
          this.fail(`${process} got no id in a calm: ${error.code} ${error.message}`);
        },
      );
    });
    const endMs = timeline.nowMs + ANSWER_MS;
    await timeline.pass(endMs, () => isDone || this.#isOver());
    if (!isDone) this.fail(`${process} got no answer in a calm`);
  }
}
