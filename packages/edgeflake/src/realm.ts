/**
 * Returns the value that all copies of this package in a realm share. Bundlers make a copy for each
 * kind of entry, and a dev server evaluates a module again after each edit. The name ends with the
 * version of the value's shape, so that copies of different releases understand each other.
 */
export function ofRealm<T>(name: string, make: () => T): T {
  const known = globalThis as unknown as Record<symbol, T>;
  const symbol = Symbol.for(`edgeflake/${name}`);
  known[symbol] ??= make();
  return known[symbol];
}
