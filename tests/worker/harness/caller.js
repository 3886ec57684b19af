// A Worker that binds the built one as the service `IDS`, and calls what a test asks it to.

export default {
  /**
   * Answers with what `IDS[method](...args)` gives, its type and its constructor's name; bigints as
   * strings with an n.
   *
   * @param {Request} request @param {{ IDS: Record<string, (...args: unknown[]) => unknown> }} env
   */
  async fetch(request, env) {
    const { method, args } = await request.json();
    const read = (/** @type {unknown} */ arg) =>
      typeof arg === "string" && /^\d+n$/.test(arg) ? BigInt(arg.slice(0, -1)) : arg;
    try {
      const value = await env.IDS[method](...args.map(read));
      const list = ArrayBuffer.isView(value) ? Array.from(value) : value;
      const text = JSON.stringify(
        { type: typeof value, class: value?.constructor?.name, value: list },
        (_, inner) => (typeof inner === "bigint" ? `${inner}n` : inner),
      );
      return new Response(text);
    } catch (error) {
      return Response.json({ error: error.message });
    }
  },
};
