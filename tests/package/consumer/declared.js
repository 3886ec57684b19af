// Checked by tsc, and never run: the package is what its types say.

/**
 * @param {typeof import("../../../packages/edgeflake/lib/api.js")} api
 * @returns {typeof import("edgeflake")}
 */
export function declared(api) {
  return api;
}
