// The ids that may be seen, and which of them is meant by a place or by an arrow key.

/** @import { Dot } from "./run.js" */
/** @import { Lane, Scale } from "./scale.js" */

/** So far from a dot it is still hit, in px. */
const HIT_PX = 14;

/** How far right of what is seen dots are kept, as its multiple: some are ahead of time. */
const AHEAD = 2;

export class Dots {
  /** In the order in which they were issued. @type {Dot[]} */
  all = [];

  /**
   * Those in what is seen.
   *
   * @param {Scale} scale
   * @param {number} fromMs
   */
  seen(scale, fromMs) {
    const untilMs = fromMs + scale.spanMs;
    return this.all.filter(
      (dot) => dot.ms >= fromMs && dot.ms < untilMs && scale.y(dot) !== undefined,
    );
  }

  /**
   * How many are in what is seen.
   *
   * @param {Scale} scale
   * @param {number} fromMs
   */
  count(scale, fromMs) {
    const untilMs = fromMs + scale.spanMs;
    let count = 0;
    for (const { ms, node, isClassic } of this.all) {
      if (ms >= fromMs && ms < untilMs && scale.lane(isClassic, node)) count++;
    }
    return count;
  }

  /**
   * Lets go of dots that will not be seen any more, nor soon.
   *
   * @param {Scale} scale
   * @param {number} fromMs
   */
  prune(scale, fromMs) {
    const untilMs = fromMs + (1 + AHEAD) * scale.spanMs;
    this.all = this.all.filter(({ ms }) => ms >= fromMs && ms < untilMs);
  }

  /**
   * The dot at a place, or near it.
   *
   * @param {Scale} scale
   * @param {number} fromMs
   * @param {number} x in px
   * @param {number} y in px
   */
  at(scale, fromMs, x, y) {
    /** @type {Dot | undefined} */
    let nearest;
    let least = HIT_PX ** 2;
    for (const dot of this.all) {
      const aside = scale.x(dot.ms, fromMs) - x;
      if (Math.abs(aside) > HIT_PX) continue;
      const dotY = scale.y(dot);
      if (dotY === undefined) continue;
      const far = aside ** 2 + (dotY - y) ** 2;
      // Of two in one place it is the newer one.
      if (far <= least) {
        least = far;
        nearest = dot;
      }
    }
    return nearest;
  }

  /**
   * The dot beside another one: in its lane, by time, or in the next lane that has any, near it in
   * time. Without one, the newest.
   *
   * @param {Scale} scale
   * @param {number} fromMs
   * @param {Dot | undefined} chosen
   * @param {"earlier" | "later" | "above" | "below"} where
   */
  beside(scale, fromMs, chosen, where) {
    const seen = this.seen(scale, fromMs);
    if (!chosen || !seen.includes(chosen)) return seen.at(-1);
    const order = scale.lanes.findIndex((lane) => isIn(chosen, lane));
    if (where === "earlier" || where === "later") {
      const lane = seen
        .filter((dot) => isIn(dot, scale.lanes[order]))
        .sort((a, b) => a.ms - b.ms || a.sequence - b.sequence);
      return lane[lane.indexOf(chosen) + (where === "later" ? 1 : -1)] ?? chosen;
    }
    const { lanes } = scale;
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
