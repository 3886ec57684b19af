// Which system some ids come from, and whether that is an answer: a tie is none, and neither is a date
// that cannot be.

import { identify, identifyMany, presets } from "edgeflake";

/** @import { Candidate } from "edgeflake" */

/**
 * @typedef {object} Fit the systems that give an id the same date
 * @property {string} preset of the likeliest of them; of Unix time none that has a layout
 * @property {string} title
 * @property {string[]} also the titles of the others
 * @property {number} share of all of them together, 0 to 1
 */

/**
 * @typedef {object} Verdict
 * @property {"sure" | "tie" | "none" | "unasked"} kind "unasked" where there is no id, or a link says
 *   the system
 * @property {Fit[]} fits the likeliest first: of a tie those that are tied
 * @property {string} layout the name of a preset that shows the bits
 */

/** Readings that are half as likely as the likeliest, or more, are tied with it. */
const TIED = 0.5;
/** How many tied readings are shown. */
const TIED_MAX = 3;
/** How many of the ids speak for each other. */
const AROUND_MAX = 256;

/**
 * @param {BigUint64Array} ids
 * @returns {Verdict}
 */
export function verdictOfIds(ids) {
  const [layout] = presets();
  if (ids.length === 0) return { kind: "unasked", fits: [], layout };
  if (ids.length === 1) return verdictOf(identify(ids[0]));
  const { preset, systems } = identifyMany(ids);
  const typical = ids[preset.indexOf(systems[0].preset)];
  return verdictOf(identify(typical, { around: around(ids) }));
}

/**
 * Some of the ids, evenly spread.
 *
 * @param {BigUint64Array} ids
 */
export function around(ids) {
  const count = Math.min(AROUND_MAX, ids.length);
  return Array.from({ length: count }, (_, i) => ids[Math.floor((i * ids.length) / count)]);
}

/**
 * @param {Candidate[]} candidates of one id
 * @returns {Verdict}
 */
export function verdictOf(candidates) {
  const layout = candidates.find(({ decoded }) => decoded !== undefined)?.preset ?? presets()[0];
  /** @type {Map<number, Fit>} */
  const byDate = new Map();
  for (const { preset, title, share, reasons, timestampMs } of candidates) {
    if (!isPlausible(reasons)) continue;
    const fit = byDate.get(timestampMs);
    if (fit) {
      fit.also.push(title);
      fit.share += share;
    } else byDate.set(timestampMs, { preset, title, also: [], share });
  }
  const fits = [...byDate.values()];
  if (fits.length === 0) return { kind: "none", fits, layout };
  const most = Math.max(...fits.map(({ share }) => share));
  const tied = fits.filter(({ share }) => share >= most * TIED).slice(0, TIED_MAX);
  if (tied.length > 1) return { kind: "tie", fits: tied, layout: layoutOf(tied, layout) };
  return { kind: "sure", fits, layout: layoutOf(fits, layout) };
}

/**
 * @param {Fit[]} fits
 * @param {string} otherwise
 */
function layoutOf([{ preset }], otherwise) {
  return presets().some((name) => name === preset) ? preset : otherwise;
}

/**
 * Whether a system can have made the id then.
 *
 * @param {string} reasons of a candidate
 */
export function isPlausible(reasons) {
  return reasons.startsWith("date plausible");
}
