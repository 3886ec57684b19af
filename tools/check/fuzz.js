// node tools fuzz [targets] [--seconds N]: runs the fuzz targets, each for two minutes. A run
// starts from fuzz/regressions and fuzz/corpus, and adds the inputs that it finds to fuzz/corpus.

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { exitCode, fail, output } from "../command/run.js";

const folder = join(root, "fuzz");
const targets = readdirSync(join(folder, "targets")).map((file) => file.replace(/\.rs$/, ""));
const { values, positionals } = readArguments({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "120" } },
});
const unknown = positionals.find((name) => !targets.includes(name));
if (unknown) fail(`unknown target ${unknown}; the targets are ${targets.join(", ")}`);
if (!/^\d+$/.test(values.seconds))
  fail(`--seconds is ${values.seconds}: a whole number is allowed`);
if (!output("cargo", ["+nightly", "fuzz", "--version"])) {
  fail(
    "cargo-fuzz not found; install it: rustup toolchain install nightly, cargo install cargo-fuzz",
  );
}

for (const target of positionals.length > 0 ? positionals : targets) {
  const corpus = join("corpus", target);
  mkdirSync(join(folder, corpus), { recursive: true });
  const limits = [`-max_total_time=${values.seconds}`, "-print_final_stats=1"];
  // libFuzzer writes into the first folder only.
  const folders = [corpus, join("regressions", target)];
  const args = ["+nightly", "fuzz", "run", target, ...folders, "--", ...limits];
  const code = exitCode("cargo", args, { cwd: folder });
  if (code !== 0) fail(`${target} failed; an input that it found is in fuzz/artifacts`);
}
