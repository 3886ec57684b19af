// node tools/fuzz.js [targets] [--seconds N]: runs the fuzz targets, each for two minutes. Inputs
// that are new go to fuzz/target/corpus.

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "./arguments.js";
import { root } from "./paths.js";
import { exitCode, fail, output } from "./run.js";

const folder = join(root, "fuzz");
const targets = readdirSync(join(folder, "targets")).map((file) => file.replace(/\.rs$/, ""));
const { values, positionals } = readArguments({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "120" } },
});
const unknown = positionals.find((name) => !targets.includes(name));
if (unknown) fail(`unknown target ${unknown}; allowed: ${targets.join(", ")}`);
if (!/^\d+$/.test(values.seconds)) fail(`--seconds ${values.seconds} is not a whole number`);
if (!output("cargo", ["+nightly", "fuzz", "--version"])) {
  fail("no cargo-fuzz: rustup toolchain install nightly, cargo install cargo-fuzz");
}

for (const target of positionals.length > 0 ? positionals : targets) {
  const found = join(folder, "target", "corpus", target);
  mkdirSync(found, { recursive: true });
  const limits = [`-max_total_time=${values.seconds}`, "-print_final_stats=1"];
  const args = ["+nightly", "fuzz", "run", target, found, join("corpus", target), "--", ...limits];
  const code = exitCode("cargo", args, { cwd: folder });
  if (code !== 0) fail(`${target} found an input that fails: see fuzz/artifacts`);
}
