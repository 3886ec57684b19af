// The layout for a number of nodes and of years, from an epoch of today on.

import { Layout } from "edgeflake";
import { count, day, duration } from "./time.js";

/** @import { Field } from "edgeflake" */

/**
 * @typedef {object} Needs
 * @property {number} nodes
 * @property {number} years
 * @property {number | undefined} perSecond ids of one node; undefined for as many as there is room
 * for
 */

/** The highest bit stays 0, so that each id fits a signed 64-bit integer. */
const BITS = 63;
/** There are as many ids per ms as Twitter has. More room is left for later. */
const SEQUENCE_BITS = 12;
const TICK_MS = 1;
const TICKS_PER_SECOND = 1000 / TICK_MS;

/**
 * @param {Needs} needs
 * @param {number} epochMs
 */
export function layoutFor({ nodes, years, perSecond }, epochMs) {
  const end = new Date(epochMs);
  end.setUTCFullYear(end.getUTCFullYear() + years);
  const time = bitsFor((end.getTime() - epochMs) / TICK_MS);
  const node = bitsFor(nodes);
  const rest = BITS - time - node;
  const sequence =
    perSecond === undefined
      ? Math.max(1, Math.min(SEQUENCE_BITS, rest))
      : bitsFor(Math.ceil(perSecond / TICKS_PER_SECOND));
  const free = rest - sequence;
  if (free < 0) {
    throw new RangeError(
      `this needs ${time} bits of time, ${node} of nodes and ${sequence} of sequence: ` +
        `${-free} more than the ${BITS} there are. Ask for fewer nodes, years or ids per second`,
    );
  }
  /** @type {Field[]} */
  const fields = [
    // The unused bits stand above the time, so that the time can have them later without a
    // duplicate id.
    { name: "unused", bits: 1 + free, role: "unused" },
    { name: "timestamp", bits: time, role: "timestamp" },
    { name: "node", bits: node, role: "node" },
    { name: "sequence", bits: sequence, role: "sequence" },
  ];
  return new Layout({ fields, epochMs, tickMs: TICK_MS });
}

/**
 * Says in a sentence what a layout has beyond its needs.
 *
 * @param {Layout} layout made by {@link layoutFor} from the needs
 * @param {Needs} needs
 */
export function leftOf(layout, { nodes, years, perSecond = 0 }) {
  const info = layout.info();
  const end = new Date(layout.epochMs);
  end.setUTCFullYear(end.getUTCFullYear() + years);
  const rate = info.idsPerTick * TICKS_PER_SECOND;
  const moreMs = info.expiresAt.getTime() - end.getTime();
  const more = [
    ...(info.nodes > nodes ? [`${count(info.nodes - nodes)} nodes`] : []),
    ...(moreMs > 0 ? [duration(moreMs)] : []),
    ...(perSecond > 0 && rate > perSecond
      ? [`${count(rate - perSecond)} ids per second and node`]
      : []),
  ];
  const widths = layout.fields.map(({ name, bits }) => `${name} ${bits}`);
  const free = layout.fields[0].bits - 1;
  const bits =
    free === 0 ? "no bit" : free === 1 ? "1 bit above the time" : `${free} bits above the time`;
  return (
    `${capital(widths.slice(1).join(", "))} bits, from ${day(layout.epochMs)} on; ` +
    `the sign bit stays 0. Left over: ${[...more, bits].join(", ")}.`
  );
}

/** @param {number} values */
function bitsFor(values) {
  let bits = 1;
  while (2 ** bits < values) bits += 1;
  return bits;
}

/** @param {string} text */
function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
