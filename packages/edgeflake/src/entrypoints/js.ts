// For platforms without WebAssembly: uses the WebAssembly module, translated to JavaScript.
import { instantiate } from "../edgeflake_translated.js";
import { begin, forget } from "../module/exchange.js";
import * as utf8 from "../module/utf8.js";
import "../inspect.js";

begin(instantiate(forget), utf8, utf8);

export * from "../api.js";
