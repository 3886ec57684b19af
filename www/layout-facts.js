// The capacity of a layout in figures, and the differences of two layouts in them.

import { count, day, duration } from "./time.js";

/** @import { Layout } from "edgeflake" */

/** @param {Layout} layout */
export function figuresOf(layout) {
  const { nodes, idsPerTick, expiresAt, ...info } = layout.info();
  const perSecond = (idsPerTick * 1000) / layout.tickMs;
  return {
    nodes,
    perSecond,
    inAll: nodes * perSecond,
    endMs: expiresAt.getTime(),
    fitsSignedUntilMs: info.fitsSignedUntil.getTime(),
    fitsNumberUntilMs: info.fitsNumberUntil.getTime(),
  };
}

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} a
 * @property {string} b
 * @property {string} difference of b from a; empty if they are equal
 */

/**
 * @param {Layout} a
 * @param {Layout} b
 * @returns {Row[]}
 */
export function differences(a, b) {
  const [of, other] = [figuresOf(a), figuresOf(b)];
  return [
    row("Nodes", of.nodes, other.nodes),
    row("Ids per second and node", of.perSecond, other.perSecond),
    row("Ids per second in all", of.inAll, other.inAll),
    {
      name: "Runs out on",
      a: day(of.endMs),
      b: day(other.endMs),
      difference: later(other.endMs - of.endMs),
    },
    said("Fits a signed 64-bit integer", fitsSigned(of), fitsSigned(other)),
    said("Fits a JavaScript number", fitsNumber(of), fitsNumber(other)),
  ];
}

/**
 * @param {string} name
 * @param {number} a
 * @param {number} b
 * @returns {Row}
 */
function row(name, a, b) {
  const texts = { name, a: count(hundredths(a)), b: count(hundredths(b)) };
  if (a === b) return { ...texts, difference: "" };
  const ratio = hundredths(b > a ? b / a : a / b);
  const times = ratio === 1 ? "slightly" : `${count(ratio)} times`;
  return { ...texts, difference: `${times} ${b > a ? "as many" : "fewer"}` };
}

/** @param {number} value */
function hundredths(value) {
  return Math.round(value * 100) / 100;
}

/** @param {number} ms */
function later(ms) {
  if (ms === 0) return "";
  return `${duration(Math.abs(ms))} ${ms > 0 ? "later" : "earlier"}`;
}

/**
 * @param {string} name
 * @param {string} a
 * @param {string} b
 * @returns {Row}
 */
function said(name, a, b) {
  return { name, a, b, difference: a === b ? "" : "different" };
}

/** @typedef {ReturnType<typeof figuresOf>} Figures */

/** @param {Figures} of */
export function fitsSigned({ fitsSignedUntilMs, endMs }) {
  return fitsUntil(fitsSignedUntilMs, endMs);
}

/** @param {Figures} of */
export function fitsNumber({ fitsNumberUntilMs, endMs }) {
  return fitsUntil(fitsNumberUntilMs, endMs);
}

/**
 * @param {number} untilMs
 * @param {number} endMs time at which the layout runs out
 */
function fitsUntil(untilMs, endMs) {
  if (untilMs >= endMs) return "always";
  return untilMs > Date.now() ? `until ${day(untilMs)}` : "no";
}
