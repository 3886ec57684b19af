// What is read of a request, each in one call from WebAssembly.

/** @param {Request} request @param {string} name */
export function header(request, name) {
  return request.headers.get(name) ?? undefined;
}

/**
 * Reads a body up to its limit and no further: its text, or the number of bytes that were read when
 * they were too many. Undefined says that they took too long.
 *
 * @param {Request} request
 * @param {number} bytesMax
 * @param {number} ms
 */
export async function readBody({ body }, bytesMax, ms) {
  if (!body) return "";
  const reader = body.getReader();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Promise<void>} */
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  const decoder = new TextDecoder();
  let [text, length] = ["", 0];
  try {
    for (;;) {
      const chunk = await Promise.race([reader.read(), late]);
      if (!chunk) return undefined;
      if (chunk.done) return text + decoder.decode();
      length += chunk.value.length;
      if (length > bytesMax) return length;
      text += decoder.decode(chunk.value, { stream: true });
    }
  } finally {
    clearTimeout(timer);
    // Nothing reads the rest. One that broke off cannot be cancelled.
    reader.cancel().catch(() => {});
  }
}
