/**
 * Returns a value that all copies of this package with the same `globalThis` share; the first call
 * makes the value. There are copies because bundlers make one copy per kind of entry, and dev
 * servers evaluate a module again after each edit. The name ends with a version number: increase it
 * when the value's type changes, so that copies of different releases do not misread each other's
 * values.
 */
export function ofRealm<T>(name: string, make: () => T): T {
  const known = globalThis as unknown as Record<symbol, T>;
  const symbol = Symbol.for(`edgeflake/${name}`);
  known[symbol] ??= make();
  return known[symbol];
}
