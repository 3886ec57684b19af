// A number whose digits stand in groups of three, as people and spreadsheets write it:
// 1,593,572,310,593,806,338.

/** There are at least 13 digits, because fewer could be a list of numbers of three digits. */
const GROUPED = /^\d{1,3}([,._'’\u00a0\u202f ])\d{3}(?:\1\d{3}){3,5}$/;

/** @param {string} text */
export function isGrouped(text) {
  return GROUPED.test(text);
}

/**
 * Returns the digits alone, or any other text unchanged.
 *
 * @param {string} text
 */
export function ungrouped(text) {
  return GROUPED.test(text) ? text.replaceAll(/\D/g, "") : text;
}
