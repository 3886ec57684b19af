// Carries the module inside, for tools that do not copy files beside a bundle. It is compiled at
// once, so that a bundle need not be an ES module.
import { initSync } from "../dist/edgeflake.js";
import base64 from "../dist/edgeflake_inline.js";
import { begin } from "../lib/exchange.js";

begin(initSync({ module: Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)) }));

export * from "../lib/api.js";
