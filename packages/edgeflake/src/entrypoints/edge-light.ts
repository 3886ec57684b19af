import { initSync } from "../edgeflake.js";
// Next's edge runtime refuses to compile bytes, but compiles this import beforehand.
import module from "../edgeflake_bg.wasm?module";
import { begin } from "../module/exchange.js";

// It was compiled in another realm, and `initSync` would take it for bytes.
Object.setPrototypeOf(module, WebAssembly.Module.prototype);
begin(initSync({ module }));

export * from "../api.js";
