import { initSync } from "../dist/edgeflake.js";
// Workers refuse to compile bytes at run time; what a module imports is compiled beforehand.
import module from "../dist/edgeflake_bg.wasm";

initSync({ module });

export * from "../api.js";
