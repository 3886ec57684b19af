import { initSync } from "../../edgeflake_lease.js";
import module from "../../edgeflake_lease_bg.wasm?module";

// The comment in ../edge-light.ts explains the prototype.
initSync({ module: Object.setPrototypeOf(module, WebAssembly.Module.prototype) });

export * from "../../leased/api.js";
