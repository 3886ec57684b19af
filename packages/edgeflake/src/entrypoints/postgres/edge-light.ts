import { initSync } from "../../edgeflake_postgres.js";
import module from "../../edgeflake_postgres_bg.wasm?module";

// The comment in ../edge-light.ts explains the prototype.
initSync({ module: Object.setPrototypeOf(module, WebAssembly.Module.prototype) });

export * from "../../postgres/api.js";
