// tsc checks this file, which never runs: the package is what its types say.

/**
 * @param {typeof import("../../../packages/edgeflake/lib/api.js")} api
 * @returns {typeof import("edgeflake")}
 */
export function declared(api) {
  return api;
}
