import { initSync } from "../edgeflake.js";
// The imported module is already compiled, because Next's edge runtime compiles nothing at run
// time.
import module from "../edgeflake_bg.wasm?module";
import { begin } from "../module/exchange.js";

// The module comes from another realm, so it is no instance of this realm's WebAssembly.Module.
// Without this line, `initSync` would try to compile the module as bytes.
Object.setPrototypeOf(module, WebAssembly.Module.prototype);
begin(initSync({ module }));

export * from "../api.js";
