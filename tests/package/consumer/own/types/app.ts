// This code of the README must compile against the output of `wrangler types`.
import { env, exports } from "cloudflare:workers";
import { admin, type SequencerStatus } from "edgeflake/authority";
import { LeasedGenerator } from "edgeflake/lease";
import type { DecodedId } from "edgeflake/worker";

export { Authority, Directory } from "edgeflake/authority";

const leased = new LeasedGenerator({ authority: env.AUTHORITY, shards: 4 });
new LeasedGenerator({ authority: env.THEIRS });
new LeasedGenerator({ authority: env.IDS });

export default {
  async fetch(_request, env) {
    const id: bigint = await env.IDS.next();
    const ids: BigUint64Array = await env.IDS.batch(1000);
    const text: string = await env.IDS.nextString("base62");
    const decoded: DecodedId = await env.IDS.decode(id, "twitter");
    const node: string | undefined = decoded.readings[0]?.node;

    const order: bigint = await env.IDS.sequencer("orders").next();
    const orders: BigUint64Array = await env.IDS.sequencer("orders").batch(3);
    const name: string = await env.IDS.sequencer("orders").nextString();
    const taken: DecodedId = await env.IDS.sequencer("orders").decode(name);

    const created: SequencerStatus = await admin.create("orders", { layout: "twitter", shards: 4 });
    const { state, nodes } = await admin.status("orders");
    const shrunk: SequencerStatus = await admin.shrink("orders", { node_count: 1000 });
    await admin.destroy("orders");

    const own = new LeasedGenerator({ authority: exports.Authority });
    const response: Response = await exports.Authority.getByName("default/0").fetch("https://x/");
    return Response.json([
      `${ids}${text}${node}${order}${orders}${taken.id}${created.name}${shrunk.node_count}${state}${nodes?.held}`,
      `${await leased.next()}${await own.next()}${response.status}`,
    ]);
  },
} satisfies ExportedHandler<Env>;
