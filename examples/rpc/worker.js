// A Worker that calls edgeflake's over RPC: no dependency, and no node of its own.

export default {
  /** @param {Request} request @param {{ IDS: any }} env */
  async fetch(request, env) {
    const count = new URL(request.url).searchParams.get("count");
    if (count !== null) {
      // A BigUint64Array; 1 to 100,000 in one call.
      const ids = await env.IDS.batch(Number(count));
      return Response.json({ ids: Array.from(ids, String) });
    }
    const id = await env.IDS.next(); // a bigint
    return Response.json({ id: String(id), says: await env.IDS.decode(id, "hazelcast") });
  },
};
