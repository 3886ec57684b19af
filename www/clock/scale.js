// Where in the picture a node and a time are.

/** @import { Dot } from "./run.js" */

/** Nodes that are leased; node 0 is the authority's own, for batches. */
const NODES = [1, 2, 3, 4, 5];

/** Nodes of the classic snowflake, of which each process is given one. */
const CLASSIC_NODES = [1, 2, 3];

/** In px. */
const TITLE = 28;
const AXIS = 24;
const WIDE = 700;

/** Part of what is seen that lies before now. */
const PAST = 0.54;

/** So that what is counted one after the other lies far apart: the golden ratio, and its like in 2D. */
const [TICK_STEP, SEQUENCE_STEP] = [0.754_877_666_2, 0.618_033_988_7];

/**
 * @typedef {object} Lane the ids of one node
 * @property {boolean} isClassic
 * @property {number} node
 * @property {number} top in px
 */

export class Scale {
  /**
   * @param {number} width in px
   * @param {boolean} hasClassic
   */
  constructor(width, hasClassic) {
    const isWide = width >= WIDE;
    this.width = width;
    this.hasClassic = hasClassic;
    /** Where time begins, right of the node numbers. */
    this.left = isWide ? 64 : 20;
    this.laneHeight = isWide ? 52 : 40;
    this.dotRadius = isWide ? 1.75 : 1.5;
    this.spanMs = isWide ? 48_000 : 32_000;
    this.isWide = isWide;
    /** @type {Lane[]} */
    this.lanes = [];
    /** By node, leased and classic. @type {Lane[][]} */
    this.byNode = [[], []];
    /** @type {{ isClassic: boolean, top: number }[]} */
    this.titles = [];
    let top = 0;
    for (const isClassic of hasClassic ? [false, true] : [false]) {
      this.titles.push({ isClassic, top });
      top += TITLE;
      for (const node of isClassic ? CLASSIC_NODES : NODES) {
        const lane = { isClassic, node, top };
        this.lanes.push(lane);
        this.byNode[Number(isClassic)][node] = lane;
        top += this.laneHeight;
      }
    }
    this.bottom = top;
    this.height = top + AXIS;
    this.pxPerMs = (width - this.left) / this.spanMs;
  }

  /** The first time that is seen. @param {number} nowMs */
  fromMs(nowMs) {
    // By whole px, so that what was drawn is moved, and not blurred.
    const px = Math.round(nowMs * this.pxPerMs);
    return px / this.pxPerMs - this.spanMs * PAST;
  }

  /**
   * Where a time is, in px.
   *
   * @param {number} ms
   * @param {number} fromMs the first time that is seen
   */
  x(ms, fromMs) {
    return this.left + (ms - fromMs) * this.pxPerMs;
  }

  /**
   * Which time is at a place.
   *
   * @param {number} x in px
   * @param {number} fromMs the first time that is seen
   */
  ms(x, fromMs) {
    return fromMs + (x - this.left) / this.pxPerMs;
  }

  /**
   * @param {boolean} isClassic
   * @param {number} node
   * @returns {Lane | undefined}
   */
  lane(isClassic, node) {
    return this.byNode[Number(isClassic)][node];
  }

  /**
   * How far down in the picture a dot is, by nothing but its id: two dots are in one place only if
   * their ids are equal. `undefined` where its lane is not shown.
   *
   * @param {Dot} dot
   */
  y({ isClassic, node, ms, sequence }) {
    const lane = this.lane(isClassic, node);
    if (!lane) return undefined;
    const share = ((ms % 1e6) * TICK_STEP + sequence * SEQUENCE_STEP) % 1;
    const edge = 7;
    return lane.top + edge + share * (this.laneHeight - 2 * edge);
  }
}
