import { env, waitUntil } from "cloudflare:workers";
import { initSync } from "../../edgeflake_lease.js";
// This import is compiled beforehand, because Workers compile no WebAssembly at run time.
import module from "../../edgeflake_lease_bg.wasm";
import { platform } from "../../leased/shared-holder.js";

initSync({ module });
Object.assign(platform, { waitUntil, variables: env });

export * from "../../leased/api.js";
