// A process of a world: the package as it is shipped, on a platform that the world controls; and the
// network between processes and the authority, which loses messages, doubles them, and brings them
// late and in any order.

import { startPackage } from "./modules.js";
import { Clock, Timers } from "./timeline.js";

/** @import { World } from "./world.js" */
/** @import { Machine } from "./disk.js" */
/** @import { LeasedGenerator } from "edgeflake/lease" */

/** The error that ends a process in a call. */
export const KILLED = new Error("the process was killed");

export class Process {
  pid;
  #world;
  clock;
  isDead = false;
  isStopped = false;
  /** Whether the process resumed a lease that was written down. */
  hasResumed = false;
  /** Actions that a stopped process has to make up for. @type {(() => void)[]} */
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
    const { timeline, random, tally, stepOf } = world;
    this.pid = `${++world.started}`;
    this.#world = world;
    this.store = store;
    this.machine = machine;
    this.clock = new Clock(timeline, random, tally, stepOf);
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

  /** Runs this now, or when the stopped process continues. @param {() => void} run */
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

  stop() {
    this.isStopped = true;
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
   * @param {Process} process
   * @param {RequestInit} init
   * @param {() => Promise<Response>} deliver
   * @returns {Promise<Response>}
   */
  send(process, init, deliver) {
    const { random, tally, timeline, climate, isCalm } = this.#world;
    const happens = () => !isCalm && random.oneIn(climate.lossOf);
    const isRelease = `${init.body}`.includes('"release"') || `${init.body}`.includes("until_tick");
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener("abort", () => {
        tally.count("requests past their time");
        reject(init.signal?.reason);
      });
      const arrive = (/** @type {boolean} */ isAnswered) => {
        deliver().then(
          (response) => {
            if (!isAnswered) return;
            if (happens()) {
              tally.count("replies lost");
              if (random.oneIn(2))
                this.#back(process, () => reject(new Error("the connection broke")));
              return;
            }
            this.#back(process, () => resolve(response));
          },
          (error) => {
            if (isAnswered) this.#back(process, () => reject(error));
          },
        );
      };
      if (happens()) {
        tally.count("messages lost");
        if (isRelease) tally.count("releases lost");
        if (random.oneIn(2))
          this.#back(process, () => reject(new Error("the connection was refused")));
        return;
      }
      timeline.after(this.#latencyMs(), () => arrive(true));
      if (happens()) {
        tally.count("messages doubled");
        timeline.after(this.#latencyMs() + random.below(LATE_MS), () => arrive(false));
      }
    });
  }

  /** @param {Process} process @param {() => void} run */
  #back(process, run) {
    this.#world.timeline.after(this.#latencyMs(), () => process.do(run));
  }

  #latencyMs() {
    const { random, tally, climate, isCalm } = this.#world;
    if (isCalm || !random.oneIn(climate.lossOf)) return random.below(20);
    tally.count("messages late");
    return random.below(LATE_MS);
  }
}
