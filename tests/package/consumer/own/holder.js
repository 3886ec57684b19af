// A Worker that leases from edgeflake's Worker, which it binds as `IDS`: over RPC, over HTTP with a
// token, and through a Worker that has no method but `fetch`.

import { LeasedGenerator } from "edgeflake/lease";

export default {
  /** @param {Request} request @param {any} env */
  async fetch(request, env) {
    const { binding, sequencer, token, detach } = await request.json();
    const ids = new LeasedGenerator({ authority: env[binding], sequencer, token });
    try {
      if (detach) {
        await ids.detach();
        return Response.json({ state: ids.state });
      }
      // The previous test has detached it.
      await ids.attach();
      return Response.json({ id: String(await ids.next()), lease: ids.lease });
    } catch ({ code, message }) {
      return Response.json({ code, message });
    }
  },
};
