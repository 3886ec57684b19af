// The background of the dots: lanes, rectangles, and the axis of time.

import { KEYS } from "./sprites.js";
import { clockTime, NAMES } from "./words.js";

/** @import { Lease } from "./run.js" */
/** @import { Scale } from "./scale.js" */
/** @import { Colours } from "./sprites.js" */

/** The steps of the axis, in ms. */
const STEP_MS = 10_000;

const FONT = "12px system-ui, sans-serif";

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scale} scale
 * @param {Colours} colours
 */
export function drawLanes(context, { lanes, titles, left, width, laneHeight, isWide }, colours) {
  context.textAlign = "left";
  context.font = "600 13px system-ui, sans-serif";
  context.fillStyle = colours.text;
  for (const { isClassic, top } of titles) {
    context.fillText(
      isClassic ? "classic: node numbers set by hand" : "edgeflake: nodes leased",
      0,
      top + 14,
    );
  }
  context.font = FONT;
  for (const { node, top } of lanes) {
    context.fillStyle = colours.lane;
    context.fillRect(left, top + 1, width - left, laneHeight - 2);
    context.fillStyle = colours.quiet;
    context.fillText(isWide ? `node ${node}` : `${node}`, 0, top + laneHeight / 2);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scale} scale
 * @param {Colours} colours
 * @param {Lease} lease
 * @param {number} nowMs
 */
export function drawLease(context, scale, colours, lease, nowMs) {
  const { process, node, fromMs, untilMs, isHeld } = lease;
  const lane = scale.lane(false, node);
  if (!lane) return;
  const { width, laneHeight, left, isWide } = scale;
  const firstMs = scale.fromMs(nowMs);
  // An edge is drawn only if it is visible.
  const from = Math.max(scale.x(fromMs, firstMs), left - 8);
  const until = Math.min(scale.x(untilMs, firstMs), width + 8);
  if (until < left || from > width) return;
  context.beginPath();
  context.roundRect(from, lane.top + 3, Math.max(2, until - from), laneHeight - 6, 4);
  context.globalAlpha = isHeld ? 0.13 : 0.06;
  context.fillStyle = colours[KEYS[process]];
  context.fill();
  context.globalAlpha = isHeld ? 1 : 0.55;
  context.strokeStyle = colours[KEYS[process]];
  context.lineWidth = 1.5;
  context.setLineDash(isHeld ? [] : [3, 3]);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
  const label = `${NAMES[process]} until ${clockTime(untilMs)}`;
  const right = Math.min(until, width) - 8;
  const begins = Math.max(from, scale.x(nowMs, firstMs)) + 8;
  context.font = FONT;
  if (!isHeld || !isWide || right - begins < context.measureText(label).width) return;
  context.textAlign = "right";
  context.fillText(label, right, lane.top + laneHeight / 2);
  context.textAlign = "left";
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scale} scale
 * @param {Colours} colours
 * @param {number} nowMs
 */
export function drawTime(context, scale, colours, nowMs) {
  const { bottom, width, left, titles } = scale;
  const firstMs = scale.fromMs(nowMs);
  const now = scale.x(nowMs, firstMs);
  context.strokeStyle = colours.text;
  context.lineWidth = 1;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(now, titles[0].top + 22);
  context.lineTo(now, bottom);
  context.stroke();
  context.setLineDash([]);
  context.textAlign = "center";
  context.font = FONT;
  context.fillStyle = colours.text;
  const label = `now ${clockTime(nowMs)}`;
  context.fillText(label, now, bottom + 13);
  context.fillStyle = colours.quiet;
  const half = context.measureText(label).width / 2;
  for (
    let ms = Math.ceil(firstMs / STEP_MS) * STEP_MS;
    ms < firstMs + scale.spanMs;
    ms += STEP_MS
  ) {
    const x = scale.x(ms, firstMs);
    if (Math.abs(x - now) < half + 36 || x < left + 28 || x > width - 28) continue;
    context.fillText(clockTime(ms), x, bottom + 13);
  }
  context.textAlign = "left";
}
