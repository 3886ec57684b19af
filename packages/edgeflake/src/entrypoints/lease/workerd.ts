import { env, waitUntil } from "cloudflare:workers";
import { initSync } from "../../edgeflake_lease.js";
// The imported module is already compiled, because Workers compile no WebAssembly at run time.
import module from "../../edgeflake_lease_bg.wasm";
import { platform } from "../../leased/shared-holder.js";

initSync({ module });
Object.assign(platform, { waitUntil, variables: env });

export * from "../../leased/api.js";
