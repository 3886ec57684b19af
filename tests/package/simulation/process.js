// Simulates a process of a world: the package as it is shipped, on a platform that the world
// controls. Simulates the network to the authority, too, which loses messages, and delivers them
// late and in any order. The worlds of tests/world simulate doubled messages and frozen clocks.

import { startPackage } from "./modules.js";
import { Clock, Timers } from "./timeline.js";

/** @import { World } from "./world.js" */
/** @import { Machine } from "./disk.js" */
/** @import { LeasedGenerator } from "edgeflake/lease" */

/** An error that ends a process in the middle of a call. */
export const KILLED = new Error("the process was killed");

export class Process {
  pid;
  #world;
  clock;
  isDead = false;
  isStopped = false;
  /** Whether the process resumed a stored lease. */
  hasResumed = false;
  /** The actions that a stopped process carries out when it continues. @type {(() => void)[]} */
  #late = [];
  /** @type {LeasedGenerator} */
  generator;
  /** @param {string} url @param {RequestInit} init @returns {Promise<Response>} */
  #fetch = (url, init) => {
    if (this.isDead) return new Promise(() => {});
    return this.#world.network.send(this, init, () => this.#world.authority.fetch(url, init));
  };

  /** @param {World} world @param {{ machine: Machine, store: string | undefined, isService: boolean, mode: "lease" | "batch" }} options */
  constructor(world, { machine, store, isService, mode }) {
    const { timeline, random } = world;
    this.pid = `${++world.started}`;
    this.#world = world;
    this.store = store;
    this.machine = machine;
    this.clock = new Clock(world);
    const timers = new Timers(timeline, (run) => this.do(run));
    const { LeasedGenerator } = startPackage({
      now: () => this.clock.now(),
      setTimeout: timers.set,
      clearTimeout: timers.clear,
      fetch: this.#fetch,
      random,
      files: world.disk.files({
        pid: this.pid,
        machine,
        watch: (call) => world.watch(this, call),
        nowMs: () => this.clock.now(),
      }),
    });
    this.generator = new LeasedGenerator({
      authority: isService ? { fetch: this.#fetch } : "https://ids.example.com",
      token: "lease-token-of-tests",
      mode,
      ...(store !== undefined && { store }),
      onEvent: (event) => world.heard(this, event),
    });
  }

  /** Calls `run` now or, if the process is stopped, when it continues. @param {() => void} run */
  do(run) {
    if (this.isDead) return;
    if (this.isStopped) {
      this.#late.push(run);
      return;
    }
    try {
      run();
    } catch (error) {
      if (error !== KILLED) throw error;
    }
  }

  goOn() {
    if (!this.isStopped) return;
    this.isStopped = false;
    for (const run of this.#late.splice(0)) this.do(run);
  }

  kill() {
    this.isDead = true;
    this.#world.disk.end(this.pid);
  }

  toString() {
    return `process ${this.pid}`;
  }
}

const LATE_MS = 30_000;

export class Network {
  #world;

  /** @param {World} world */
  constructor(world) {
    this.#world = world;
  }

  /**
   * Delivers a message, unless it is lost. If the message or its reply is lost, the sender gets a
   * connection error or nothing.
   *
   * @param {Process} process
   * @param {RequestInit} init
   * @param {() => Promise<Response>} deliver
   * @returns {Promise<Response>}
   */
  send(process, init, deliver) {
    const { random, tally, timeline, climate, isCalm } = this.#world;
    const happens = () => !isCalm && random.oneIn(climate.lossOf);
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener("abort", () => {
        tally.count("requests past their time");
        reject(init.signal?.reason);
      });
      const after = (/** @type {() => void} */ run) => {
        const isLate = happens();
        if (isLate) tally.count("messages late");
        timeline.after(random.below(isLate ? LATE_MS : 20), run);
      };
      const back = (/** @type {() => void} */ run) => after(() => process.do(run));
      const lose = (/** @type {string} */ what) => {
        tally.count(what);
        if (random.oneIn(2)) back(() => reject(new Error("the connection broke")));
      };
      if (happens()) return lose("messages lost");
      after(() => {
        deliver().then(
          (response) => (happens() ? lose("replies lost") : back(() => resolve(response))),
          (error) => back(() => reject(error)),
        );
      });
    });
  }
}
