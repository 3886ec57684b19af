import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { initSync } from "../../dist/edgeflake_lease.js";
// A path, so that Bun carries the file along when it bundles or compiles.
import path from "../../dist/edgeflake_lease_bg.wasm" with { type: "file" };
import { begin } from "../../leased-generator.js";
import { Store } from "../../store.js";

// In a bundle the path is relative to the bundle, not to the working directory.
initSync({ module: readFileSync(resolve(import.meta.dirname, path)) });
begin({ Store });

export { EdgeflakeError } from "../../error.js";
export { LeasedGenerator } from "../../leased-generator.js";
