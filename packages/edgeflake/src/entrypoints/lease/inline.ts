// The script contains the WebAssembly module and compiles it synchronously. So no tool must copy a
// file, and as there is no top-level await, `require` works and a bundle may have any format.
import { initSync } from "../../edgeflake_lease.js";
import { text } from "../../edgeflake_lease_inline.js";
import { bytesOf } from "../../module/inlined.js";

initSync({ module: bytesOf(text) });

export * from "../../leased/api.js";
