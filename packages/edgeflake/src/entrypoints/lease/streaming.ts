// This entry fetches the .wasm file, and compiles it while it arrives. A bundler finds the file by
// its URL.
import init from "../../edgeflake_lease.js";
import { url } from "../../edgeflake_lease_url.js";

await init({ module_or_path: url });

export * from "../../leased/api.js";
