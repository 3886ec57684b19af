// The command line uses this entry, because reading a .wasm file is faster than decoding a text.
import { readFileSync } from "node:fs";
import { initSync } from "../edgeflake.js";
import { begin } from "../module/exchange.js";
import "../inspect.js";

begin(initSync({ module: readFileSync(new URL("../edgeflake_bg.wasm", import.meta.url)) }));

export * from "../api.js";
