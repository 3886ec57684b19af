// The dots, drawn once each: a strip that is wider than the picture, of which each frame shows a part.

/** @import { Scale } from "./scale.js" */

/** How much wider it is than the picture. */
const LONGER = 2;

export class Tape {
  #canvas = document.createElement("canvas");
  #context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext("2d"));
  #scale;
  #ratio;
  /** The time at its left edge, in whole px of the screen since 1970. */
  #fromPx;

  /**
   * @param {Scale} scale
   * @param {number} ratio px of the screen per px
   * @param {number} fromMs the first time that is seen
   */
  constructor(scale, ratio, fromMs) {
    this.#scale = scale;
    this.#ratio = ratio;
    this.#canvas.width = Math.ceil(scale.width * LONGER * ratio);
    this.#canvas.height = Math.ceil(scale.bottom * ratio);
    this.#fromPx = this.#px(fromMs);
  }

  /** @param {number} ms */
  #px(ms) {
    return Math.round(ms * this.#scale.pxPerMs * this.#ratio);
  }

  /**
   * Draws a dot for good.
   *
   * @param {HTMLCanvasElement} sprite with the dot in its middle
   * @param {number} ms
   * @param {number} y in px
   */
  add(sprite, ms, y) {
    const x = this.#px(ms) - this.#fromPx - sprite.width / 2;
    if (x < -sprite.width || x > this.#canvas.width) return;
    const top = Math.round(y * this.#ratio - sprite.height / 2);
    this.#context.drawImage(sprite, Math.round(x), top);
  }

  /** Whether a dot of this time is on it. @param {number} ms */
  has(ms) {
    const x = this.#px(ms) - this.#fromPx;
    return x >= 0 && x < this.#canvas.width;
  }

  /**
   * Shows the part that begins at a time. Answers from which time on dots are lost, because they were
   * too far ahead for the tape as it was: they are to be added again.
   *
   * @param {CanvasRenderingContext2D} context in px of the screen
   * @param {number} fromMs
   */
  show(context, fromMs) {
    const left = Math.round(this.#scale.left * this.#ratio);
    const width = Math.round(this.#scale.width * this.#ratio) - left;
    let x = this.#px(fromMs) - this.#fromPx;
    /** @type {number | undefined} */
    let lostMs;
    if (x + width > this.#canvas.width) {
      lostMs = (this.#fromPx + this.#canvas.width) / (this.#scale.pxPerMs * this.#ratio);
      this.#context.globalCompositeOperation = "copy";
      this.#context.drawImage(this.#canvas, -x, 0);
      this.#context.globalCompositeOperation = "source-over";
      this.#fromPx += x;
      x = 0;
    }
    const { height } = this.#canvas;
    context.drawImage(this.#canvas, x, 0, width, height, left, 0, width, height);
    return lostMs;
  }
}
