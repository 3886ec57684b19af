import { initSync } from "../../dist/edgeflake_lease.js";
// Next's edge runtime refuses to compile bytes; what is imported so is compiled beforehand.
import module from "../../dist/edgeflake_lease_bg.wasm?module";

// It was compiled in another realm, and `initSync` would take it for bytes.
Object.setPrototypeOf(module, WebAssembly.Module.prototype);
initSync({ module });

export { EdgeflakeError } from "../../lib/error.js";
export { LeasedGenerator } from "../../lib/leased-generator.js";
