import { env } from "cloudflare:workers";
import { LeasedGenerator } from "edgeflake/lease";

const ids = LeasedGenerator.shared({ authority: env.AUTHORITY });

export async function POST() {
  return Response.json({ id: await ids.nextString() }, { status: 201 });
}
