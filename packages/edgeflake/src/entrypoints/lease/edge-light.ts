import { initSync } from "../../edgeflake_lease.js";
// Next's edge runtime refuses to compile bytes, but compiles this import beforehand.
import module from "../../edgeflake_lease_bg.wasm?module";

// It was compiled in another realm, and `initSync` would take it for bytes.
Object.setPrototypeOf(module, WebAssembly.Module.prototype);
initSync({ module });

export * from "../../leased/api.js";
