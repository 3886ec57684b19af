import { initSync } from "../edgeflake.js";
// Workers refuse to compile bytes at run time, but an imported module is compiled beforehand.
import module from "../edgeflake_bg.wasm";
import { begin } from "../module/exchange.js";

begin(initSync({ module }));

export * from "../api.js";
