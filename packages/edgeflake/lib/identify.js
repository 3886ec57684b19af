import { exchange, readLines, wasm } from "./exchange.js";
import { Layout } from "./layout.js";
import { idOf } from "./text.js";

/** @import { Candidate, Id, PresetName } from "edgeflake" */

/** Of the systems found so far. @type {Map<string, Layout>} */
const layouts = new Map();

/** @param {string} preset */
function layoutOf(preset) {
  let layout = layouts.get(preset);
  if (layout === undefined) {
    layout = Layout.preset(preset);
    layouts.set(preset, layout);
  }
  return layout;
}

/**
 * @param {Id} id
 * @returns {Candidate[]}
 */
export function identify(id) {
  const whole = idOf(id);
  const lines = readLines(wasm.identify(whole, Date.now()));
  const shares = exchange().numbers.slice();
  return lines.map((line, i) => {
    const [name, title, reasons] = line.split("\t");
    const preset = /** @type {PresetName} */ (name);
    const decoded = layoutOf(preset).decode(whole);
    return { preset, title, share: shares[i], reasons, decoded };
  });
}

export function presets() {
  return readLines(wasm.presets());
}
