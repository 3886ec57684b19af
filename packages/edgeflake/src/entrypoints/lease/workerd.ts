import { env, waitUntil } from "cloudflare:workers";
import { initSync } from "../../edgeflake_lease.js";
// Workers refuse to compile bytes at run time, but an imported module is compiled beforehand.
import module from "../../edgeflake_lease_bg.wasm";
import { begin } from "../../leased/shared-holder.js";

initSync({ module });
begin({ waitUntil, variables: env });

export * from "../../leased/api.js";
