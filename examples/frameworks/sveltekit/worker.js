// The adapter overwrites the file that `main` in wrangler.jsonc names. So name this file, which
// exports the Durable Objects, in the commands: `wrangler dev worker.js`, `wrangler deploy
// worker.js`.
import { env } from "cloudflare:workers";
import { LeasedGenerator } from "edgeflake/lease";
import app from "./.svelte-kit/cloudflare/_worker.js";

export { Authority, Directory } from "edgeflake/authority";

const IDS = new LeasedGenerator({ authority: env.AUTHORITY });

export default {
  fetch: (request, env, context) => app.fetch(request, { ...env, IDS }, context),
};
