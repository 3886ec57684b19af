// node tools fuzz [targets] [--seconds N]: runs the fuzz targets of tests/fuzz, each for N seconds
// (120 by default). A run copies the inputs of inputs/ to corpus/, starts from corpus/, and adds
// the inputs that it finds.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { exitCode, fail, output } from "../command/run.js";
import { setup } from "../setup/setup.js";

const folder = join(root, "tests", "fuzz");
const inputs = join(folder, "inputs");
const targets = readdirSync(inputs).map((file) => file.replace(/\.toml$/, ""));
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

await setup("lint");
const { parse } = await import("smol-toml");
for (const target of positionals.length > 0 ? positionals : targets) {
  const [corpus, artifacts] = ["corpus", "artifacts"].map((name) => join(folder, name, target));
  mkdirSync(corpus, { recursive: true });
  mkdirSync(artifacts, { recursive: true });
  const table = parse(readFileSync(join(inputs, `${target}.toml`), "utf8"));
  for (const [name, row] of Object.entries(table)) {
    writeFileSync(join(corpus, name), /** @type {{ text: string }} */ (row).text);
  }
  const limits = [`-max_total_time=${values.seconds}`, "-print_final_stats=1"];
  const args = [...limits, `-artifact_prefix=${artifacts}/`];
  const env = { ...process.env, FUZZ_TARGET: target };
  const command = ["+nightly", "fuzz", "run", "parsers", corpus, "--", ...args];
  if (exitCode("cargo", command, { cwd: folder, env }) !== 0) {
    fail(
      `${target} failed; the input that fails, if there is one, is in tests/fuzz/artifacts/${target}`,
    );
  }
}
