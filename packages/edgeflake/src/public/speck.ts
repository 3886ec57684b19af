// Implements Speck64/128, a block cipher with blocks of 64 bits and keys of 128 bits, as
// src/public/speck.rs does in Rust. The block is in `halves`, so that no call allocates.

import { halves } from "../halves.js";

export type RoundKeys = Int32Array;

const ROUNDS = 27;

/** Makes the keys of all rounds from a key's words, the most significant word first. */
export function roundKeysOf([third, second, first, word]: number[]): RoundKeys {
  const words = [first, second, third];
  const keys = new Int32Array(ROUNDS);
  keys[0] = word;
  for (let i = 0; i < ROUNDS - 1; i++) {
    // The key schedule is the round function with the round's number as its key.
    const left = words[i % 3];
    words[i % 3] = (((left >>> 8) | (left << 24)) + keys[i]) ^ i;
    keys[i + 1] = ((keys[i] << 3) | (keys[i] >>> 29)) ^ words[i % 3];
  }
  return keys;
}

/** Encrypts the block in `halves`, in place. */
export function encrypt(keys: RoundKeys) {
  let left = halves[1] | 0;
  let right = halves[0] | 0;
  for (let i = 0; i < ROUNDS; i++) {
    left = (((left >>> 8) | (left << 24)) + right) ^ keys[i];
    right = ((right << 3) | (right >>> 29)) ^ left;
  }
  halves[0] = right;
  halves[1] = left;
}

/** Decrypts the block in `halves`, in place. */
export function decrypt(keys: RoundKeys) {
  let left = halves[1] | 0;
  let right = halves[0] | 0;
  for (let i = ROUNDS - 1; i >= 0; i--) {
    right ^= left;
    right = (right >>> 3) | (right << 29);
    left = ((left ^ keys[i]) - right) | 0;
    left = (left << 8) | (left >>> 24);
  }
  halves[0] = right;
  halves[1] = left;
}
