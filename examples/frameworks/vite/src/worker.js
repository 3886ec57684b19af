import { env } from "cloudflare:workers";
import { LeasedGenerator } from "edgeflake/lease";

export { Authority, Directory } from "edgeflake/authority";

// `shared`, so that the isolate does not lease another node after each edit in development.
const ids = LeasedGenerator.shared({ authority: env.AUTHORITY });

export default {
  async fetch() {
    return Response.json({ id: await ids.nextString() }, { status: 201 });
  },
};
