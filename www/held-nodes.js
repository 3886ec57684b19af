// The nodes of a sequencer that are held at a moment, from the rows of its shards.

/**
 * @typedef {object} NodesAnswer the answer to `GET .../nodes`
 * @property {number} epoch_ms
 * @property {number} tick_ms
 * @property {number} node_count
 * @property {{ shard: number, tick: number, node: number[], until: number[], held: number[] }[]}
 * shards nodes that were ever used, with the number of ticks from `tick` to the end of the last
 * lease of each, which is 0 if it was given back
 */

/**
 * @typedef {object} Held
 * @property {{ shard: number, nodes: number[], held: boolean[] }[]} shards nodes in ascending order
 * @property {number} heldCount
 * @property {number} freeCount number of all free nodes, used or not
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
