// Headers of a request, each read in one call from WebAssembly.

/** @param {Request} request @param {string} name */
export function header(request, name) {
  return request.headers.get(name) ?? undefined;
}
