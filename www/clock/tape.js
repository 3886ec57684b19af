// The dots, drawn once each, on tiles side by side. The browser copies a visible canvas whole after
// each change, so a frame with new ids copies only the few tiles that have them. A tile that has
// passed becomes a later one, because the memory of an abandoned canvas is collected in the middle
// of a frame.

/** @import { Scale } from "./scale.js" */

/** The width of a tile, in px of the screen. */
const TILE_PX = 128;

export class Tape {
  /**
   * The tiles by their left edge, in tiles since 1970.
   *
   * @type {Map<number, CanvasRenderingContext2D>}
   */
  #tiles = new Map();
  /** The tiles that have passed. @type {CanvasRenderingContext2D[]} */
  #passed = [];
  #scale;
  #ratio;
  #fill;

  /**
   * @param {Scale} scale
   * @param {number} ratio px of the screen per px
   * @param {(fromMs: number, untilMs: number) => void} fill adds the dots of a span of time to a
   * new tile
   */
  constructor(scale, ratio, fill) {
    this.#scale = scale;
    this.#ratio = ratio;
    this.#fill = fill;
  }

  /** Returns the place of a time, in px of the screen since 1970. @param {number} ms */
  #px(ms) {
    return Math.round(ms * this.#scale.pxPerMs * this.#ratio);
  }

  /**
   * Draws a dot for good, if its place is or was shown.
   *
   * @param {HTMLCanvasElement} sprite has the dot in its middle
   * @param {number} ms
   * @param {number} y in px
   */
  add(sprite, ms, y) {
    const left = this.#px(ms) - sprite.width / 2;
    const top = Math.round(y * this.#ratio - sprite.height / 2);
    // A dot on the edge of two tiles is on both.
    const last = Math.floor((left + sprite.width - 1) / TILE_PX);
    for (let index = Math.floor(left / TILE_PX); index <= last; index++) {
      this.#tiles.get(index)?.drawImage(sprite, left - index * TILE_PX, top);
    }
  }

  /**
   * Shows the tiles from a time on, and reuses those before it.
   *
   * @param {CanvasRenderingContext2D} context in px of the screen, clipped to the place of the dots
   * @param {number} fromMs
   */
  show(context, fromMs) {
    const left = Math.round(this.#scale.left * this.#ratio);
    const right = Math.round(this.#scale.width * this.#ratio);
    const fromPx = this.#px(fromMs);
    const first = Math.floor(fromPx / TILE_PX);
    for (const [index, tile] of this.#tiles) {
      if (index >= first) continue;
      this.#tiles.delete(index);
      this.#passed.push(tile);
    }
    for (let index = first; ; index++) {
      const x = left + index * TILE_PX - fromPx;
      if (x >= right) return;
      const tile = this.#tiles.get(index) ?? this.#tile(index);
      context.drawImage(tile.canvas, x, 0);
    }
  }

  /** @param {number} index */
  #tile(index) {
    const tile = this.#passed.pop() ?? this.#newTile();
    tile.clearRect(0, 0, tile.canvas.width, tile.canvas.height);
    this.#tiles.set(index, tile);
    const ms = TILE_PX / (this.#scale.pxPerMs * this.#ratio);
    // Half of a dot may stand beside the tile of its time.
    this.#fill((index - 1) * ms, (index + 2) * ms);
    return tile;
  }

  #newTile() {
    const canvas = document.createElement("canvas");
    canvas.width = TILE_PX;
    canvas.height = Math.ceil(this.#scale.bottom * this.#ratio);
    return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  }
}
