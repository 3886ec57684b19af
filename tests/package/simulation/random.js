// Draws random numbers from a seed, by xorshift64*, as the Rust simulation does.

const MASK = (1n << 64n) - 1n;

export class Random {
  #state;

  /** @param {number | bigint} seed */
  constructor(seed) {
    this.#state = ((BigInt(seed) * 0x9e37_79b9_7f4a_7c15n) & MASK) | 1n;
    // The first numbers are dropped, because small seeds begin with similar ones.
    for (let i = 0; i < 4; i++) this.bits();
  }

  bits() {
    let state = this.#state;
    state ^= state >> 12n;
    state = (state ^ (state << 25n)) & MASK;
    state ^= state >> 27n;
    this.#state = state;
    return (state * 0x2545_f491_4f6c_dd1dn) & MASK;
  }

  /** Draws a number from 0 to below `bound`. @param {number} bound */
  below(bound) {
    return Number((this.bits() >> 11n) % BigInt(bound));
  }

  /** @param {number} n */
  oneIn(n) {
    return this.below(n) === 0;
  }

  /** @template T @param {readonly T[]} of @returns {T} */
  pick(of) {
    return of[this.below(of.length)];
  }

  /**
   * Draws a time of about `meanMs` on average. A quarter of the times are 0, so that many events
   * happen at the same time.
   *
   * @param {number} meanMs
   */
  pauseMs(meanMs) {
    const kind = this.below(4);
    if (kind === 0) return 0;
    if (kind === 1) return this.below(meanMs + 1);
    return kind === 2 ? meanMs : this.below(3 * meanMs + 1) + Math.floor(meanMs / 2);
  }

  /**
   * Fills a view with random bytes, in place of the platform's function.
   *
   * @template {ArrayBufferView} T
   * @param {T} view
   * @returns {T}
   */
  fill(view) {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Number(this.bits() >> 56n);
    return view;
  }

  /** Returns a text that differs from all texts drawn before. */
  uuid() {
    return this.bits().toString(16).padStart(16, "0");
  }
}
