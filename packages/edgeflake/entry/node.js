// For the command line, which reads the file because that takes less than decoding its text.
import { readFileSync } from "node:fs";
import { initSync } from "../dist/edgeflake.js";
import { begin } from "../lib/exchange.js";
import "../lib/inspect.js";

begin(initSync({ module: readFileSync(new URL("../dist/edgeflake_bg.wasm", import.meta.url)) }));

export * from "../lib/api.js";
