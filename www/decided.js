// The decisions about each field of an id, in their order.

/** @import { Field, Layout } from "edgeflake" */

/**
 * @typedef {object} Decision
 * @property {Field["role"]} role
 * @property {string} words how the fields of this role are decided
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
 * Returns the decisions for which a layout has fields.
 *
 * @param {Pick<Layout, "fields">} layout
 */
export function decisionsOf({ fields }) {
  return DECISIONS.filter(({ role }) => fields.some((field) => field.role === role));
}
