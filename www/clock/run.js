// The playground's module, and the values that the page reads from it.

import init, { Playground } from "edgeflake-clock";

/**
 * @typedef {object} Lease a rectangle in id space, with times in Unix ms
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
 * @property {number} clockMs
 * @property {number} offMs time by which its clock is ahead
 * @property {boolean} isFrozen
 * @property {number} aheadMs time by which its newest id is ahead of its clock
 * @property {number} issued
 * @property {number} waiting number of requests that wait
 * @property {number} failed number of requests that failed
 * @property {number} classicNode
 * @property {{ node: number, untilMs: number }} [lease]
 * @property {boolean} isRenewing
 * @property {string} [why] reason why a request would get no id now
 * @property {string} [refusal] error of the newest request
 *
 * @typedef {object} Tally
 * @property {number} issued
 * @property {number} duplicates
 * @property {number} late
 * @property {number} latestMs
 * @property {number} failed
 * @property {number} longestMs
 *
 * @typedef {object} Snapshot as www/clock/module/src/snapshot.rs makes it
 * @property {number} trueMs
 * @property {number} leaseMs
 * @property {number} allowedFutureMs
 * @property {Process[]} processes
 * @property {Tally} leased
 * @property {Tally} classic
 * @property {number} leases
 * @property {string} [violation] the first rule that the ledger found broken
 */

/** The seed is fixed, so that every run goes the same way. */
const SEED = 1;

/** The time that has passed when the picture is first seen, in ms. */
const BEFORE_MS = 12_000;

/** The length of a row of a dot and of a lease, as clock/module/src/playground.rs gives them. */
const [DOT_SIZE, LEASE_SIZE] = [6, 5];

export async function load() {
  await init({ module_or_path: new URL("edgeflake_clock_bg.wasm", import.meta.url) });
}

export class Run extends Playground {
  /** The fraction of a ms that has not passed yet. */
  #rest = 0;

  constructor() {
    super(SEED);
    super.advance(BEFORE_MS);
  }

  /** Lets a time pass. @override @param {number} ms */
  advance(ms) {
    const whole = Math.floor(ms + this.#rest);
    this.#rest += ms - whole;
    super.advance(whole);
  }

  /** @override @returns {Snapshot} */
  snapshot() {
    return super.snapshot();
  }

  /** Returns the ids since the last call. @returns {Dot[]} */
  newDots() {
    return rows(this.dots(), DOT_SIZE, (numbers, at) => ({
      isClassic: numbers[at] === 1,
      process: numbers[at + 1],
      node: numbers[at + 2],
      ms: numbers[at + 3],
      sequence: numbers[at + 4],
      isDuplicate: numbers[at + 5] === 1,
    }));
  }

  /** @param {number} sinceMs @returns {Lease[]} */
  leasesSince(sinceMs) {
    return rows(this.leases(sinceMs), LEASE_SIZE, (numbers, at) => ({
      process: numbers[at],
      node: numbers[at + 1],
      fromMs: numbers[at + 2],
      untilMs: numbers[at + 3],
      isHeld: numbers[at + 4] === 1,
    }));
  }

  /** @param {Dot} dot */
  idOf({ isClassic, node, ms, sequence }) {
    return this.id(isClassic, node, ms, sequence);
  }
}

/**
 * Reads rows of `size` numbers.
 *
 * @template T
 * @param {Float64Array} numbers
 * @param {number} size
 * @param {(numbers: Float64Array, at: number) => T} read reads the row that begins at `at`
 */
function rows(numbers, size, read) {
  /** @type {T[]} */
  const found = [];
  for (let at = 0; at < numbers.length; at += size) found.push(read(numbers, at));
  return found;
}
