// Fetches the .wasm file, and compiles it while it arrives. A bundler finds the file by its URL.
import init from "../dist/edgeflake.js";
import { url } from "../dist/edgeflake_url.js";
import { begin } from "../lib/exchange.js";

begin(await init({ module_or_path: url }));

export * from "../lib/api.js";
