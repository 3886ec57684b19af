// What tests know of ids, apart from the code that makes them.

/** The layout `hazelcast`: 6 sequence bits over 16 node bits. */
const NODE_BITS = 16n;
const SEQUENCE_BITS = 6n;
const EPOCH_MS = 1_514_764_800_000n;

/** @param {bigint} id */
export const nodeOf = (id) => Number(BigInt.asUintN(Number(NODE_BITS), id));

/** @param {bigint} id */
export const millisOf = (id) => Number((id >> (NODE_BITS + SEQUENCE_BITS)) + EPOCH_MS);

/**
 * How many of the ids are there already.
 *
 * @param {Iterable<bigint>} ids
 */
export function countRepeated(ids) {
  const sorted = BigUint64Array.from(ids).sort();
  let repeated = 0;
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i] === sorted[i - 1]) repeated++;
  }
  return repeated;
}

/** @param {bigint[]} ids */
export const ascend = (ids) => ids.every((id, i) => i === 0 || ids[i - 1] < id);
