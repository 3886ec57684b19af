// The modules of a packed edgeflake, where EDGEFLAKE_MODULES names one, instead of compiled ones.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "../command/run.js";
import { RECORD, takenPackage } from "../setup/modules.js";
import { rustSources } from "../setup/rust-sources.js";
import { finish, generated, modules } from "./compile.js";

/** @import { Module } from "./compile.js" */

/** The files of the modules that the package has. @type {Map<Module, string[]>} */
const packed = new Map();
for (const [module, directory] of /** @type {const} */ ([
  [modules.ids, "dist"],
  [modules.lease, "dist"],
  [modules.clock, join("dist", "www", "clock")],
])) {
  packed.set(
    module,
    [".js", ".d.ts", "_bg.wasm"].map((end) => join(directory, `${module.name}${end}`)),
  );
}
for (const module of [modules.worker, modules.authority]) {
  packed.set(
    module,
    ["glue.js", "index_bg.wasm"].map((file) => join("dist", module.name, file)),
  );
}

/**
 * Sees to it that the files of a module are there. Answers whether it made them.
 *
 * @param {Module} module
 */
export function ready(module) {
  const from = takenPackage();
  if (from === undefined) return finish(module);
  const stamp = join(generated(module), "made-from");
  const source = `taken ${from}`;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === source) return false;

  rmSync(generated(module), { force: true, recursive: true });
  mkdirSync(generated(module), { recursive: true });
  for (const file of packed.get(module) ?? []) {
    cpSync(join(from, file), join(generated(module), file.split(/[/\\]/).at(-1) ?? ""));
  }
  writeFileSync(stamp, source);
  return true;
}

/** Fails unless the package has all of these. @param {Iterable<Module>} all */
export function checkTaken(all) {
  for (const module of all) {
    if (packed.has(module)) continue;
    fail(`${module.crate} is not in the npm package: unset EDGEFLAKE_MODULES to compile it`);
  }
}

/**
 * Writes of a package's modules what they were built from, and whether here: a package whose modules
 * were taken is not published.
 *
 * @param {string} home
 */
export function record(home) {
  const found = { rustSources: rustSources(), taken: takenPackage() !== undefined };
  mkdirSync(join(home, dirname(RECORD)), { recursive: true });
  writeFileSync(join(home, RECORD), `${JSON.stringify(found)}\n`);
}
