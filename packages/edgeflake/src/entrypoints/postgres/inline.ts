import { initSync } from "../../edgeflake_postgres.js";
import { text } from "../../edgeflake_postgres_inline.js";
import { bytesOf } from "../../module/inlined.js";

initSync({ module: bytesOf(text) });

export * from "../../postgres/api.js";
