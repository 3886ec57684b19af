// The picture of nodes over time: rectangles that were granted, ids as dots, and the hands of the
// clocks.

import { Dots } from "./dots.js";
import { drawLanes, drawLease, drawTime } from "./ground.js";
import { drawHands, handAt } from "./hands.js";
import { Scale } from "./scale.js";
import { coloursOf, spritesOf } from "./sprites.js";
import { Tape } from "./tape.js";

/** @import { Dot, Lease, Snapshot } from "./run.js" */

/** The time that an id falls, in ms, and the height from which it falls, in px. */
const FALL_MS = 260;
const FALL_PX = 18;

/** The time that a duplicate flashes, in ms, and the largest number of flashes at a time. */
const FLASH_MS = 1_100;
const FLASHES_MAX = 60;

/** The share of its time at which a flash is drawn if nothing moves. */
const STILL_FLASH = 0.2;

/** @typedef {{ dot: Dot, y: number, bornMs: number }} Fresh */

export class Picture {
  #canvas;
  #context;
  #ratio = 1;
  #scale = new Scale(1, false);
  #colours;
  #sprites;
  #tape = this.#newTape();
  #dots = new Dots();
  /** @type {Fresh[]} */
  #falling = [];
  /** @type {Fresh[]} */
  #flashes = [];
  /** The first visible time. */
  fromMs = 0;
  /** @type {Dot | undefined} */
  chosen;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    // The canvas is opaque, which is quicker to draw.
    this.#context = /** @type {CanvasRenderingContext2D} */ (
      canvas.getContext("2d", { alpha: false })
    );
    this.#colours = coloursOf(canvas);
    this.#sprites = spritesOf(this.#colours, 1, 1);
  }

  /** The number of visible dots. */
  get count() {
    return this.#dots.count(this.#scale, this.fromMs);
  }

  /**
   * Lays out the picture again, for another width, other colours, or with or without the classic
   * lanes.
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
    this.#sprites = spritesOf(this.#colours, this.#scale.dotRadius * this.#ratio, this.#ratio);
    this.#canvas.width = Math.round(clientWidth * this.#ratio);
    this.#canvas.height = Math.round(this.#scale.height * this.#ratio);
    this.#canvas.style.height = `${this.#scale.height}px`;
    this.fromMs = this.#scale.fromMs(nowMs);
    this.#tape = this.#newTape();
    this.#falling = [];
    this.#flashes = [];
  }

  #newTape() {
    return new Tape(this.#scale, this.#ratio, (fromMs, untilMs) => {
      for (const dots of this.#dots.about(this.#scale, fromMs, untilMs)) {
        for (const dot of dots) this.#stamp(dot);
      }
    });
  }

  clear() {
    this.#dots = new Dots();
    this.chosen = undefined;
  }

  /**
   * @param {Dot[]} dots
   * @param {number} atMs time of the frame
   * @param {boolean} isStill whether the dots are in place at once
   */
  add(dots, atMs, isStill) {
    for (const dot of dots) {
      this.#dots.add(dot);
      const y = this.#scale.y(dot);
      if (y === undefined) continue;
      if (dot.isDuplicate) this.#flashes.push({ dot, y, bornMs: atMs });
      if (isStill) this.#stamp(dot);
      else this.#falling.push({ dot, y, bornMs: atMs });
    }
    this.#flashes = this.#flashes.slice(-FLASHES_MAX);
  }

  /** Removes the dots that are not visible any more. */
  prune() {
    this.#dots.prune(this.#scale, this.fromMs);
  }

  /** @param {Dot} dot */
  #stamp(dot) {
    const y = this.#scale.y(dot);
    if (y !== undefined) this.#tape.add(this.#sprite(dot), dot.ms, y);
  }

  /** @param {Dot} dot */
  #sprite({ isDuplicate, process }) {
    return isDuplicate ? this.#sprites.duplicate : this.#sprites.dots[process];
  }

  /**
   * Draws a frame.
   *
   * @param {Lease[]} leases
   * @param {Snapshot} snapshot
   * @param {number} atMs time of the frame
   * @param {boolean} isStill
   */
  draw(leases, snapshot, atMs, isStill) {
    const scale = this.#scale;
    const context = this.#context;
    const colours = this.#colours;
    const { trueMs } = snapshot;
    this.fromMs = scale.fromMs(trueMs);
    this.#reset();
    context.fillStyle = colours.card;
    context.fillRect(0, 0, scale.width, scale.height);
    context.textBaseline = "middle";
    drawLanes(context, scale, colours);
    context.save();
    context.beginPath();
    context.rect(scale.left, 0, scale.width - scale.left, scale.height);
    context.clip();
    for (const lease of leases) drawLease(context, scale, colours, lease, trueMs);
    context.setTransform(1, 0, 0, 1, 0, 0);
    this.#tape.show(context, this.fromMs);
    this.#drawFalling(atMs, isStill);
    this.#drawFlashes(atMs, isStill);
    this.#reset();
    drawTime(context, scale, colours, trueMs);
    drawHands(context, scale, colours, snapshot);
    this.#drawChosen();
    context.restore();
  }

  /** Makes one unit of the canvas one px of the page. */
  #reset() {
    this.#context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
  }

  // Both lists are in the order of birth. They are walked without a function for each of their
  // hundreds of dots, because the garbage of these calls would be collected in the middle of a
  // frame.

  /** @param {number} atMs @param {boolean} isStill */
  #drawFalling(atMs, isStill) {
    const falling = this.#falling;
    const landed = bornBy(falling, isStill ? atMs : atMs - FALL_MS);
    for (let i = 0; i < landed; i++) this.#stamp(falling[i].dot);
    falling.splice(0, landed);
    for (const { dot, y, bornMs } of falling) {
      const share = Math.max(0, (atMs - bornMs) / FALL_MS);
      this.#context.globalAlpha = share;
      this.#drawSprite(this.#sprite(dot), dot, y - (1 - share) ** 3 * FALL_PX);
    }
    this.#context.globalAlpha = 1;
  }

  /** @param {number} atMs @param {boolean} isStill */
  #drawFlashes(atMs, isStill) {
    const { flashes } = this.#sprites;
    if (!isStill) this.#flashes.splice(0, bornBy(this.#flashes, atMs - FLASH_MS));
    for (const { dot, y, bornMs } of this.#flashes) {
      const share = isStill ? STILL_FLASH : Math.max(0, (atMs - bornMs) / FLASH_MS);
      this.#drawSprite(flashes[Math.floor(share * flashes.length)], dot, y);
    }
  }

  /**
   * Draws a sprite on whole px of the screen, where it is copied unchanged.
   *
   * @param {HTMLCanvasElement} sprite has its shape in its middle
   * @param {Dot} dot
   * @param {number} y in px of the page
   */
  #drawSprite(sprite, dot, y) {
    const x = this.#scale.x(dot.ms, this.fromMs);
    const left = Math.round(x * this.#ratio - sprite.width / 2);
    this.#context.drawImage(sprite, left, Math.round(y * this.#ratio - sprite.height / 2));
  }

  #drawChosen() {
    const y = this.chosen && this.#scale.y(this.chosen);
    if (!this.chosen || y === undefined) return;
    const context = this.#context;
    context.strokeStyle = this.#colours.text;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(this.#scale.x(this.chosen.ms, this.fromMs), y, 8, 0, 2 * Math.PI);
    context.stroke();
  }

  /** @param {number} x in px @param {number} y in px */
  dotAt(x, y) {
    return this.#dots.at(this.#scale, this.fromMs, x, y);
  }

  /**
   * Returns the process whose hand is at a place.
   *
   * @param {Snapshot} snapshot
   * @param {number} x in px
   * @param {number} y in px
   */
  handAt(snapshot, x, y) {
    return handAt(this.#scale, snapshot, x, y);
  }

  /** Converts px to ms. @param {number} px */
  ms(px) {
    return px / this.#scale.pxPerMs;
  }

  /** @param {"earlier" | "later" | "above" | "below"} where */
  beside(where) {
    return this.#dots.beside(this.#scale, this.fromMs, this.chosen, where);
  }
}

/**
 * Returns the number of dots that were born at a time or before.
 *
 * @param {Fresh[]} fresh
 * @param {number} atMs
 */
function bornBy(fresh, atMs) {
  const first = fresh.findIndex(({ bornMs }) => bornMs > atMs);
  return first < 0 ? fresh.length : first;
}
