/**
 * Returns a value that all copies of this package with the same `globalThis` share. The first call
 * makes the value. A program may have several copies, because bundlers make one per kind of entry,
 * and dev servers evaluate a module again after each edit. The name ends with a version number:
 * increase it when the value's type changes, so that copies of different releases do not misread
 * the value.
 */
export function ofRealm<T>(name: string, make: () => T): T {
  const known = globalThis as unknown as Record<symbol, T>;
  const symbol = Symbol.for(`edgeflake/${name}`);
  known[symbol] ??= make();
  return known[symbol];
}

/** Tells whether this code runs in a Cloudflare Worker. */
export const isWorker = () => globalThis.navigator?.userAgent === "Cloudflare-Workers";
