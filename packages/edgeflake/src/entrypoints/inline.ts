import { initSync } from "../edgeflake.js";
import { text } from "../edgeflake_inline.js";
import { begin } from "../module/exchange.js";
import { bytesOf } from "../module/inlined.js";
import "../inspect.js";

begin(initSync({ module: bytesOf(text) }));

export * from "../api.js";
