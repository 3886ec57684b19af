// A problem as an error, made in one call from WebAssembly.

/**
 * @param {string} code
 * @param {string} message
 * @param {number | undefined} retryInMs
 */
export function error(code, message, retryInMs) {
  return Object.assign(new Error(message), { code }, retryInMs !== undefined && { retryInMs });
}
