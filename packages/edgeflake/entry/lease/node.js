import { readFileSync } from "node:fs";
import { initSync } from "../../dist/edgeflake_lease.js";
import { begin } from "../../lib/leased-generator.js";
import { Store } from "../../lib/store.js";

initSync({ module: readFileSync(new URL("../../dist/edgeflake_lease_bg.wasm", import.meta.url)) });
begin({ Store });

export { EdgeflakeError } from "../../lib/error.js";
export { LeasedGenerator } from "../../lib/leased-generator.js";
