// The module's bytes are inside the script, and are compiled at once: no tool has to copy a file,
// and without a top-level await `require` works and a bundle may have any format.
import { initSync } from "../../edgeflake_lease.js";
import { text } from "../../edgeflake_lease_inline.js";
import { bytesOf } from "../../module/inlined.js";

initSync({ module: bytesOf(text) });

export * from "../../leased/api.js";
