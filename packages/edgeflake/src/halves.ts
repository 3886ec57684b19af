// An id as two halves of 32 bits, which are numbers: arithmetic on a bigint, and its passing to the
// module, take longer.

const whole = new BigUint64Array(1);

/** The low 32 bits of the last id that was split, then the high ones. */
export const halves: Uint32Array = new Uint32Array(whole.buffer);

export function split(id: bigint) {
  whole[0] = id;
}

export function joined(low: number, high: number): bigint {
  halves[0] = low;
  halves[1] = high;
  return whole[0];
}
