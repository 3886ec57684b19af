// Responses, each made in one call from WebAssembly: a header that is set from there is a call of
// its own.

/**
 * @param {number} status
 * @param {string | undefined} type
 * @param {string | undefined} body
 * @param {string | undefined} name of one more header
 * @param {string | undefined} value
 */
export function answer(status, type, body, name, value) {
  /** @type {Record<string, string>} */
  const headers = { "Cache-Control": "no-store" };
  if (type) headers["Content-Type"] = type;
  if (name && value) headers[name] = value;
  return new Response(body, { status, headers });
}

/**
 * Ids, with where they come from.
 *
 * @param {string} type
 * @param {string | BigUint64Array} body an array is a view of WebAssembly's memory
 * @param {number} node
 * @param {number} fromTick
 * @param {number} untilTick
 * @param {number} incarnation
 * @param {number} aheadMs
 */
function issued(type, body, node, fromTick, untilTick, incarnation, aheadMs) {
  /** @type {Record<string, string>} */
  const headers = {
    "Cache-Control": "no-store",
    "Content-Type": type,
    "Edgeflake-Node": `${node}`,
    "Edgeflake-Incarnation": `${incarnation}`,
    "Edgeflake-Ahead-Millis": `${aheadMs}`,
  };
  // An id of a batch is of no span.
  if (untilTick > 0) headers["Edgeflake-Span"] = `${fromTick}/${untilTick}`;
  return new Response(typeof body === "string" ? body : body.slice(), { headers });
}

export { issued as issuedBinary, issued as issuedText };
