import { initSync } from "../edgeflake.js";
import module from "../edgeflake_bg.wasm?module";
import { begin } from "../module/exchange.js";

// The module comes from another realm, so it is no instance of this realm's WebAssembly.Module.
// Without this prototype, `initSync` would try to compile the module as bytes.
begin(initSync({ module: Object.setPrototypeOf(module, WebAssembly.Module.prototype) }));

export * from "../api.js";
