// This script contains the WebAssembly module and compiles it synchronously. So no tool has to copy
// a .wasm file. The script has no top-level await, so `require` can load it, and a bundle of it may
// have any format.
import { initSync } from "../../edgeflake_lease.js";
import { text } from "../../edgeflake_lease_inline.js";
import { bytesOf } from "../../module/inlined.js";

initSync({ module: bytesOf(text) });

export * from "../../leased/api.js";
