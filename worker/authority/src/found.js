// What a caller gives that is no string, as an error shows it.

/** @param {unknown} value */
export function shown(value) {
  if (Array.isArray(value)) return "an array";
  if (Object(value) === value) return `${typeof value === "function" ? "a" : "an"} ${typeof value}`;
  return ["bigint", "symbol"].includes(typeof value)
    ? `the ${typeof value} ${String(value)}`
    : `${value}`;
}
