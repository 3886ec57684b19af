// The script contains the WebAssembly module and compiles it synchronously. So no tool must copy a
// file, and as there is no top-level await, `require` works and a bundle may have any format.
import { initSync } from "../edgeflake.js";
import { text } from "../edgeflake_inline.js";
import { begin } from "../module/exchange.js";
import { bytesOf } from "../module/inlined.js";
import "../inspect.js";

begin(initSync({ module: bytesOf(text) }));

export * from "../api.js";
