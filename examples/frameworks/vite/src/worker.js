import { env } from "cloudflare:workers";
import { LeasedGenerator } from "edgeflake/lease";

export { Authority, Directory } from "edgeflake/authority";

// `shared` keeps the generator, so that in development an edit does not lease another node.
const ids = LeasedGenerator.shared({ authority: env.AUTHORITY });

export default {
  async fetch() {
    return Response.json({ id: await ids.nextString() }, { status: 201 });
  },
};
