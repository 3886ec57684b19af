// Leases as rectangles over nodes and time, which fill up as ids are issued.

import { element } from "./dom.js";
import { iso } from "./time.js";

/** @import { NodesAnswer } from "./node-map.js" */

/**
 * @typedef {object} Lease
 * @property {number} node
 * @property {number} from tick
 * @property {number} until tick
 * @property {number} tick of the last id
 * @property {number} issued ids that this page has seen
 */

const SVG = "http://www.w3.org/2000/svg";
/** In px. */
const LANE = 48;
const LEFT = 96;
const AXIS = 24;
/** Of a text of the axis, about. */
const TEXT = 64;

/**
 * @param {Lease[]} leases
 * @param {NodesAnswer} nodes
 */
export function drawLeases(leases, { epoch_ms, tick_ms }) {
  const nodes = [...new Set(leases.map(({ node }) => node))].sort((a, b) => a - b);
  const nowTick = Math.floor((Date.now() - epoch_ms) / tick_ms);
  const from = Math.min(...leases.map((lease) => lease.from));
  const until = Math.max(nowTick, ...leases.map((lease) => lease.until));
  const place = element("leases", HTMLElement);
  const width = place.clientWidth;
  const height = nodes.length * LANE + AXIS;
  const x = (/** @type {number} */ tick) =>
    LEFT + ((width - LEFT - 1) * (tick - from)) / Math.max(1, until - from);

  const drawing = shape("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  for (const lease of leases) {
    const top = nodes.indexOf(lease.node) * LANE + 8;
    const box = { y: top, height: LANE - 16, rx: 4 };
    const filled = x(Math.min(lease.tick + 1, lease.until));
    const [left, right] = [x(lease.from), x(lease.until)];
    drawing.append(
      shape("rect", { ...box, class: "lease", x: left, width: right - left }),
      shape("rect", { ...box, class: "filled", x: left, width: Math.max(3, filled - left) }),
    );
  }
  nodes.forEach((node, i) => {
    drawing.append(text(0, i * LANE + LANE / 2 + 5, `node ${node}`, "start"));
  });
  const bottom = nodes.length * LANE;
  const at = x(nowTick);
  drawing.append(
    shape("line", { class: "now", x1: at, x2: at, y1: 0, y2: bottom }),
    text(LEFT, bottom + AXIS - 6, clock(from), "start"),
    text(width, bottom + AXIS - 6, clock(until), "end"),
  );
  if (at > LEFT + 1.5 * TEXT && at < width - 1.5 * TEXT) {
    drawing.append(text(at, bottom + AXIS - 6, clock(nowTick), "middle"));
  }

  place.replaceChildren(drawing);
  place.ariaLabel = leases
    .map(
      (lease) =>
        `node ${lease.node} from ${clock(lease.from)} until ${clock(lease.until)}, ` +
        `used to ${clock(lease.tick)}`,
    )
    .join("; ");

  /** @param {number} tick */
  function clock(tick) {
    return iso(epoch_ms + tick * tick_ms).slice(11, 19);
  }
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 */
function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} content
 * @param {string} anchor
 */
function text(x, y, content, anchor) {
  const made = shape("text", { x, y, "text-anchor": anchor });
  made.textContent = content;
  return made;
}
