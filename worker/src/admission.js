// The rate limit, asked in one call from WebAssembly.

/**
 * @typedef RateLimit
 * @property {(options: { key: string }) => Promise<{ success: boolean }>} limit
 */

/**
 * Whether a client may ask once more.
 *
 * @param {RateLimit} limiter
 * @param {string} key of the client
 */
export async function limit(limiter, key) {
  const { success } = await limiter.limit({ key });
  return success;
}
