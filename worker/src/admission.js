// The rate limit, asked in one call from WebAssembly.

/**
 * @typedef RateLimit
 * @property {(options: { key: string }) => Promise<{ success: boolean }>} limit
 */

/**
 * Whether a client may ask for so many units more. The limit counts one per call, in the memory of
 * the machine, so a request that weighs more calls it more often.
 *
 * @param {RateLimit} limiter
 * @param {string} key of the client
 * @param {number} units
 */
export async function limit(limiter, key, units) {
  const calls = Array.from({ length: units }, () => limiter.limit({ key }));
  return (await Promise.all(calls)).every(({ success }) => success);
}
