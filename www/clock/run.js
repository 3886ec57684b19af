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
 * @typedef {object} Process what is drawn of one
 * @property {number} trueMs
 * @property {number} clockMs
 * @property {number} offMs how far its clock is ahead
 * @property {boolean} isFrozen
 * @property {number} aheadMs how far its newest id is ahead of its clock
 * @property {number} issued
 * @property {number} waiting requests
 * @property {number} failed requests
 * @property {number} classicNode
 * @property {Lease} [lease]
 *
 * @typedef {object} Saying what its holder says
 * @property {string} state
 * @property {string} why
 * @property {string} refusal
 *
 * @typedef {Process & Saying} Told
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
 * @property {Told[]} processes
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
    return rows(this.#playground.dots(), DOT_SIZE, (numbers, at) => ({
      isClassic: numbers[at] === 1,
      process: numbers[at + 1],
      node: numbers[at + 2],
      ms: numbers[at + 3],
      sequence: numbers[at + 4],
      isDuplicate: numbers[at + 5] === 1,
    }));
  }

  /** @param {number} sinceMs @returns {Lease[]} */
  leases(sinceMs) {
    return rows(this.#playground.leases(sinceMs), LEASE_SIZE, (numbers, at) => ({
      process: numbers[at],
      node: numbers[at + 1],
      fromMs: numbers[at + 2],
      untilMs: numbers[at + 3],
      isHeld: numbers[at + 4] === 1,
    }));
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
      processes: this.processes().map((process, i) => this.#told(process, i)),
      ...this.tallies(),
      grants: { leases, overlaps },
      hasClassic,
    };
  }

  /** @param {Lease[]} [leases] of now, where they are known */
  processes(leases = this.leases(0)) {
    const { trueMs } = this;
    return Array.from({ length: PROCESSES }, (_, i) => this.#process(i, trueMs, leases));
  }

  /** @param {number} index @returns {Told} */
  told(index) {
    return this.#told(this.#process(index, this.trueMs, this.leases(0)), index);
  }

  /** @param {Process} process @param {number} index @returns {Told} */
  #told(process, index) {
    const [state, why, refusal] = this.#playground.says(index).split("\n");
    return { ...process, state, why, refusal };
  }

  /**
   * @param {number} index
   * @param {number} trueMs
   * @param {Lease[]} leases
   * @returns {Process}
   */
  #process(index, trueMs, leases) {
    const [clockMs, frozen, newestMs, issued, waiting, failed, classicNode] =
      this.#playground.process(index);
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
      lease: leases.find(({ process, isHeld }) => process === index && isHeld),
    };
  }

  tallies() {
    return { leased: this.#tally(false), classic: this.#tally(true) };
  }

  /** @param {boolean} isClassic @returns {Tally} */
  #tally(isClassic) {
    const [issued, duplicates, late, latestMs, failed, longestMs] =
      this.#playground.tally(isClassic);
    return { issued, duplicates, late, latestMs, failed, longestMs };
  }
}

/**
 * Reads rows of so many numbers.
 *
 * @template T
 * @param {Float64Array} numbers
 * @param {number} size
 * @param {(numbers: Float64Array, at: number) => T} read the row that begins there
 */
function rows(numbers, size, read) {
  /** @type {T[]} */
  const found = [];
  for (let at = 0; at < numbers.length; at += size) found.push(read(numbers, at));
  return found;
}
