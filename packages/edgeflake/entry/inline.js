// The module's bytes are inside the script, and are compiled at once: no tool has to copy a file,
// and without a top-level await `require` works and a bundle may have any format.
import { initSync } from "../dist/edgeflake.js";
import { text } from "../dist/edgeflake_inline.js";
import { begin } from "../lib/exchange.js";
import { bytesOf } from "../lib/inlined.js";
import "../lib/inspect.js";

begin(initSync({ module: bytesOf(text) }));

export * from "../lib/api.js";
