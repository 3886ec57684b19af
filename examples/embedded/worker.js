// A Worker with edgeflake inside: its Durable Objects grant leases, and each of its isolates leases
// a node from them and issues ids from its own memory.

import { env } from "cloudflare:workers";
import { EdgeflakeError, Layout } from "edgeflake";
import { LeasedGenerator } from "edgeflake/lease";

export { Authority, Directory } from "edgeflake/authority";

const ids = new LeasedGenerator({ authority: env.AUTHORITY });

export default {
  async fetch() {
    try {
      const id = await ids.next();
      const { date, node, sequence } = Layout.parse(ids.layout).decode(id);
      return Response.json({ id: String(id), date, node, sequence, lease: ids.lease });
    } catch (error) {
      if (!(error instanceof EdgeflakeError)) throw error;
      const headers = { "retry-after": String(Math.ceil((error.retryInMs ?? 1_000) / 1_000)) };
      return new Response(error.message, { status: 503, headers });
    }
  },
};
