// A call of a Durable Object, made in one call from WebAssembly.

/**
 * @typedef Namespace
 * @property {(name: string, options: { locationHint?: string }) => Stub} getByName
 *
 * @typedef Stub
 * @property {(url: string, init: { method: string, body?: string }) => Promise<Response>} fetch
 */

/**
 * The text that an object answers; undefined for a 404.
 *
 * @param {Record<string, Namespace>} env
 * @param {string} binding of the object's namespace
 * @param {string} name of the object
 * @param {string | undefined} locationHint
 * @param {string} method
 * @param {string} url
 * @param {string | undefined} body
 */
export async function ask(env, binding, name, locationHint, method, url, body) {
  // A stub must not be used again after an exception, so each call has its own.
  const stub = env[binding].getByName(name, { locationHint });
  const response = await stub.fetch(url, { method, body });
  const text = await response.text();
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`status ${response.status}: ${text}`);
  return text;
}
