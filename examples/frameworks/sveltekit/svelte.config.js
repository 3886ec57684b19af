import adapter from "@sveltejs/adapter-cloudflare";

// The dev server runs the app in Node, where there are no Durable Objects.
const platformProxy = { configPath: "wrangler.dev.jsonc" };

export default { kit: { adapter: adapter({ platformProxy }) } };
