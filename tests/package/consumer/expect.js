// The assertions of the suite. They replace node:assert, which does not exist on every platform.

/**
 * Fails unless both values have the same JSON. In this JSON, bigints, typed arrays, NaN and
 * infinities are kept, too.
 *
 * @param {unknown} actual @param {unknown} expected
 */
export function equal(actual, expected) {
  const [found, wanted] = [print(actual), print(expected)];
  if (found !== wanted) throw new Error(`found ${found}, expected ${wanted}`);
}

/**
 * Fails unless the call throws an error with these properties.
 *
 * @param {() => unknown} call @param {Record<string, unknown>} expected
 */
export function throws(call, expected) {
  /** @type {unknown} */
  let answer;
  try {
    answer = call();
  } catch (error) {
    const found = /** @type {Record<string, unknown>} */ (error);
    equal(Object.fromEntries(Object.keys(expected).map((key) => [key, found[key]])), expected);
    return;
  }
  throw new Error(`found ${print(answer)}, expected an error ${print(expected)}`);
}

/** @param {unknown} value */
function print(value) {
  return JSON.stringify(value, (_, value) => {
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "number" && !Number.isFinite(value)) return `${value}`;
    if (ArrayBuffer.isView(value)) {
      return { [value.constructor.name]: Array.from(/** @type {any} */ (value)) };
    }
    return value;
  });
}
