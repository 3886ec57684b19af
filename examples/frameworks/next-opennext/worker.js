// Import `edgeflake/lease` only in this file. OpenNext cannot bundle `edgeflake/lease` into a
// route, because `edgeflake/lease` imports `cloudflare:workers`.
import { env } from "cloudflare:workers";
import { LeasedGenerator } from "edgeflake/lease";
import app from "./.open-next/worker.js";

export { Authority, Directory } from "edgeflake/authority";

const IDS = new LeasedGenerator({ authority: env.AUTHORITY });

export default {
  fetch: (request, env, context) => app.fetch(request, { ...env, IDS }, context),
};
