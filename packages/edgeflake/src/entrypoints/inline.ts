// This script contains the WebAssembly module and compiles it synchronously. So no tool has to copy
// a .wasm file. The script has no top-level await, so `require` can load it, and a bundle of it may
// have any format.
import { initSync } from "../edgeflake.js";
import { text } from "../edgeflake_inline.js";
import { begin } from "../module/exchange.js";
import { bytesOf } from "../module/inlined.js";
import "../inspect.js";

begin(initSync({ module: bytesOf(text) }));

export * from "../api.js";
