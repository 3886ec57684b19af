// node tools model [--mutant FILE] [small] [settings]: visits all states of a few holders and
// their authority, see tests/model/src/main.rs; of these settings, or of all of them. --mutant does
// so in a copy of the core that a patch has broken, where a counter must have two owners.

import { join, resolve } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { exitCode } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { apply, copyCheckout } from "./mutant-patch.js";

const { positionals, values } = readArguments({
  allowPositionals: true,
  options: { mutant: { type: "string" } },
});

await setup();
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
 * A copy of the checkout, with a patch applied.
 *
 * @param {string} patch
 */
function mutated(patch) {
  const copy = join(target, "mutant");
  copyCheckout(copy);
  apply(patch, copy);
  return copy;
}
