import { initSync } from "../dist/edgeflake.js";
// Workers refuse to compile bytes at run time; what a module imports is compiled beforehand.
import module from "../dist/edgeflake_bg.wasm";
import { begin } from "../lib/exchange.js";

begin(initSync({ module }));

export * from "../lib/api.js";
