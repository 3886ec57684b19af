// What is read of a request, each in one call from WebAssembly.

/** @param {Request} request @param {string} name */
export function header(request, name) {
  return request.headers.get(name) ?? undefined;
}

/** Whether a body of unknown length has a byte. @param {Request} request */
export async function readsBody({ body }) {
  const first = await body?.getReader().read();
  return first?.value !== undefined;
}
