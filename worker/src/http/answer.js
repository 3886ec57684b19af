// Responses, each made in one call from WebAssembly, which would make another call to set a header.

/** No cache keeps an answer, and no browser takes it for another type than it says. */
const ALWAYS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/**
 * @param {number} status
 * @param {string | undefined} type
 * @param {string | undefined} body
 * @param {string | undefined} name of one more header
 * @param {string | undefined} value
 */
export function answer(status, type, body, name, value) {
  /** @type {Record<string, string>} */
  const headers = { ...ALWAYS };
  if (type) headers["Content-Type"] = type;
  if (name && value) headers[name] = value;
  return new Response(body, { status, headers });
}

/**
 * What answers with ids are made after: its headers are taken over as they are, where each of an
 * object's is read from JavaScript, at the price of some ids.
 */
const pattern = new Response(null, { headers: ALWAYS });
const { headers } = pattern;

/** What the headers say. Most often they say the same of the next ids. */
let said = { type: "", node: -1, fromTick: -1, untilTick: -1, incarnation: -1, aheadMs: -1 };

/**
 * Ids, with where they come from.
 *
 * @param {string} type
 * @param {Uint8Array | BigUint64Array} body a view of WebAssembly's memory
 * @param {number} node
 * @param {number} fromTick
 * @param {number} untilTick
 * @param {number} incarnation
 * @param {number} aheadMs
 */
function issued(type, body, node, fromTick, untilTick, incarnation, aheadMs) {
  if (type !== said.type) headers.set("Content-Type", type);
  if (node !== said.node) headers.set("Edgeflake-Node", `${node}`);
  if (fromTick !== said.fromTick || untilTick !== said.untilTick) {
    // An id of a batch has no span.
    if (untilTick > 0) headers.set("Edgeflake-Span", `${fromTick}/${untilTick}`);
    else headers.delete("Edgeflake-Span");
  }
  if (incarnation !== said.incarnation) headers.set("Edgeflake-Incarnation", `${incarnation}`);
  if (aheadMs !== said.aheadMs) headers.set("Edgeflake-Ahead-Millis", `${aheadMs}`);
  said = { type, node, fromTick, untilTick, incarnation, aheadMs };
  return new Response(body.slice(), pattern);
}

export { issued as issuedBinary, issued as issuedText };
