import { initSync } from "../../dist/edgeflake_lease.js";
// What a module imports needs no permission to read, unlike a file.
import source module from "../../dist/edgeflake_lease_bg.wasm";

initSync({ module });

export { EdgeflakeError } from "../../error.js";
export { LeasedGenerator } from "../../leased-generator.js";
