import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { initSync } from "../dist/edgeflake.js";
// A path, so that Bun carries the file along when it bundles or compiles.
import path from "../dist/edgeflake_bg.wasm" with { type: "file" };
import { begin } from "../lib/exchange.js";

// In a bundle the path is relative to the bundle, not to the working directory.
begin(initSync({ module: readFileSync(resolve(import.meta.dirname, path)) }));

export * from "../lib/api.js";
