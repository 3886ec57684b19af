import { initSync } from "../../dist/edgeflake_lease.js";
// What a module imports needs no permission to read, unlike a file.
import source module from "../../dist/edgeflake_lease_bg.wasm";
import { begin } from "../../lib/leased-generator.js";
import { Store } from "../../lib/store.js";

initSync({ module });
begin({ Store });

export { EdgeflakeError } from "../../lib/error.js";
export { LeasedGenerator } from "../../lib/leased-generator.js";
