import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { initSync } from "../../dist/edgeflake_lease.js";
// A path, so that Bun carries the file along when it bundles or compiles.
import path from "../../dist/edgeflake_lease_bg.wasm" with { type: "file" };
import { begin } from "../../lib/leased-generator.js";
import { Store } from "../../lib/store.js";

// In a bundle the path is relative to the bundle, not to the working directory.
initSync({ module: readFileSync(resolve(import.meta.dirname, path)) });
begin({ Store });

export { EdgeflakeError } from "../../lib/error.js";
export { LeasedGenerator } from "../../lib/leased-generator.js";
