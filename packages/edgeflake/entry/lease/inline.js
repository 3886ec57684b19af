// The module's bytes are inside the script, and are compiled at once: no tool has to copy a file,
// and without a top-level await `require` works and a bundle may have any format.
import { initSync } from "../../dist/edgeflake_lease.js";
import { text } from "../../dist/edgeflake_lease_inline.js";
import { bytesOf } from "../../lib/inlined.js";

initSync({ module: bytesOf(text) });

export { EdgeflakeError } from "../../lib/error.js";
export { LeasedGenerator } from "../../lib/leased-generator.js";
