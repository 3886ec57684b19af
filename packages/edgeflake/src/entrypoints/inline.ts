// The module's bytes are inside the script, and are compiled at once: no tool has to copy a file,
// and without a top-level await `require` works and a bundle may have any format.
import { initSync } from "../edgeflake.js";
import { text } from "../edgeflake_inline.js";
import { begin } from "../module/exchange.js";
import { bytesOf } from "../module/inlined.js";
import "../inspect.js";

begin(initSync({ module: bytesOf(text) }));

export * from "../api.js";
