// The hands of the clocks: what each process believes that the time is.

import { KEYS } from "./sprites.js";
import { NAMES, offset } from "./words.js";

/** @import { Process } from "./run.js" */
/** @import { Lane, Scale } from "./scale.js" */
/** @import { Colours } from "./sprites.js" */

/** Heads of a hand, as points one after the other: in what is seen, and at the edge beyond which it is. */
const DOWN = [-7, -6, 7, -6, 0, 4];
const LEFT = [-8, 4, 2, -3, 2, 11];
const RIGHT = [8, 4, -2, -3, -2, 11];

/**
 * Draws the hand of a process in the lane of its lease, and in that of its classic node.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scale} scale
 * @param {Colours} colours
 * @param {number} index
 * @param {Process} process
 * @param {Process[]} processes
 */
export function drawHands(context, scale, colours, index, process, processes) {
  const { lease, classicNode } = process;
  const leased = lease && scale.lane(false, lease.node);
  const classic = scale.lane(true, classicNode);
  // Two processes of one classic node do not write over each other.
  const isSecond = processes.findIndex((other) => other.classicNode === classicNode) < index;
  if (leased) drawHand(context, scale, colours, leased, index, process, false);
  if (classic) drawHand(context, scale, colours, classic, index, process, isSecond);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scale} scale
 * @param {Colours} colours
 * @param {Lane} lane
 * @param {number} index
 * @param {Process} process
 * @param {boolean} isLow whether it is labelled at the bottom
 */
function drawHand(context, scale, colours, { top }, index, process, isLow) {
  const { width, left, laneHeight } = scale;
  const [least, most] = [left + 8, width - 8];
  const exact = scale.x(process.clockMs, scale.fromMs(process.trueMs));
  const x = Math.min(Math.max(exact, least), most);
  const colour = colours[KEYS[index]];
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x, top + 3);
  context.lineTo(x, top + laneHeight - 3);
  context.stroke();
  const head = exact < least ? LEFT : exact > most ? RIGHT : DOWN;
  context.beginPath();
  for (let i = 0; i < head.length; i += 2) context.lineTo(x + head[i], top + 6 + head[i + 1]);
  context.fill();
  const off = offset(process);
  if (off !== "right")
    write(context, scale, colours, index, x, top + (isLow ? laneHeight - 12 : 14), off);
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
