import { initOpenNextCloudflareForDev } from "@opennextjs/cloudflare";

// The dev server runs the routes in Node and never starts worker.js, so the dev server has its own
// configuration, wrangler.dev.jsonc.
initOpenNextCloudflareForDev({ configPath: "wrangler.dev.jsonc" });

// Next must not bundle `edgeflake`, which a route imports. Next would use the package's variant for
// Node. That variant compiles WebAssembly from bytes, which the Workers runtime forbids.
export default { serverExternalPackages: ["edgeflake"] };
