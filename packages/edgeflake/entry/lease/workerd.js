import { env, waitUntil } from "cloudflare:workers";
import { initSync } from "../../dist/edgeflake_lease.js";
// Workers refuse to compile bytes at run time; what a module imports is compiled beforehand.
import module from "../../dist/edgeflake_lease_bg.wasm";
import { begin } from "../../lib/shared-holder.js";

initSync({ module });
begin({ waitUntil, variables: env });

export { EdgeflakeError } from "../../lib/error.js";
export { LeasedGenerator } from "../../lib/leased-generator.js";
