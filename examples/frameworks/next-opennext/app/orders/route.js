import { getCloudflareContext } from "@opennextjs/cloudflare";
import { Layout } from "edgeflake";

export async function POST() {
  const { env } = getCloudflareContext();
  const id = await env.IDS.nextString();
  const { date } = Layout.preset("hazelcast").decode(id);
  return Response.json({ id, date }, { status: 201 });
}
