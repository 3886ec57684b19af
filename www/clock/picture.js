// The picture of node by time: rectangles that were granted, ids as dots, and the hands of the clocks.

import { Scale } from "./scale.js";
import { coloursOf, KEYS, shape, spritesOf } from "./sprites.js";
import { Tape } from "./tape.js";
import { clockTime, NAMES, offset } from "./words.js";

/** @import { Dot, Lease, Process } from "./run.js" */
/** @import { Lane } from "./scale.js" */

/** How long an id falls, and how long a duplicate flashes, in ms. */
const FALL_MS = 260;
const FLASH_MS = 1_100;

/** Most flashes at a time. */
const FLASHES_MAX = 60;

/** So far from a dot it is still hit, in px. */
const HIT_PX = 14;

/** Steps of the axis, in ms. */
const STEP_MS = 10_000;

/** @typedef {{ dot: Dot, y: number, bornMs: number }} Fresh */

export class Picture {
  #canvas;
  #context;
  #ratio = 1;
  #scale;
  /** @type {ReturnType<typeof coloursOf>} */
  #colours;
  /** @type {ReturnType<typeof spritesOf>} */
  #sprites;
  /** @type {Tape} */
  #tape;
  /** The dots that may be seen, in the order in which they were issued. @type {Dot[]} */
  #dots = [];
  /** @type {Fresh[]} */
  #falling = [];
  /** @type {Fresh[]} */
  #flashes = [];
  /** The first time that is seen. */
  fromMs = 0;
  /** @type {Dot | undefined} */
  chosen;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.#scale = new Scale(1, false);
    this.#colours = coloursOf(canvas);
    this.#sprites = spritesOf(this.#colours, 1);
    this.#tape = new Tape(this.#scale, 1, 0);
  }

  /** How many dots are in what is seen. */
  get count() {
    const untilMs = this.fromMs + this.#scale.spanMs;
    return this.#dots.filter(
      (dot) => dot.ms >= this.fromMs && dot.ms < untilMs && this.#scale.y(dot) !== undefined,
    ).length;
  }

  /**
   * Lays it out anew, for another width, other colours, or with the classic lanes or without.
   *
   * @param {number} nowMs
   * @param {boolean} hasClassic
   */
  layOut(nowMs, hasClassic) {
    const { clientWidth } = this.#canvas;
    if (clientWidth === 0) return;
    this.#ratio = devicePixelRatio;
    this.#scale = new Scale(clientWidth, hasClassic);
    this.#colours = coloursOf(this.#canvas);
    this.#sprites = spritesOf(this.#colours, this.#scale.dotRadius * this.#ratio);
    this.#canvas.width = Math.round(clientWidth * this.#ratio);
    this.#canvas.height = Math.round(this.#scale.height * this.#ratio);
    this.#canvas.style.height = `${this.#scale.height}px`;
    this.fromMs = this.#scale.fromMs(nowMs);
    this.#tape = new Tape(this.#scale, this.#ratio, this.fromMs);
    this.#falling = [];
    for (const dot of this.#dots) this.#stamp(dot);
  }

  /** Forgets all dots. */
  clear() {
    this.#dots = [];
    this.#falling = [];
    this.#flashes = [];
    this.chosen = undefined;
  }

  /**
   * Takes new ids.
   *
   * @param {Dot[]} dots
   * @param {number} atMs of the frame
   * @param {boolean} isStill whether they are there at once
   */
  add(dots, atMs, isStill) {
    for (const dot of dots) {
      this.#dots.push(dot);
      const y = this.#scale.y(dot);
      if (y === undefined) continue;
      if (dot.isDuplicate) this.#flashes.push({ dot, y, bornMs: atMs });
      if (this.#flashes.length > FLASHES_MAX) this.#flashes.shift();
      if (isStill) this.#stamp(dot);
      else this.#falling.push({ dot, y, bornMs: atMs });
    }
  }

  /** Lets go of dots that are not seen any more. */
  prune() {
    const untilMs = this.fromMs + 3 * this.#scale.spanMs;
    this.#dots = this.#dots.filter(({ ms }) => ms >= this.fromMs && ms < untilMs);
  }

  /** @param {Dot} dot */
  #stamp(dot) {
    const y = this.#scale.y(dot);
    if (y === undefined) return;
    const { dots, duplicate } = this.#sprites;
    this.#tape.add(dot.isDuplicate ? duplicate : dots[dot.process], dot.ms, y);
  }

  /**
   * Draws a frame.
   *
   * @param {number} nowMs
   * @param {Lease[]} leases
   * @param {Process[]} processes
   * @param {number} atMs of the frame
   * @param {boolean} isStill
   */
  draw(nowMs, leases, processes, atMs, isStill) {
    const scale = this.#scale;
    const context = this.#context;
    this.fromMs = scale.fromMs(nowMs);
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.clearRect(0, 0, scale.width, scale.height);
    context.textBaseline = "middle";
    this.#drawLanes();
    context.save();
    context.beginPath();
    context.rect(scale.left, 0, scale.width - scale.left, scale.height);
    context.clip();
    for (const lease of leases) this.#drawLease(lease, nowMs);
    context.setTransform(1, 0, 0, 1, 0, 0);
    const lostMs = this.#tape.show(context, this.fromMs);
    if (lostMs !== undefined) {
      for (const dot of this.#dots) if (dot.ms >= lostMs) this.#stamp(dot);
    }
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    this.#drawNow(nowMs);
    this.#drawFalling(atMs, isStill);
    for (const [i, process] of processes.entries()) this.#drawHands(i, process);
    this.#drawFlashes(atMs, isStill);
    this.#drawChosen();
    context.restore();
  }

  /** @param {number} ms */
  #x(ms) {
    return this.#scale.left + (ms - this.fromMs) * this.#scale.pxPerMs;
  }

  #drawLanes() {
    const { lanes, titles, left, width, laneHeight, isWide } = this.#scale;
    const context = this.#context;
    context.textAlign = "left";
    for (const { isClassic, top } of titles) {
      context.fillStyle = this.#colours.text;
      context.font = "600 13px system-ui, sans-serif";
      const title = isClassic ? "Classic snowflake: nodes set by hand" : "edgeflake: nodes leased";
      context.fillText(title, 0, top + 14);
    }
    for (const { node, top } of lanes) {
      context.fillStyle = this.#colours.lane;
      context.fillRect(left, top + 1, width - left, laneHeight - 2);
      context.fillStyle = this.#colours.quiet;
      context.font = "12px system-ui, sans-serif";
      context.fillText(isWide ? `node ${node}` : `${node}`, 0, top + laneHeight / 2);
    }
  }

  /** @param {Lease} lease @param {number} nowMs */
  #drawLease({ process, node, fromMs, untilMs, isHeld }, nowMs) {
    const lane = this.#scale.lane(false, node);
    if (!lane) return;
    const context = this.#context;
    const { width, laneHeight, left } = this.#scale;
    const [from, until] = [Math.max(this.#x(fromMs), left - 8), Math.min(this.#x(untilMs), width + 8)];
    if (until < left || from > width) return;
    const colour = this.#colours[KEYS[process]];
    context.beginPath();
    context.roundRect(from, lane.top + 3, Math.max(2, until - from), laneHeight - 6, 4);
    context.globalAlpha = isHeld ? 0.13 : 0.06;
    context.fillStyle = colour;
    context.fill();
    context.globalAlpha = isHeld ? 1 : 0.55;
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.setLineDash(isHeld ? [] : [3, 3]);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
    const label = `${NAMES[process]} until ${clockTime(untilMs)}`;
    context.font = "12px system-ui, sans-serif";
    const right = Math.min(until, width) - 8;
    const begins = Math.max(from, this.#x(nowMs)) + 8;
    if (isHeld && right - begins > context.measureText(label).width) {
      context.textAlign = "right";
      context.fillStyle = colour;
      context.fillText(label, right, lane.top + laneHeight / 2);
      context.textAlign = "left";
    }
  }

  /** @param {number} nowMs */
  #drawNow(nowMs) {
    const { bottom, width, left, titles } = this.#scale;
    const context = this.#context;
    const now = this.#x(nowMs);
    context.strokeStyle = this.#colours.text;
    context.lineWidth = 1;
    context.setLineDash([4, 4]);
    context.beginPath();
    context.moveTo(now, titles[0].top + 22);
    context.lineTo(now, bottom);
    context.stroke();
    context.setLineDash([]);
    context.textAlign = "center";
    context.font = "12px system-ui, sans-serif";
    const label = `now ${clockTime(nowMs)}`;
    const half = context.measureText(label).width / 2;
    context.fillStyle = this.#colours.text;
    context.fillText(label, now, bottom + 13);
    context.fillStyle = this.#colours.quiet;
    const firstMs = Math.ceil(this.fromMs / STEP_MS) * STEP_MS;
    for (let ms = firstMs; this.#x(ms) < width; ms += STEP_MS) {
      const x = this.#x(ms);
      if (Math.abs(x - now) < half + 36 || x < left + 28 || x > width - 28) continue;
      context.fillText(clockTime(ms), x, bottom + 13);
    }
    context.textAlign = "left";
  }

  /** @param {number} atMs @param {boolean} isStill */
  #drawFalling(atMs, isStill) {
    const context = this.#context;
    const still = this.#falling.filter(({ dot, y, bornMs }) => {
      const share = (atMs - bornMs) / FALL_MS;
      if (share >= 1 || isStill) {
        this.#stamp(dot);
        return false;
      }
      const { dots, duplicate } = this.#sprites;
      const sprite = dot.isDuplicate ? duplicate : dots[dot.process];
      const side = sprite.width / this.#ratio;
      const rest = (1 - share) ** 3;
      context.globalAlpha = share;
      context.drawImage(sprite, this.#x(dot.ms) - side / 2, y - rest * 18 - side / 2, side, side);
      return true;
    });
    context.globalAlpha = 1;
    this.#falling = still;
  }

  /** The hand of a clock, in the lane of its node, or at the edge beyond which it is. */
  /** @param {number} index @param {Process} process */
  #drawHands(index, process) {
    const { lease, clockMs, classicNode } = process;
    const scale = this.#scale;
    const lanes = [lease && scale.lane(false, lease.node), scale.lane(true, classicNode)];
    for (const lane of lanes) if (lane) this.#drawHand(lane, index, clockMs, offset(process));
  }

  /** @param {Lane} lane @param {number} index @param {number} clockMs @param {string} off */
  #drawHand({ top, isClassic }, index, clockMs, off) {
    const context = this.#context;
    const { width, left, laneHeight } = this.#scale;
    const [most, least] = [width - 8, left + 8];
    const exact = this.#x(clockMs);
    const x = Math.min(Math.max(exact, least), most);
    context.fillStyle = this.#colours[KEYS[index]];
    context.strokeStyle = this.#colours[KEYS[index]];
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x, top + 3);
    context.lineTo(x, top + laneHeight - 3);
    context.stroke();
    context.save();
    context.translate(x, top + 6);
    context.beginPath();
    if (exact < least) polygon(context, [-8, 4, 2, -3, 2, 11]);
    else if (exact > most) polygon(context, [8, 4, -2, -3, -2, 11]);
    else polygon(context, [-7, -6, 7, -6, 0, 4]);
    context.fill();
    context.restore();
    if (off === "right") return;
    // Two processes of one classic node do not write over each other.
    const y = top + (isClassic && index === 2 ? laneHeight - 12 : 14);
    context.font = "600 12px system-ui, sans-serif";
    const label = `${NAMES[index]} ${off}`;
    const room = context.measureText(label).width + 12;
    const start = x + room + 6 < width ? x + 12 : x - room;
    context.fillStyle = this.#colours.card;
    context.globalAlpha = 0.85;
    context.fillRect(start - 3, y - 8, room - 6, 16);
    context.globalAlpha = 1;
    context.fillStyle = this.#colours[KEYS[index]];
    context.fillText(label, start, y);
  }

  /** @param {number} atMs @param {boolean} isStill */
  #drawFlashes(atMs, isStill) {
    const context = this.#context;
    context.strokeStyle = this.#colours.error;
    context.fillStyle = this.#colours.error;
    this.#flashes = this.#flashes.filter(({ dot, y, bornMs }) => {
      const share = isStill ? 0.4 : (atMs - bornMs) / FLASH_MS;
      if (share >= 1 || this.#x(dot.ms) < 0) return false;
      context.beginPath();
      context.arc(this.#x(dot.ms), y, 4 + 14 * share, 0, 2 * Math.PI);
      context.globalAlpha = (1 - share) * 0.25;
      context.fill();
      context.globalAlpha = 1 - share;
      context.lineWidth = 2;
      context.stroke();
      return true;
    });
    context.globalAlpha = 1;
  }

  #drawChosen() {
    if (!this.chosen) return;
    const y = this.#scale.y(this.chosen);
    if (y === undefined) return;
    const context = this.#context;
    context.strokeStyle = this.#colours.text;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(this.#x(this.chosen.ms), y, 8, 0, 2 * Math.PI);
    context.stroke();
  }

  /**
   * The dot at a place of the canvas, or near it.
   *
   * @param {number} x in px
   * @param {number} y in px
   */
  dotAt(x, y) {
    /** @type {Dot | undefined} */
    let nearest;
    let least = HIT_PX ** 2;
    for (const dot of this.#dots) {
      const dotY = this.#scale.y(dot);
      if (dotY === undefined) continue;
      const far = (this.#x(dot.ms) - x) ** 2 + (dotY - y) ** 2;
      // Of two in one place it is the newer one.
      if (far <= least) {
        least = far;
        nearest = dot;
      }
    }
    return nearest;
  }

  /**
   * The dot beside the chosen one: in its lane, by time, or of another lane, near it in time.
   *
   * @param {"earlier" | "later" | "above" | "below"} where
   */
  beside(where) {
    const { lanes } = this.#scale;
    const seen = this.#dots.filter(
      (dot) => this.#x(dot.ms) >= this.#scale.left && this.#scale.lane(dot.isClassic, dot.node),
    );
    const { chosen } = this;
    if (!chosen || !seen.includes(chosen)) return seen.at(-1);
    const order = lanes.findIndex((lane) => isIn(chosen, lane));
    if (where === "earlier" || where === "later") {
      const lane = seen
        .filter((dot) => isIn(dot, lanes[order]))
        .sort((a, b) => a.ms - b.ms || a.sequence - b.sequence);
      return lane[lane.indexOf(chosen) + (where === "later" ? 1 : -1)] ?? chosen;
    }
    const next = where === "below" ? lanes.slice(order + 1) : lanes.slice(0, order).reverse();
    const lane = next.find((lane) => seen.some((dot) => isIn(dot, lane)));
    if (!lane) return chosen;
    const far = (/** @type {Dot} */ dot) => Math.abs(dot.ms - chosen.ms);
    return seen.filter((dot) => isIn(dot, lane)).reduce((a, b) => (far(b) < far(a) ? b : a));
  }
}

/** @param {Dot} dot @param {Lane} lane */
function isIn(dot, lane) {
  return dot.node === lane.node && dot.isClassic === lane.isClassic;
}

/** @param {CanvasRenderingContext2D} context @param {number[]} points */
function polygon(context, points) {
  context.moveTo(points[0], points[1]);
  for (let i = 2; i < points.length; i += 2) context.lineTo(points[i], points[i + 1]);
  context.closePath();
}
