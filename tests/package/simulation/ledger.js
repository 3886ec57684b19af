// Every id of a world. None may come twice.

export class Ledger {
  /** The process that has each id. @type {Map<bigint, string>} */
  #owners = new Map();

  /** Adds an id, and returns the error if there is one. @param {bigint} id @param {string} owner */
  add(id, owner) {
    const other = this.#owners.get(id);
    if (other !== undefined) return `id ${id} came twice: to ${other} and to ${owner}`;
    this.#owners.set(id, owner);
    return undefined;
  }
}

/**
 * @typedef {object} Span
 * @property {number} node
 * @property {number} fromTick
 * @property {number} untilTick
 * @property {number} usedTick the first tick after its taken ids
 * @property {string | undefined} owner the process that last heard of it, unless it has left
 */

/** Every lease that processes heard of. The usable parts of two leases may not overlap. */
export class Leases {
  /** @type {Span[]} */
  #spans = [];

  /**
   * Adds a lease that a process hears of, and returns the error if there is one. A renewal makes
   * its lease longer, and a process that resumes a lease takes it over.
   *
   * @param {{ node: number, fromTick: number, untilTick: number }} lease
   * @param {string} owner
   * @param {boolean} isNew
   */
  add({ node, fromTick, untilTick }, owner, isNew) {
    // The process has left its lease before, or does so now.
    if (isNew) this.leave(owner);
    const isOwn = (/** @type {Span} */ span) =>
      !isNew && span.node === node && span.fromTick <= fromTick && fromTick < span.untilTick;
    const own = this.#spans.find(isOwn) ?? { node, fromTick, untilTick, usedTick: fromTick, owner };
    if (isNew) this.#spans.push(own);
    Object.assign(own, { owner, untilTick: Math.max(untilTick, own.untilTick) });
    const other = this.#spans.find(
      (span) =>
        span !== own &&
        span.node === node &&
        span.fromTick < own.untilTick &&
        own.fromTick < span.untilTick,
    );
    if (!other) return undefined;
    const theirs = `${other.fromTick}..${other.untilTick} of ${other.owner ?? "one that has left it"}`;
    return `node ${node}, ${own.fromTick}..${own.untilTick} of ${owner} overlaps ${theirs}`;
  }

  /**
   * Notes that an id of a node was taken in this tick.
   *
   * @param {number} node
   * @param {number} tick
   */
  use(node, tick) {
    for (const span of this.#spans) {
      if (span.node !== node || tick < span.fromTick || tick >= span.untilTick) continue;
      span.usedTick = Math.max(span.usedTick, tick + 1);
    }
  }

  /**
   * Notes that a process gives its lease back, so that the unused part may be granted again.
   *
   * @param {string} owner
   */
  leave(owner) {
    for (const span of this.#spans) {
      if (span.owner !== owner) continue;
      span.owner = undefined;
      span.untilTick = span.usedTick;
    }
  }
}
