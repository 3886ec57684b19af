// node tools model [--mutant NAME] [small] [settings]: model-checks the protocol. It visits all
// states of a few holders and their authority, with the named settings, with the small ones, or
// with all; see tests/world/src/bin/model/main.rs. With --mutant, it first applies this mutant of
// tests/mutants/core.toml to a copy of the code. The check must then find a counter with two
// owners.

import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { exitCode, fail } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { apply, makeCopy, readMutants } from "./mutant-tables.js";

const { positionals, values } = readArguments({
  allowPositionals: true,
  options: { mutant: { type: "string" } },
});

await setup(values.mutant === undefined ? "build" : "lint");
const target = join(root, "target", "model");
const checkout = values.mutant === undefined ? root : await brokenCopy(values.mutant);
const code = exitCode(
  "cargo",
  [
    "run",
    "--profile=simulation",
    "--quiet",
    "--package=edgeflake-world",
    "--bin=model",
    `--manifest-path=${join(checkout, "Cargo.toml")}`,
    `--target-dir=${target}`,
    "--",
    ...positionals,
  ],
  { env: { ...process.env, RUSTFLAGS: "--cfg model" } },
);
process.exit(code);

/** Returns a copy of the checkout with this mutant applied. @param {string} name */
async function brokenCopy(name) {
  const mutants = await readMutants("core");
  const mutant = mutants.find((mutant) => mutant.name === name);
  if (!mutant) {
    const names = mutants.map(({ name }) => name).join(", ");
    fail(`--mutant is ${name}; allowed: ${names}`);
  }
  const copy = join(target, "mutant");
  makeCopy(copy);
  apply(mutant, copy);
  return copy;
}
