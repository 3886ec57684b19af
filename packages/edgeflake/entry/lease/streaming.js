// Fetches the .wasm file, and compiles it while it arrives. A bundler finds the file by its URL.
import init from "../../dist/edgeflake_lease.js";
import { url } from "../../dist/edgeflake_lease_url.js";

await init({ module_or_path: url });

export { EdgeflakeError } from "../../lib/error.js";
export { LeasedGenerator } from "../../lib/leased-generator.js";
