// Leases as rectangles over nodes and time, with a mark where ids lie in them.

import { iso } from "./time.js";

/** @import { Run } from "./id-runs.js" */

/**
 * @typedef {object} Lease
 * @property {number} node
 * @property {number} from tick
 * @property {number} until tick after the last one
 * @property {Run[]} runs ticks of which this page has ids
 * @property {number} issued number of ids that this page has seen
 */

const SVG = "http://www.w3.org/2000/svg";
/** These sizes are in px. */
const LANE = 48;
const LEFT = 96;
const AXIS = 24;
/** The least width of a mark, because a tick of a long lease is too narrow to see. */
const MARK = 2;
/** The approximate width of a text of the axis. */
const TEXT = 64;

/**
 * @param {HTMLElement} place
 * @param {Lease[]} leases
 * @param {{ epoch_ms: number, tick_ms: number }} ticks beginning of tick 0, and length of a tick
 * @param {number} mark least width of a mark, in px
 */
export function drawLeases(place, leases, { epoch_ms, tick_ms }, mark = MARK) {
  const nodes = [...new Set(leases.map(({ node }) => node))].sort((a, b) => a - b);
  const nowTick = Math.floor((Date.now() - epoch_ms) / tick_ms);
  const from = Math.min(...leases.map((lease) => lease.from));
  const until = Math.max(nowTick, ...leases.map((lease) => lease.until));
  const width = place.clientWidth;
  const height = nodes.length * LANE + AXIS;
  const x = (/** @type {number} */ tick) =>
    LEFT + ((width - LEFT - 1) * (tick - from)) / Math.max(1, until - from);

  const drawing = shape("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  for (const lease of leases) {
    const top = nodes.indexOf(lease.node) * LANE + 8;
    const box = { y: top, height: LANE - 16, rx: 4 };
    const [left, right] = [x(lease.from), x(lease.until)];
    drawing.append(
      shape("rect", { ...box, class: "lease", x: left, width: right - left }),
      ...lease.runs.map((run) => {
        const wide = Math.max(mark, x(run.until) - x(run.from));
        // A mark at the end of its lease still lies within the lease.
        const begin = Math.min(x(run.from), right - wide);
        return shape("rect", { ...box, rx: 0, class: "ids", x: begin, width: wide });
      }),
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
    .map(({ node, from: first, until: end, runs }) => {
      const last = runs.at(-1);
      const ids = last ? `, last id at ${clock(last.until - 1)}` : "";
      return `node ${node} from ${clock(first)} until ${clock(end)}${ids}`;
    })
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
