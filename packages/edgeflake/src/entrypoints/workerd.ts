import { initSync } from "../edgeflake.js";
import module from "../edgeflake_bg.wasm";
import { begin } from "../module/exchange.js";

begin(initSync({ module }));

export * from "../api.js";
