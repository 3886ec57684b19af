// This entry fetches the .wasm file, and compiles it while it arrives. A bundler finds the file by
// its URL.
import init from "../edgeflake.js";
import { url } from "../edgeflake_url.js";
import { begin } from "../module/exchange.js";

begin(await init({ module_or_path: url }));

export * from "../api.js";
