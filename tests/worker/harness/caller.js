// A Worker that binds the built Worker as the service `IDS`, and calls its methods as a test asks.

export default {
  /**
   * Calls `IDS[method](...args)`, or the method of a sequencer of `IDS`. Answers with the result,
   * its type and its constructor's name. Bigints become strings with an n.
   *
   * @param {Request} request @param {{ IDS: Record<string, (...args: unknown[]) => unknown> }} env
   */
  async fetch(request, env) {
    const { method, args, sequencer } = await request.json();
    const read = (/** @type {unknown} */ arg) =>
      typeof arg === "string" && /^\d+n$/.test(arg) ? BigInt(arg.slice(0, -1)) : arg;
    try {
      // The sequencer is not awaited before its method is called.
      const target = sequencer === undefined ? env.IDS : env.IDS.sequencer(...sequencer);
      const value = await target[method](...args.map(read));
      const list = ArrayBuffer.isView(value) ? Array.from(value) : value;
      const text = JSON.stringify(
        { type: typeof value, class: value?.constructor?.name, value: list },
        (_, inner) => (typeof inner === "bigint" ? `${inner}n` : inner),
      );
      return new Response(text);
    } catch (error) {
      const { message, code, retryInMs } = error;
      return Response.json({ error: message, code, retryInMs });
    }
  },
};
