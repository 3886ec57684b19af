// What decides each field of an id, in the order in which it is decided.

/** @import { Field, Layout } from "edgeflake" */

/**
 * @typedef {object} Decision
 * @property {Field["role"]} role
 * @property {string} words what decides the fields of this role
 */

/** @type {Decision[]} */
const DECISIONS = [
  { role: "unused", words: "the layout: it is always 0" },
  { role: "node", words: "the lease, when it was granted" },
  { role: "timestamp", words: "the clock, within the time of the lease" },
  { role: "sequence", words: "the generator: the next place that is free in this tick" },
  { role: "tag", words: "the caller, who gave none" },
];

/**
 * The decisions that a layout has fields for.
 *
 * @param {Pick<Layout, "fields">} layout
 */
export function decisionsOf({ fields }) {
  return DECISIONS.filter(({ role }) => fields.some((field) => field.role === role));
}
