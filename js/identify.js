import { identify as candidates, presets as names } from "./dist/edgeflake.js";
import { exchange, readLines } from "./exchange.js";
import { Layout } from "./layout.js";
import { idOf } from "./text.js";

/** @import { Candidate, Id } from "edgeflake" */

/**
 * @param {Id} id
 * @returns {Candidate[]}
 */
export function identify(id) {
  const whole = idOf(id);
  const lines = readLines(candidates(whole, Date.now()));
  const shares = exchange().numbers.slice();
  return lines.map((line, i) => {
    const [preset, title, reasons] = line.split("\t");
    const decoded = Layout.preset(preset).decode(whole);
    return { preset, title, share: shares[i], reasons, decoded };
  });
}

export function presets() {
  return readLines(names());
}
