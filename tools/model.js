// node tools/model.js [--mutant FILE] [small] [settings]: visits all states of a few holders and
// their authority, see tests/model/src/main.rs; of these settings, or of all of them. --mutant does
// so in a copy of the core that a patch has broken, where a counter must have two owners.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./paths.js";
import { exitCode, fail } from "./run.js";
import { setup } from "./setup.js";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { mutant: { type: "string" } },
});

setup();
const target = join(root, "target", "model");
const checkout = values.mutant === undefined ? root : mutated(resolve(values.mutant));
const code = exitCode(
  "cargo",
  [
    "run",
    "--release",
    "--quiet",
    `--manifest-path=${join(checkout, "tests", "model", "Cargo.toml")}`,
    `--target-dir=${target}`,
    "--",
    ...positionals,
  ],
  { env: { ...process.env, RUSTFLAGS: "--cfg model" } },
);
process.exit(code);

/**
 * A copy of the core and its model, with a patch applied.
 *
 * @param {string} patch
 */
function mutated(patch) {
  const copy = join(target, "mutant");
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const part of ["Cargo.toml", "src", join("tests", "model")]) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  const { status, stderr } = spawnSync("patch", ["-p1", "--silent", `-i${patch}`], {
    cwd: copy,
    encoding: "utf8",
  });
  if (status !== 0) fail(`${patch} does not apply: make it anew\n${stderr}`);
  return copy;
}
