// Every id of a world: none may come twice.

export class Ledger {
  /** Which process has each. @type {Map<bigint, string>} */
  #owners = new Map();

  /** Adds an id, and says what is wrong with it. @param {bigint} id @param {string} owner */
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
 * @property {number} usedTick the first tick after the ids that were taken of it
 * @property {string | undefined} owner the process that heard of it last, unless it has left it
 */

/** Every lease that processes were told of: no two may overlap, as far as they can be used. */
export class Leases {
  /** @type {Span[]} */
  #spans = [];

  /**
   * Adds what a process is told of its lease, and says what is wrong with it. A renewal makes the lease
   * longer that it has, and a process that goes on with a lease takes it over.
   *
   * @param {{ node: number, fromTick: number, untilTick: number }} lease
   * @param {string} owner
   * @param {boolean} isNew
   */
  add({ node, fromTick, untilTick }, owner, isNew) {
    // It has left the one before, or does so now.
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

  /** An id of a node was taken in this tick. @param {number} node @param {number} tick */
  use(node, tick) {
    for (const span of this.#spans) {
      if (span.node !== node || tick < span.fromTick || tick >= span.untilTick) continue;
      span.usedTick = Math.max(span.usedTick, tick + 1);
    }
  }

  /** A process gives its lease back, so what it has not used of it may be granted again. @param {string} owner */
  leave(owner) {
    for (const span of this.#spans) {
      if (span.owner !== owner) continue;
      span.owner = undefined;
      span.untilTick = span.usedTick;
    }
  }
}
