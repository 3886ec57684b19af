import { initSync } from "../dist/edgeflake.js";
// What a module imports needs no permission to read, unlike a file.
import source module from "../dist/edgeflake_bg.wasm";
import { begin } from "../lib/exchange.js";

begin(initSync({ module }));

export * from "../lib/api.js";
