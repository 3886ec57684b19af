import { initSync } from "../../edgeflake_lease.js";
// The imported module is already compiled, because Next's edge runtime compiles nothing at run
// time.
import module from "../../edgeflake_lease_bg.wasm?module";

// The comment in ../edge-light.ts explains this line.
Object.setPrototypeOf(module, WebAssembly.Module.prototype);
initSync({ module });

export * from "../../leased/api.js";
