// Reads ids for the tests, without the code that is tested.

/** The layout `hazelcast` has 6 sequence bits above 16 node bits. */
const NODE_BITS = 16n;
const SEQUENCE_BITS = 6n;
const EPOCH_MS = 1_514_764_800_000n;

/** @param {bigint} id */
export const nodeOf = (id) => Number(BigInt.asUintN(Number(NODE_BITS), id));

/** @param {bigint} id */
export const millisOf = (id) => Number((id >> (NODE_BITS + SEQUENCE_BITS)) + EPOCH_MS);

/** Counts the ids that are equal to an earlier one. @param {Iterable<bigint>} ids */
export function countRepeated(ids) {
  const sorted = BigUint64Array.from(ids).sort();
  let repeated = 0;
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i] === sorted[i - 1]) repeated++;
  }
  return repeated;
}

/** @param {ArrayLike<bigint>} ids */
export const ascend = (ids) => Array.from(ids).every((id, i, all) => i === 0 || all[i - 1] < id);

/** Joins the ids of several answers. @param {BigUint64Array[]} answers */
export function together(answers) {
  const all = new BigUint64Array(answers.reduce((sum, ids) => sum + ids.length, 0));
  let length = 0;
  for (const ids of answers) {
    all.set(ids, length);
    length += ids.length;
  }
  return all;
}

/** @param {Iterable<bigint>} ids @returns their nodes, each once, ascending */
export const nodesOf = (ids) => [...new Set(Array.from(ids, nodeOf))].sort((a, b) => a - b);
