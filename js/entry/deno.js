import { initSync } from "../dist/edgeflake.js";
// What a module imports needs no permission to read, unlike a file.
import source module from "../dist/edgeflake_bg.wasm";

initSync({ module });

export * from "../api.js";
