// The module translated to JavaScript, for platforms that compile no WebAssembly.
import { instantiate } from "../dist/edgeflake_translated.js";
import { begin, forget } from "../lib/exchange.js";
import * as utf8 from "../lib/utf8.js";
import "../lib/inspect.js";

begin(instantiate(forget), utf8, utf8);

export * from "../lib/api.js";
