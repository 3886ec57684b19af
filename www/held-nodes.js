// Which nodes of a sequencer are held at a moment, from what its shards have written down.

/**
 * @typedef {object} NodesAnswer what `GET .../nodes` answers
 * @property {number} epoch_ms
 * @property {number} tick_ms
 * @property {number} node_count
 * @property {{ shard: number, tick: number, node: number[], until: number[], held: number[] }[]}
 *   shards nodes that were ever used: in how many ticks from `tick` the last lease of each ends,
 *   and 0 if it was given back
 */

/**
 * @typedef {object} Held
 * @property {{ shard: number, nodes: number[], held: boolean[] }[]} shards nodes in ascending order
 * @property {number} heldCount
 * @property {number} freeCount of all nodes there are, used or not
 */

/**
 * @param {NodesAnswer} answer
 * @param {number} nowMs
 * @returns {Held}
 */
export function heldNodes({ epoch_ms, tick_ms, node_count, shards }, nowMs) {
  const nowTick = (nowMs - epoch_ms) / tick_ms;
  let heldCount = 0;
  const sorted = shards.map(({ shard, tick, node, until, held }) => {
    const order = Array.from(node, (_, i) => i).sort((a, b) => node[a] - node[b]);
    // A lease that has ended holds nothing, even if it was not given back.
    const holds = order.map((i) => Boolean(held[i]) && tick + until[i] > nowTick);
    heldCount += holds.filter(Boolean).length;
    return { shard, nodes: order.map((i) => node[i]), held: holds };
  });
  return { shards: sorted, heldCount, freeCount: node_count - heldCount };
}
