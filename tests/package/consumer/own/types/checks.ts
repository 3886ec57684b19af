// These checks are not part of a Worker. They are code that must compile, and code that must not.
import { admin, type Variables } from "edgeflake/authority";
import type { Ids } from "edgeflake/worker";

/** If there is only one configuration, the type of the binding is that of the service. */
export async function byType(ids: Service<typeof Ids>, same: Service<Ids>) {
  return (await ids.next()) + (await same.sequencer("orders").next());
}

export const secrets: Pick<Variables, "EDGEFLAKE_LEASE_TOKEN"> = {};

export async function refused(env: Env) {
  // @ts-expect-error: ids of a sequencer are those of sequencer("orders").
  await env.IDS.next("orders");
  // @ts-expect-error: a count is a number.
  await env.IDS.batch("3");
  // @ts-expect-error: a count is required.
  await env.IDS.batch();
  // @ts-expect-error: no encoding has this name.
  await env.IDS.nextString("base63");
  // @ts-expect-error: a number is rounded.
  await env.IDS.decode(1);
  // @ts-expect-error: the sequencer has its layout.
  await env.IDS.sequencer("orders").decode(1n, "twitter");
  // @ts-expect-error: a name is required.
  env.IDS.sequencer();
  // @ts-expect-error: no method has this name.
  await env.IDS.issue();
  // @ts-expect-error: no option has this name.
  await admin.create("orders", { node: 3 });
  // @ts-expect-error: a number of nodes is required.
  await admin.shrink("orders");
  // @ts-expect-error: no option has this name.
  await admin.shrink("orders", { node_count: 8, shards: 1 });
  // @ts-expect-error: the state of a sequencer.
  const paused = (await admin.status("orders")).state === "paused";
  return paused;
}
