// The command line reads the .wasm file, because that takes less time than to decode its text.
import { readFileSync } from "node:fs";
import { initSync } from "../edgeflake.js";
import { begin } from "../module/exchange.js";
import "../inspect.js";

begin(initSync({ module: readFileSync(new URL("../edgeflake_bg.wasm", import.meta.url)) }));

export * from "../api.js";
