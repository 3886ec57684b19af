import { env } from "cloudflare:workers";
import { LeasedGenerator } from "edgeflake/lease";

export { Authority, Directory } from "edgeflake/authority";

// In development, each edit runs this file again. `shared` then returns the same generator as
// before, so that an edit does not lease another node.
const ids = LeasedGenerator.shared({ authority: env.AUTHORITY });

export default {
  async fetch() {
    return Response.json({ id: await ids.nextString() }, { status: 201 });
  },
};
