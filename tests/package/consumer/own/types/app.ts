// This file must compile against the output of `wrangler types`, except for the calls in `refused`.
// It begins with code from the README.
import { env, exports } from "cloudflare:workers";
import { admin, type SequencerStatus, type Variables } from "edgeflake/authority";
import { LeasedGenerator } from "edgeflake/lease";
import type { DecodedId, Ids } from "edgeflake/worker";

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

/**
 * Takes bindings with the types that a user declares. `wrangler types` knows the class of a bound
 * Worker only from that Worker's configuration.
 */
async function byType(ids: Service<typeof Ids>, same: Service<Ids>) {
  return (await ids.next()) + (await same.sequencer("orders").next());
}

const secrets: Pick<Variables, "EDGEFLAKE_LEASE_TOKEN"> = {};

async function refused(env: Env) {
  // @ts-expect-error: sequencer("orders") issues the ids of a sequencer.
  await env.IDS.next("orders");
  // @ts-expect-error: a count is a number.
  await env.IDS.batch("3");
  // @ts-expect-error: no encoding has this name.
  await env.IDS.nextString("base63");
  // @ts-expect-error: a JavaScript number would be rounded.
  await env.IDS.decode(1);
  // @ts-expect-error: the sequencer's own layout is used.
  await env.IDS.sequencer("orders").decode(1n, "twitter");
  // @ts-expect-error: no option has this name.
  await admin.create("orders", { node: 3 });
  // @ts-expect-error: a number of nodes is required.
  await admin.shrink("orders");
  // @ts-expect-error: no state has this name.
  return (await admin.status("orders")).state === "paused";
}

console.log(byType, secrets, refused);
