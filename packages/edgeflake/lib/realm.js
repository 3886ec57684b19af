/**
 * What all copies of this package in a realm have in common. Bundlers make a copy for each kind of
 * entry, and a dev server evaluates a module again after each edit. The name ends with the version of
 * what it holds, so that copies of different releases understand each other.
 *
 * @template T
 * @param {string} name
 * @param {() => T} make
 * @returns {T}
 */
export function ofRealm(name, make) {
  const known = /** @type {Record<symbol, T>} */ (/** @type {unknown} */ (globalThis));
  const symbol = Symbol.for(`edgeflake/${name}`);
  known[symbol] ??= make();
  return known[symbol];
}
