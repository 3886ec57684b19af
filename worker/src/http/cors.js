// The headers that let a page read a response, set in one call from WebAssembly.

/** What a page may read beside the body. */
const EXPOSED =
  "Edgeflake-Node, Edgeflake-Span, Edgeflake-Incarnation, Edgeflake-Ahead-Millis, Retry-After, WWW-Authenticate";

/**
 * How long a browser may keep the answer to a preflight, in seconds: a day, of which most take 2
 * hours at most.
 */
const MAX_AGE = "86400";

/**
 * @param {Response} response
 * @param {boolean} varies with the origin
 * @param {string | undefined} origin whose pages may read it
 * @param {string | undefined} methods that a preflight asks for
 */
export function allow({ headers }, varies, origin, methods) {
  if (varies) headers.set("Vary", "Origin");
  if (!origin) return;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Expose-Headers", EXPOSED);
  if (!methods) return;
  headers.set("Access-Control-Allow-Methods", methods);
  headers.set("Access-Control-Allow-Headers", "Authorization, Content-Type");
  headers.set("Access-Control-Max-Age", MAX_AGE);
}
