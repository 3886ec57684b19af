#!/usr/bin/env node
// Stands in for worker-build, which takes minutes to install: it makes the same files from the
// crate in the current directory, with the tools of this repository. `node tools rehearse` uses the
// real worker-build.

import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv, cwd, env } from "node:process";
import { compile } from "../../../tools/build/compile.js";
import { buildWorker } from "../../../tools/build/worker.js";
import { root } from "../../../tools/command/paths.js";

/**
 * Reads the value of a key from the Cargo.toml in a directory.
 *
 * @param {string} directory @param {string} name
 */
function named(directory, name) {
  const manifest = readFileSync(join(directory, "Cargo.toml"), "utf8");
  return new RegExp(`^${name} = "(.*)"$`, "m").exec(manifest)?.[1] ?? "";
}

if (argv[2] === "--version") {
  console.log(named(root, "worker"));
} else {
  env.CARGO_NET_OFFLINE = "true";
  const crate = { crate: named(cwd(), "name"), directory: cwd() };
  const module = /** @type {const} */ ({ ...crate, kind: "worker", name: "template" });
  await compile(module);
  cpSync(buildWorker(module, "tests/harness/crate-entry.js"), "build", { recursive: true });
}
