// The namespaces of the Durable Objects, and a call of an object, made in one call from WebAssembly.

import * as platform from "cloudflare:workers";

/**
 * @typedef Namespace
 * @property {(name: string, options: { locationHint?: string }) => Stub} getByName
 *
 * @typedef Stub
 * @property {(url: string, init: { method: string, body?: string }) => Promise<Response>} fetch
 */

/** The status of the answer of an object that cannot read what is stored. */
const UNREADABLE = 507;

/** The status of the answer of a shard whose witness does not answer. */
export const UNWITNESSED = 504;

/**
 * The namespace of a class.
 *
 * @param {Record<string, Namespace>} env
 * @param {string} binding of the namespace
 * @param {string} className by which it is found where nothing is bound
 * @returns {Namespace}
 */
export function namespaceOf(env, binding, className) {
  const { exports } = /** @type {{ exports?: Record<string, any> }} */ (platform);
  const namespace = /** @type {Partial<Namespace>} */ (env[binding] ?? exports?.[className]);
  // Without a migration there is the class.
  if (namespace?.getByName) return /** @type {Namespace} */ (namespace);
  throw new Error(
    `there is no binding ${binding} and no exported class ${className} with a migration: add one`,
  );
}

/**
 * The text that an object answers; undefined for a 404.
 *
 * @param {Record<string, Namespace>} env
 * @param {string} binding
 * @param {string} className
 * @param {string} name of the object
 * @param {string | undefined} locationHint
 * @param {string} method
 * @param {string} url
 * @param {string | undefined} body
 */
export async function ask(env, binding, className, name, locationHint, method, url, body) {
  // A stub must not be used again after an exception, so each call has its own.
  const stub = namespaceOf(env, binding, className).getByName(name, { locationHint });
  const response = await stub.fetch(url, { method, body });
  const text = await response.text();
  if (response.status === 404) return undefined;
  if (!response.ok) {
    const { status } = response;
    const [unreadable, unwitnessed] = [status === UNREADABLE, status === UNWITNESSED];
    throw Object.assign(new Error(`status ${status}: ${text}`), { unreadable, unwitnessed });
  }
  return text;
}

/**
 * What a promise comes to; an error if that takes longer.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {number} maxMs
 * @returns {Promise<T>}
 */
export async function inTime(promise, maxMs) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, maxMs, new Error("there was no answer in time"));
  });
  try {
    return await /** @type {Promise<any>} */ (Promise.race([promise, late]));
  } finally {
    clearTimeout(timer);
  }
}
