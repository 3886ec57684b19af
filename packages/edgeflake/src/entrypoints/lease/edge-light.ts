import { initSync } from "../../edgeflake_lease.js";
// This import is compiled beforehand, because Next's edge runtime compiles nothing at run time.
import module from "../../edgeflake_lease_bg.wasm?module";

// The module comes from another realm, so it is no instance of this realm's WebAssembly.Module.
// Without this line, `initSync` would try to compile the module as bytes.
Object.setPrototypeOf(module, WebAssembly.Module.prototype);
initSync({ module });

export * from "../../leased/api.js";
