// The playground's module, and what the page reads from it.

import init, { Playground } from "edgeflake-clock";

/**
 * @typedef {object} Lease a rectangle in id space; times in Unix ms
 * @property {number} process
 * @property {number} node
 * @property {number} fromMs
 * @property {number} untilMs
 * @property {boolean} isHeld
 *
 * @typedef {object} Dot an id
 * @property {boolean} isClassic
 * @property {number} process
 * @property {number} node
 * @property {number} ms
 * @property {number} sequence
 * @property {boolean} isDuplicate
 *
 * @typedef {object} Process
 * @property {number} trueMs
 * @property {number} clockMs
 * @property {number} offMs how far its clock is ahead
 * @property {boolean} isFrozen
 * @property {number} aheadMs how far its newest id is ahead of its clock
 * @property {number} issued
 * @property {number} waiting requests
 * @property {number} failed requests
 * @property {number} classicNode
 * @property {string} state
 * @property {string} why
 * @property {string} refusal
 * @property {Lease} [lease]
 *
 * @typedef {object} Tally
 * @property {number} issued
 * @property {number} duplicates
 * @property {number} late
 * @property {number} latestMs
 * @property {number} failed
 * @property {number} longestMs
 *
 * @typedef {object} Picture
 * @property {number} trueMs
 * @property {Process[]} processes
 * @property {Tally} leased
 * @property {Tally} classic
 * @property {{ leases: number, overlaps: number }} grants
 * @property {boolean} hasClassic
 */

export const PROCESSES = 3;

/** So that it goes the same way each time. */
const SEED = 1;

/** What has happened when the picture is first seen, in ms. */
const BEFORE_MS = 12_000;

/** Numbers of a dot and of a lease, as www/clock/module/src/playground.rs gives them. */
const [DOT_SIZE, LEASE_SIZE] = [6, 5];

/** Loads the module, once. */
export async function load() {
  await init({ module_or_path: new URL("edgeflake_clock_bg.wasm", import.meta.url) });
}

/** A run of the playground. */
export class Run {
  #playground = new Playground(SEED);
  /** Ms that are too few to pass. */
  #rest = 0;

  constructor() {
    this.#playground.advance(BEFORE_MS);
  }

  /** Lets time pass. @param {number} ms */
  advance(ms) {
    const whole = Math.floor(ms + this.#rest);
    this.#rest += ms - whole;
    this.#playground.advance(whole);
  }

  get trueMs() {
    return this.#playground.now();
  }

  /** The length of a lease, and the allowed future, in ms. */
  terms() {
    return this.#playground.terms();
  }

  /** @param {number} perSecond */
  setRate(perSecond) {
    this.#playground.setRate(perSecond);
  }

  /** @param {boolean} isShared */
  shareNode(isShared) {
    this.#playground.shareNode(isShared);
  }

  /** @param {number} process @param {boolean} isFrozen */
  freeze(process, isFrozen) {
    this.#playground.freeze(process, isFrozen);
  }

  /** @param {number} process @param {number} byMs */
  shift(process, byMs) {
    this.#playground.shift(process, byMs);
  }

  /** @param {number} process */
  setRight(process) {
    this.#playground.setRight(process);
  }

  /** The ids since this was called last. @returns {Dot[]} */
  newDots() {
    const numbers = this.#playground.dots();
    return Array.from({ length: numbers.length / DOT_SIZE }, (_, i) => {
      const [classic, process, node, ms, sequence, duplicate] = numbers.subarray(
        i * DOT_SIZE,
        (i + 1) * DOT_SIZE,
      );
      return {
        isClassic: classic === 1,
        process,
        node,
        ms,
        sequence,
        isDuplicate: duplicate === 1,
      };
    });
  }

  /** @param {number} sinceMs @returns {Lease[]} */
  leases(sinceMs) {
    const numbers = this.#playground.leases(sinceMs);
    return Array.from({ length: numbers.length / LEASE_SIZE }, (_, i) => {
      const [process, node, fromMs, untilMs, held] = numbers.subarray(
        i * LEASE_SIZE,
        (i + 1) * LEASE_SIZE,
      );
      return { process, node, fromMs, untilMs, isHeld: held === 1 };
    });
  }

  /** @param {Dot} dot */
  id({ isClassic, node, ms, sequence }) {
    return this.#playground.id(isClassic, node, ms, sequence);
  }

  /** @param {Dot} dot */
  layout({ isClassic }) {
    return this.#playground.layout(isClassic);
  }

  /** @param {boolean} hasClassic @returns {Picture} */
  picture(hasClassic) {
    const [leases, overlaps] = this.#playground.grants();
    return {
      trueMs: this.trueMs,
      processes: this.processes(),
      leased: this.#tally(false),
      classic: this.#tally(true),
      grants: { leases, overlaps },
      hasClassic,
    };
  }

  processes() {
    const held = this.leases(0).filter(({ isHeld }) => isHeld);
    return Array.from({ length: PROCESSES }, (_, i) => this.#process(i, held));
  }

  /** @param {number} index @param {Lease[]} held @returns {Process} */
  #process(index, held) {
    const { trueMs } = this;
    const [clockMs, frozen, newestMs, issued, waiting, failed, classicNode] =
      this.#playground.process(index);
    const [state, why, refusal] = this.#playground.says(index).split("\n");
    return {
      trueMs,
      clockMs,
      offMs: clockMs - trueMs,
      isFrozen: frozen === 1,
      aheadMs: newestMs < 0 ? 0 : newestMs - clockMs,
      issued,
      waiting,
      failed,
      classicNode,
      state,
      why,
      refusal,
      lease: held.find(({ process }) => process === index),
    };
  }

  /** @param {boolean} isClassic @returns {Tally} */
  #tally(isClassic) {
    const [issued, duplicates, late, latestMs, failed, longestMs] =
      this.#playground.tally(isClassic);
    return { issued, duplicates, late, latestMs, failed, longestMs };
  }
}
