// Whether a request has a body, which is asked in JavaScript: a call from WebAssembly costs as much.

/**
 * Whether there is a body; undefined if only reading it tells.
 *
 * @param {Request} request
 */
export function hasBody(request) {
  // Most have none, and a header costs several times as much.
  if (request.body === null) return false;
  const length = request.headers.get("content-length");
  return length === null ? undefined : length !== "0";
}
