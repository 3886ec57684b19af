import { initOpenNextCloudflareForDev } from "@opennextjs/cloudflare";

// The dev server runs the routes in Node and never starts worker.js, so the dev server has its own
// configuration, wrangler.dev.jsonc.
initOpenNextCloudflareForDev({ configPath: "wrangler.dev.jsonc" });

// A route imports `edgeflake`, but Next must not bundle it. Next would bundle the package's variant
// for Node, which compiles WebAssembly from bytes. The Workers runtime forbids that.
export default { serverExternalPackages: ["edgeflake"] };
