import { initSync } from "../../edgeflake_postgres.js";
// This import is compiled beforehand, because Workers compile no WebAssembly at run time.
import module from "../../edgeflake_postgres_bg.wasm";

initSync({ module });

export * from "../../postgres/api.js";
