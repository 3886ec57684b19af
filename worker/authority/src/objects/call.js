// A call of a Durable Object, made in one call from WebAssembly.

import * as platform from "cloudflare:workers";

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
 * @param {string} className by which the namespace is found where nothing is bound
 * @param {string} name of the object
 * @param {string | undefined} locationHint
 * @param {string} method
 * @param {string} url
 * @param {string | undefined} body
 */
export async function ask(env, binding, className, name, locationHint, method, url, body) {
  const namespace = env[binding] ?? platform.exports?.[className];
  if (!namespace) {
    throw new Error(
      `there is no binding ${binding} and no exported class ${className} with a migration`,
    );
  }
  // A stub must not be used again after an exception, so each call has its own.
  const stub = namespace.getByName(name, { locationHint });
  const response = await stub.fetch(url, { method, body });
  const text = await response.text();
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`status ${response.status}: ${text}`);
  return text;
}
