import { initSync } from "../dist/edgeflake.js";
// Next's edge runtime refuses to compile bytes; what is imported so is compiled beforehand.
import module from "../dist/edgeflake_bg.wasm?module";
import { begin } from "../lib/exchange.js";

// It was compiled in another realm, and `initSync` would take it for bytes.
Object.setPrototypeOf(module, WebAssembly.Module.prototype);
begin(initSync({ module }));

export * from "../lib/api.js";
