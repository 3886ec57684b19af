// Import `edgeflake/lease` only here. OpenNext cannot bundle it into a route, because it imports
// `cloudflare:workers`.
import { env } from "cloudflare:workers";
import { LeasedGenerator } from "edgeflake/lease";
import app from "./.open-next/worker.js";

export { Authority, Directory } from "edgeflake/authority";

const IDS = new LeasedGenerator({ authority: env.AUTHORITY });

export default {
  fetch: (request, env, context) => app.fetch(request, { ...env, IDS }, context),
};
