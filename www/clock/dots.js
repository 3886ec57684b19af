// The ids that may be seen. A place or an arrow key chooses one of them.

/** @import { Dot } from "./run.js" */
/** @import { Lane, Scale } from "./scale.js" */

/** The largest distance from a dot at which it is still hit, in px. */
const HIT_PX = 14;

/**
 * The width of the part, right of the visible one, in which dots are kept, as a multiple of the
 * visible width. Some ids are ahead of time.
 */
const AHEAD = 2;

/** Dots are kept by the second of their time, so that each search looks at few of them. */
const SECOND_MS = 1_000;

export class Dots {
  /**
   * The leased dots and the classic ones, each by second, in the order in which they were issued.
   *
   * @type {Map<number, Dot[]>[]}
   */
  #seconds = [new Map(), new Map()];

  /** @param {Dot} dot */
  add(dot) {
    const seconds = this.#seconds[Number(dot.isClassic)];
    const second = Math.floor(dot.ms / SECOND_MS);
    const dots = seconds.get(second);
    if (dots) dots.push(dot);
    else seconds.set(second, [dot]);
  }

  /**
   * Returns the dots of each second that a span of time touches, without those whose lanes are
   * hidden.
   *
   * @param {Scale} scale
   * @param {number} fromMs
   * @param {number} untilMs
   */
  about(scale, fromMs, untilMs) {
    /** @type {Dot[][]} */
    const found = [];
    for (const seconds of scale.hasClassic ? this.#seconds : [this.#seconds[0]]) {
      for (let at = Math.floor(fromMs / SECOND_MS); at * SECOND_MS < untilMs; at++) {
        const dots = seconds.get(at);
        if (dots) found.push(dots);
      }
    }
    return found;
  }

  /**
   * Returns the visible dots.
   *
   * @param {Scale} scale
   * @param {number} fromMs
   */
  seen(scale, fromMs) {
    const untilMs = fromMs + scale.spanMs;
    return this.about(scale, fromMs, untilMs)
      .flat()
      .filter(({ ms }) => ms >= fromMs && ms < untilMs);
  }

  /**
   * Returns the number of visible dots.
   *
   * @param {Scale} scale
   * @param {number} fromMs
   */
  count(scale, fromMs) {
    const untilMs = fromMs + scale.spanMs;
    let count = 0;
    for (const dots of this.about(scale, fromMs, untilMs)) {
      const second = Math.floor(dots[0].ms / SECOND_MS) * SECOND_MS;
      if (second >= fromMs && second + SECOND_MS <= untilMs) count += dots.length;
      else for (const { ms } of dots) count += Number(ms >= fromMs && ms < untilMs);
    }
    return count;
  }

  /**
   * Removes the dots that are not visible any more.
   *
   * @param {Scale} scale
   * @param {number} fromMs
   */
  prune(scale, fromMs) {
    const first = Math.floor(fromMs / SECOND_MS);
    const last = Math.floor((fromMs + (1 + AHEAD) * scale.spanMs) / SECOND_MS);
    for (const seconds of this.#seconds) {
      for (const at of seconds.keys()) if (at < first || at > last) seconds.delete(at);
    }
  }

  /**
   * Returns the dot at a place, or near it.
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
    const [leftMs, rightMs] = [x - HIT_PX, x + HIT_PX].map((px) => scale.ms(px, fromMs));
    for (const dot of this.about(scale, leftMs, rightMs).flat()) {
      const aside = scale.x(dot.ms, fromMs) - x;
      if (Math.abs(aside) > HIT_PX) continue;
      const dotY = scale.y(dot);
      if (dotY === undefined) continue;
      const far = aside ** 2 + (dotY - y) ** 2;
      // If two dots are in one place, this takes the newer one.
      if (far <= least) {
        least = far;
        nearest = dot;
      }
    }
    return nearest;
  }

  /**
   * Returns the dot beside another one. It is in the same lane, by time, or near it in time in the
   * next lane that has any. Without another one, it is the latest.
   *
   * @param {Scale} scale
   * @param {number} fromMs
   * @param {Dot | undefined} chosen
   * @param {"earlier" | "later" | "above" | "below"} where
   */
  beside(scale, fromMs, chosen, where) {
    const seen = this.seen(scale, fromMs);
    if (!chosen || !seen.includes(chosen)) return seen.reduce(latest, seen[0]);
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

/** @param {Dot} one @param {Dot} other */
function latest(one, other) {
  return other.ms >= one.ms ? other : one;
}
