// The header that keeps a browser from calling the Worker without TLS.

/** @param {Response} response @param {string} value */
export function secure({ headers }, value) {
  headers.set("Strict-Transport-Security", value);
}
