// Splits ids into two 32-bit halves. The halves are JavaScript numbers, which are faster than
// bigints in arithmetic and as arguments of the WebAssembly module.

const whole = new BigUint64Array(1);

/** The low and then the high 32 bits of the id that was last split or joined. */
export const halves: Uint32Array = new Uint32Array(whole.buffer);

export function split(id: bigint) {
  whole[0] = id;
}

export function joined(low: number, high: number): bigint {
  halves[0] = low;
  halves[1] = high;
  return whole[0];
}
