// The system that made some ids, and whether that is an answer. A tie is not, and neither is an
// implausible date.

import { identify, identifyMany, Layout, presets } from "edgeflake";
import { lagSummary } from "./lag.js";

/** @import { Candidate } from "edgeflake" */

/**
 * @typedef {object} Fit the systems that give an id the same date
 * @property {string} preset preset of the likeliest of them; Unix time has none with a layout
 * @property {string} title
 * @property {string[]} also titles of the others
 * @property {number} share sum of their shares, 0 to 1
 */

/**
 * @typedef {object} Verdict
 * @property {"sure" | "timed" | "tie" | "none" | "unasked"} kind "timed" if the ids have the dates
 * of their lines; "unasked" if there is no id, or a link names the system
 * @property {Fit[]} fits the likeliest first; in a tie, only the tied ones
 * @property {Fit[]} others all fits, the likeliest first
 * @property {string} layout name of a preset that shows the bits
 */

/** Readings that are half as likely as the likeliest, or more, are tied with it. */
const TIED = 0.5;
/** The largest number of tied readings that are shown. */
const TIED_MAX = 3;
/** The largest number of ids that are evidence for each other. */
const AROUND_MAX = 256;
/**
 * The largest number of ids that are identified, because all of 100,000 would take longer than
 * reading them.
 */
const LOOKED_AT_MAX = 2048;
/** The largest lag of lines whose times are evidence for their ids, in ms. */
const TIMED_MAX_MS = 86_400_000;
/** A system is clearly nearer if its dates are this many times nearer than the others'. */
const CLEARLY = 10;

/**
 * @param {BigUint64Array} ids
 * @param {Float64Array} [times] time of the line of each id, in Unix ms; NaN if it is unknown
 * @returns {Verdict}
 */
export function verdictOfIds(ids, times) {
  const [layout] = presets();
  if (ids.length === 0) return { kind: "unasked", fits: [], others: [], layout };
  const verdict = verdictOf(candidatesOf(ids));
  const fit = times && timedFit(verdict.fits, ids, times);
  if (fit) return { ...verdict, kind: "timed", fits: [fit], layout: fit.preset };
  return verdict.kind === "tie" ? { ...verdict, fits: tiedOf(verdict.fits) } : verdict;
}

/**
 * Returns the candidates of a typical id, given the others.
 *
 * @param {BigUint64Array} ids at least one
 */
function candidatesOf(ids) {
  if (ids.length === 1) return identify(ids[0]);
  const some = spread(ids, LOOKED_AT_MAX);
  const { preset, systems } = identifyMany(some);
  const typical = some[preset.indexOf(systems[0].preset)];
  return identify(typical, { around: around(ids) });
}

/**
 * Returns the fit whose dates are those of the lines, if there is only one.
 *
 * @param {Fit[]} fits
 * @param {BigUint64Array} ids
 * @param {Float64Array} times
 */
function timedFit(fits, ids, times) {
  const some = spread(ids, AROUND_MAX);
  const at = spread(times, AROUND_MAX);
  const lags = fits.map((fit) => {
    if (!presets().some((name) => name === fit.preset)) return { fit, lag: Infinity };
    const { timestampMs } = Layout.preset(fit.preset).decodeMany(BigUint64Array.from(some));
    const summary = lagSummary(timestampMs.map((ms, i) => Math.abs(at[i] - ms)));
    return { fit, lag: summary?.median ?? Infinity };
  });
  lags.sort((a, b) => a.lag - b.lag);
  const [best, next] = lags;
  if (!best || best.lag > TIMED_MAX_MS) return undefined;
  return next === undefined || best.lag * CLEARLY < next.lag ? best.fit : undefined;
}

/**
 * Returns some of the ids, evenly spread.
 *
 * @param {BigUint64Array} ids
 */
export function around(ids) {
  return spread(ids, AROUND_MAX);
}

/**
 * @template T
 * @param {ArrayLike<T>} all
 * @param {number} most
 * @returns {T[]}
 */
function spread(all, most) {
  const count = Math.min(most, all.length);
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]);
}

/**
 * @param {Candidate[]} candidates of one id
 * @returns {Verdict} in a tie, with all fits
 */
function verdictOf(candidates) {
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
  const others = fits.toSorted((a, b) => b.share - a.share);
  if (fits.length === 0) return { kind: "none", fits, others, layout };
  const isTie = tiedOf(fits).length > 1;
  // A date that several systems share may be likelier than that of the likeliest system.
  const ordered = isTie ? fits : others;
  return { kind: isTie ? "tie" : "sure", fits: ordered, others, layout: layoutOf(ordered, layout) };
}

/** @param {Fit[]} fits */
function tiedOf(fits) {
  const most = Math.max(...fits.map(({ share }) => share));
  return fits.filter(({ share }) => share >= most * TIED).slice(0, TIED_MAX);
}

/**
 * @param {Fit[]} fits
 * @param {string} otherwise
 */
function layoutOf([{ preset }], otherwise) {
  return presets().some((name) => name === preset) ? preset : otherwise;
}

/**
 * Returns whether a system can have made the id at its date.
 *
 * @param {string} reasons of a candidate
 */
export function isPlausible(reasons) {
  return reasons.startsWith("date plausible");
}
