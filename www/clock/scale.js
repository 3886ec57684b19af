// The places of nodes and times in the picture.

/** @import { Dot } from "./run.js" */

/** The nodes that are leased. Node 0 is the authority's own, for batches. */
const NODES = [1, 2, 3, 4, 5];

/** The nodes of the classic snowflake, of which each process is given one. */
const CLASSIC_NODES = [1, 2, 3];

/** These sizes are in px. */
const TITLE = 28;
const AXIS = 24;
const WIDE = 700;

/** The part of the visible time that lies before now. */
const PAST = 0.54;

/**
 * Multiples of these numbers lie far apart, so neighbouring ticks and sequences do, too. They are
 * the golden ratio, and its like in 2D.
 */
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
    /** The place at which time begins, right of the node numbers. */
    this.left = isWide ? 64 : 20;
    this.laneHeight = isWide ? 52 : 40;
    this.dotRadius = isWide ? 1.75 : 1.5;
    this.spanMs = isWide ? 48_000 : 32_000;
    this.isWide = isWide;
    /** @type {Lane[]} */
    this.lanes = [];
    /** The lanes by node, first the leased ones and then the classic ones. @type {Lane[][]} */
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

  /** Returns the first visible time. @param {number} nowMs */
  fromMs(nowMs) {
    // The picture moves by whole px, so that older parts of it can be moved and are not blurred.
    const px = Math.round(nowMs * this.pxPerMs);
    return px / this.pxPerMs - this.spanMs * PAST;
  }

  /**
   * Returns the place of a time, in px.
   *
   * @param {number} ms
   * @param {number} fromMs the first visible time
   */
  x(ms, fromMs) {
    return this.left + (ms - fromMs) * this.pxPerMs;
  }

  /**
   * Returns the time at a place.
   *
   * @param {number} x in px
   * @param {number} fromMs the first visible time
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
   * Returns the vertical place of a dot in the picture. It depends only on the id, so two dots are
   * in one place only if their ids are equal. It is `undefined` where the lane is not shown.
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
