import { readFileSync } from "node:fs";
import { initSync } from "../../dist/edgeflake_lease.js";
import { begin } from "../../leased-generator.js";
import { Store } from "../../store.js";

initSync({ module: readFileSync(new URL("../../dist/edgeflake_lease_bg.wasm", import.meta.url)) });
begin({ Store });

export { EdgeflakeError } from "../../error.js";
export { LeasedGenerator } from "../../leased-generator.js";
