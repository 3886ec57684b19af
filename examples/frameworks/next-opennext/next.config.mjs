import { initOpenNextCloudflareForDev } from "@opennextjs/cloudflare";

// The dev server runs the routes in Node and never starts worker.js.
initOpenNextCloudflareForDev({ configPath: "wrangler.dev.jsonc" });

// A route imports `edgeflake`. Otherwise Next bundles the package's variant for Node, which compiles
// WebAssembly from bytes, and the Workers runtime refuses that.
export default { serverExternalPackages: ["edgeflake"] };
