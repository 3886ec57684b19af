// Carries the module inside, for tools that do not copy files beside a bundle. It is compiled at
// once, so that a bundle need not be an ES module.
import { initSync } from "../../dist/edgeflake_lease.js";
import base64 from "../../dist/edgeflake_lease_inline.js";

initSync({ module: Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)) });

export { EdgeflakeError } from "../../lib/error.js";
export { LeasedGenerator } from "../../lib/leased-generator.js";
