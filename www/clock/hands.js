// The hands of the clocks, which show the time by the clock of each process.

import { KEYS } from "./sprites.js";
import { NAMES, offset } from "./words.js";

/** @import { Snapshot } from "./run.js" */
/** @import { Scale } from "./scale.js" */
/** @import { Colours } from "./sprites.js" */

/**
 * The heads of a hand, as points one after the other. A visible hand points down; any other one
 * points beyond the edge.
 */
const DOWN = [-7, -6, 7, -6, 0, 4];
const LEFT = [-8, 4, 2, -3, 2, 11];
const RIGHT = [8, 4, -2, -3, -2, 11];

/** The largest distance from a hand at which it can be grasped, in px. */
const GRASP_PX = 12;

/**
 * Returns the places of the hands of a process: in the lane of its lease, and in that of its
 * classic node.
 *
 * @param {Scale} scale
 * @param {number} index
 * @param {Snapshot} snapshot
 */
function handsOf(scale, index, { trueMs, processes }) {
  const { lease, classicNode, clockMs } = processes[index];
  const { width, left, laneHeight } = scale;
  const [least, most] = [left + 8, width - 8];
  const exact = scale.x(clockMs, scale.fromMs(trueMs));
  const head = exact < least ? LEFT : exact > most ? RIGHT : DOWN;
  const x = Math.min(Math.max(exact, least), most);
  // Two processes of one classic node do not write over each other.
  const isSecond = processes.findIndex((other) => other.classicNode === classicNode) < index;
  const lanes = [lease && scale.lane(false, lease.node), scale.lane(true, classicNode)];
  return lanes
    .filter((lane) => lane !== undefined)
    .map(({ top, isClassic }) => {
      const isLow = isClassic && isSecond;
      return { x, top, head, textY: isLow ? top + laneHeight - 12 : top + 14 };
    });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scale} scale
 * @param {Colours} colours
 * @param {Snapshot} snapshot
 */
export function drawHands(context, scale, colours, snapshot) {
  for (const [index, process] of snapshot.processes.entries()) {
    const off = offset(process);
    for (const { x, top, head, textY } of handsOf(scale, index, snapshot)) {
      context.fillStyle = colours[KEYS[index]];
      context.strokeStyle = colours[KEYS[index]];
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(x, top + 3);
      context.lineTo(x, top + scale.laneHeight - 3);
      context.stroke();
      context.beginPath();
      for (let i = 0; i < head.length; i += 2) context.lineTo(x + head[i], top + 6 + head[i + 1]);
      context.fill();
      if (off !== "right") write(context, scale, colours, index, x, textY, off);
    }
  }
}

/**
 * Returns the process whose hand is at a place of the picture, or near it.
 *
 * @param {Scale} scale
 * @param {Snapshot} snapshot
 * @param {number} x in px
 * @param {number} y in px
 */
export function handAt(scale, snapshot, x, y) {
  const found = snapshot.processes.findIndex((_, index) =>
    handsOf(scale, index, snapshot).some(
      (hand) =>
        Math.abs(hand.x - x) <= GRASP_PX && y >= hand.top - 4 && y < hand.top + scale.laneHeight,
    ),
  );
  return found < 0 ? undefined : found;
}

/**
 * Writes beside a hand how far its clock is off, so that it can be read over dots.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scale} scale
 * @param {Colours} colours
 * @param {number} index
 * @param {number} x
 * @param {number} y
 * @param {string} off
 */
function write(context, { width }, colours, index, x, y, off) {
  context.font = "600 12px system-ui, sans-serif";
  const label = `${NAMES[index]} ${off}`;
  const room = context.measureText(label).width + 12;
  const start = x + room + 6 < width ? x + 12 : x - room;
  context.fillStyle = colours.card;
  context.globalAlpha = 0.85;
  context.fillRect(start - 3, y - 8, room - 6, 16);
  context.globalAlpha = 1;
  context.fillStyle = colours[KEYS[index]];
  context.fillText(label, start, y);
}
