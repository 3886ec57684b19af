// The command `edgeflake` uses this entry, because reading the .wasm file is faster than decoding
// the module from the text in inline.ts.
import { readFileSync } from "node:fs";
import { initSync } from "../edgeflake.js";
import { begin } from "../module/exchange.js";
import "../inspect.js";

begin(initSync({ module: readFileSync(new URL("../edgeflake_bg.wasm", import.meta.url)) }));

export * from "../api.js";
