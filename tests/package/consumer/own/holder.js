// A Worker that binds edgeflake's Worker as `IDS` and leases from it: over RPC, over HTTP with a
// token, and through a Worker whose only method is `fetch`.

import { WorkerEntrypoint } from "cloudflare:workers";
import { LeasedGenerator } from "edgeflake/lease";

/** A Worker in front of edgeflake's Worker. It adds the token. */
export class Front extends WorkerEntrypoint {
  /** @param {Request} request */
  fetch(request) {
    const passed = new Request(request);
    passed.headers.set("Authorization", "Bearer lease-token-of-tests");
    return this.env.IDS.fetch(passed);
  }
}

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
      // An earlier request may have detached the holder that this generator shares.
      await ids.attach();
      return Response.json({ id: String(await ids.next()), lease: ids.lease });
    } catch ({ code, message }) {
      return Response.json({ code, message });
    }
  },
};
