// The authority of a simulated world: the shipped `edgeflake/authority/node`, with SQLite files on
// the real disk. Its process may end before and after any write, and its directory may be restored.

import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startAuthority } from "./modules.js";
import { Clock, Timers } from "./timeline.js";

/** @import { World } from "./world.js" */

/** The longest time until an ended authority runs again. */
const DOWN_MS = 3_000;

export class Authority {
  #world;
  #root = mkdtempSync(join(tmpdir(), "edgeflake-world-"));
  #directory = join(this.#root, "leases");
  /** @type {Awaited<ReturnType<typeof import("edgeflake/authority/node").createAuthority>> | undefined} */
  #authority;
  /** The open databases. @type {Set<DatabaseSync>} */
  #open = new Set();
  #isRestored = false;
  /** @type {Clock | undefined} */
  clock;

  /** @param {World} world */
  constructor(world) {
    this.#world = world;
  }

  /** Makes the class that replaces `DatabaseSync` in the authority. */
  #databases() {
    const { random, tally, climate } = this.#world;
    const open = new Set();
    this.#open = open;
    const hasEnded = () => open !== this.#open;
    const crash = (/** @type {"before" | "after"} */ when) => {
      if (this.#world.isCalm || !random.oneIn(climate.lossOf)) return;
      tally.count(`crashes ${when} a write`);
      this.crash();
      throw new Error("the authority has ended");
    };
    const fill = () => {
      if (this.#world.isCalm || !random.oneIn(climate.fullOf)) return;
      tally.count("writes failed");
      throw new Error("database or disk is full");
    };
    return class extends DatabaseSync {
      /** @param {string} file */
      constructor(file) {
        if (hasEnded()) throw new Error("the authority has ended");
        super(file);
        open.add(this);
      }

      close() {
        open.delete(this);
        super.close();
      }

      /** @param {string} text */
      exec(text) {
        const isCommit = text === "COMMIT";
        if (isCommit) fill();
        if (isCommit) crash("before");
        // Power failures are not simulated here, so nothing has to be synced to the real disk.
        super.exec(text.replace("synchronous = FULL", "synchronous = OFF"));
        if (isCommit) crash("after");
      }
    };
  }

  async start() {
    const { timeline, random, climate } = this.#world;
    this.clock = new Clock(this.#world);
    const timers = new Timers(timeline, (run) => run());
    const platform = {
      now: () => this.clock?.now() ?? timeline.nowMs,
      setTimeout: timers.set,
      clearTimeout: timers.clear,
      fetch: () => Promise.reject(new Error("an authority fetches nothing")),
      random,
      log: (/** @type {unknown[]} */ ...args) => this.#hear(args.join(" ")),
    };
    const createAuthority = startAuthority(platform, this.#databases());
    const { variables, hasWitness } = climate;
    const witness = hasWitness ? join(this.#root, "witnesses") : undefined;
    this.#authority = await createAuthority({ directory: this.#directory, variables, witness });
  }

  /** @param {string} text */
  #hear(text) {
    const { tally } = this.#world;
    this.#world.note(`the authority says ${text.replaceAll(this.#root, "")}`);
    if (!text.includes("storage-rolled-back")) return;
    if (!this.#isRestored) {
      this.#world.fail("a rollback was noticed that never was");
    }
    tally.count("rollbacks noticed");
  }

  /** Ends the authority, and starts it again later. */
  crash() {
    if (!this.#authority) return;
    this.#authority = undefined;
    for (const database of this.#open) database.close();
    this.#open = new Set();
    const { timeline, random, tally } = this.#world;
    timeline.after(1 + random.below(DOWN_MS), () => {
      this.#restore();
      tally.count("authorities started again");
      this.start();
    });
  }

  /** From time to time copies the directory of the leases, or replaces it by the last copy. */
  #restore() {
    const { random, climate, isCalm } = this.#world;
    if (!climate.hasWitness || isCalm) return;
    const copy = join(this.#root, "copy");
    const kind = random.below(3);
    if (kind === 0) {
      rmSync(copy, { recursive: true, force: true });
      cpSync(this.#directory, copy, { recursive: true });
    } else if (kind === 1) {
      this.#isRestored = true;
      this.#world.tally.count("storages restored");
      this.#world.note("the authority's directory is restored to an earlier moment, or emptied");
      rmSync(this.#directory, { recursive: true });
      if (existsSync(copy)) cpSync(copy, this.#directory, { recursive: true });
    }
  }

  /** @param {string} url @param {RequestInit} init @returns {Promise<Response>} */
  async fetch(url, { method, headers, body }) {
    const authority = this.#authority;
    if (!authority) throw new Error("connection refused");
    const response = await authority.fetch(new Request(url, { method, headers, body }));
    if (authority === this.#authority) return response;
    // The authority ended before it sent the answer.
    return new Promise(() => {});
  }

  close() {
    for (const database of this.#open) database.close();
    rmSync(this.#root, { recursive: true });
  }
}
