import { initSync } from "../../edgeflake_postgres.js";
import module from "../../edgeflake_postgres_bg.wasm";

initSync({ module });

export * from "../../postgres/api.js";
