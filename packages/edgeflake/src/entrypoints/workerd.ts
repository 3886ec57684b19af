import { initSync } from "../edgeflake.js";
// The imported module is already compiled, because Workers compile no WebAssembly at run time.
import module from "../edgeflake_bg.wasm";
import { begin } from "../module/exchange.js";

begin(initSync({ module }));

export * from "../api.js";
