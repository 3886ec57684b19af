import { env, waitUntil } from "cloudflare:workers";
import { initSync } from "../../edgeflake_lease.js";
import module from "../../edgeflake_lease_bg.wasm";
import { platform } from "../../leased/shared-holder.js";

initSync({ module });
Object.assign(platform, { waitUntil, variables: env });

export * from "../../leased/api.js";
