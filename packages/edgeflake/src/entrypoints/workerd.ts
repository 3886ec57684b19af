import { initSync } from "../edgeflake.js";
// This import is compiled beforehand, because Workers compile no WebAssembly at run time.
import module from "../edgeflake_bg.wasm";
import { begin } from "../module/exchange.js";

begin(initSync({ module }));

export * from "../api.js";
