import { initSync } from "../../edgeflake_lease.js";
import { text } from "../../edgeflake_lease_inline.js";
import { bytesOf } from "../../module/inlined.js";

initSync({ module: bytesOf(text) });

export * from "../../leased/api.js";
