import adapter from "@sveltejs/adapter-cloudflare";

// The dev server runs the app in Node, where there are no Durable Objects, so the dev server has
// its own configuration, wrangler.dev.jsonc.
const platformProxy = { configPath: "wrangler.dev.jsonc" };

export default { kit: { adapter: adapter({ platformProxy }) } };
