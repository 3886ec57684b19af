import { initSync } from "../../edgeflake_postgres.js";
// The imported module is already compiled, because Workers compile no WebAssembly at run time.
import module from "../../edgeflake_postgres_bg.wasm";

initSync({ module });

export * from "../../postgres/api.js";
