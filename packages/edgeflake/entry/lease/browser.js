// Also the default: bundlers find the file by the `new URL` in the generated `init`.
import init from "../../dist/edgeflake_lease.js";

await init();

export { EdgeflakeError } from "../../lib/error.js";
export { LeasedGenerator } from "../../lib/leased-generator.js";
