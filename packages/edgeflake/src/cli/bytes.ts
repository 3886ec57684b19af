// Builds the output of the command line as bytes, which is faster than a string per number.

const DAY_MS = 86_400_000;

/** Numbers below `LOW` have at most eight digits. */
const LOW = 100_000_000;

/** An id is divided in steps of 16 bits, so that all numbers stay below 2^53. */
const STEP = 65_536;

/** The ASCII digits of the numbers 00 to 99, two per number. */
const PAIRS = Uint8Array.from({ length: 200 }, (_, i) => {
  const number = i >> 1;
  return 48 + (i % 2 === 0 ? Math.trunc(number / 10) : number % 10);
});

/** Number of bytes that are enough for any number or id. */
const NUMBER_MAX = 24;

/** Above this number of bytes, a call of `set` is faster than a loop that copies them. */
const CALL_MIN = 32;

const encoder = new TextEncoder();

export const bytesOf = (text: string) => encoder.encode(text);

export class Bytes {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  /** The day of the last date that was written, in days since 1970, and its midnight as text. */
  #day = NaN;
  #midnight = new Uint8Array();

  get length() {
    return this.#length;
  }

  /** Returns the bytes that were appended since the last call. */
  take() {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = new Uint8Array(this.#bytes.length);
    this.#length = 0;
    return taken;
  }

  put(bytes: Uint8Array) {
    const { length } = bytes;
    if (this.#length + length > this.#bytes.length) this.#grow(length);
    const [all, at] = [this.#bytes, this.#length];
    if (length > CALL_MIN) all.set(bytes, at);
    else for (let i = 0; i < length; i++) all[at + i] = bytes[i];
    this.#length = at + length;
  }

  /** Appends an integer from 0 to 2^53 in decimal digits. */
  number(number: number) {
    if (this.#length + NUMBER_MAX > this.#bytes.length) this.#grow(NUMBER_MAX);
    if (number < LOW) {
      this.#short(number);
      return;
    }
    const high = Math.floor(number / LOW);
    this.#short(high);
    this.#eight(number - high * LOW);
  }

  /** Appends an id, given as two 32-bit halves. Returns whether the last digit is 0. */
  id(high: number, low: number) {
    if (this.#length + NUMBER_MAX > this.#bytes.length) this.#grow(NUMBER_MAX);
    const first = Math.floor(high / LOW);
    const middle = (high - first * LOW) * STEP + (low >>> 16);
    const second = Math.floor(middle / LOW);
    const last = (middle - second * LOW) * STEP + (low & (STEP - 1));
    const third = Math.floor(last / LOW);
    const before = (first * STEP + second) * STEP + third;
    const digits = last - third * LOW;
    if (before === 0) {
      this.#short(digits);
    } else {
      this.number(before);
      this.#eight(digits);
    }
    return this.#bytes[this.#length - 1] === 48;
  }

  /** Appends a time in the format of `Date.toISOString`. */
  iso(ms: number) {
    const days = Math.floor(ms / DAY_MS);
    if (days !== this.#day) {
      this.#day = days;
      this.#midnight = bytesOf(new Date(days * DAY_MS).toISOString());
    }
    this.put(this.#midnight);
    const bytes = this.#bytes;
    const at = this.#length - "00:00:00.000Z".length;
    const all = ms - days * DAY_MS;
    const seconds = (all / 1000) | 0;
    const millis = all - 1000 * seconds;
    const minutes = (seconds / 60) | 0;
    const hours = (minutes / 60) | 0;
    const hundreds = (millis / 100) | 0;
    pair(bytes, at, hours);
    pair(bytes, at + "00:".length, minutes - 60 * hours);
    pair(bytes, at + "00:00:".length, seconds - 60 * minutes);
    bytes[at + "00:00:00.".length] = 48 + hundreds;
    pair(bytes, at + "00:00:00.0".length, millis - 100 * hundreds);
  }

  #grow(more: number) {
    const larger = new Uint8Array(2 * (this.#bytes.length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  /** Appends a number below 2^31 without leading zeros. */
  #short(number: number) {
    let rest = number | 0;
    let digits = 1;
    for (let power = 10; digits < 10 && power <= rest; power *= 10) digits += 1;
    const bytes = this.#bytes;
    const at = this.#length;
    for (let i = at + digits - 1; i >= at; i--) {
      const tenth = (rest / 10) | 0;
      bytes[i] = 48 + rest - 10 * tenth;
      rest = tenth;
    }
    this.#length = at + digits;
  }

  /** Appends a number below 10^8 in eight digits. */
  #eight(number: number) {
    const bytes = this.#bytes;
    const whole = number | 0;
    const first = (whole / 10_000) | 0;
    const second = whole - 10_000 * first;
    const [one, three] = [(first / 100) | 0, (second / 100) | 0];
    let at = pair(bytes, this.#length, one);
    at = pair(bytes, at, first - 100 * one);
    at = pair(bytes, at, three);
    this.#length = pair(bytes, at, second - 100 * three);
  }
}

/** Writes a number below 100 as two digits. Returns the index after them. */
function pair(bytes: Uint8Array, at: number, number: number) {
  bytes[at] = PAIRS[2 * number];
  bytes[at + 1] = PAIRS[2 * number + 1];
  return at + 2;
}
