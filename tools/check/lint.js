// node tools lint: format and lint checks, all of which .ci/run requires.

import { readArguments } from "../command/arguments.js";
import { run } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { checkCycles } from "./cycles.js";

readArguments({});
await setup("lint");
await checkRust();
run("biome", ["check", "--error-on-warnings"]);
run("cspell", ["--config=docs/cspell.json", "--no-progress", "--show-suggestions"]);
run("redocly", ["lint", "--extends=recommended-strict", "www/openapi.json"], {
  env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" },
});
// It builds the package, whose types are generated, and everything that imports it is checked
// against them.
run("node", ["tools", "docs", "--check"]);
run("tsc", []);

/** Formats, clippy, the documentation, and which files import each other. */
async function checkRust() {
  run("cargo", ["fmt", "--all", "--check"]);
  for (const outside of ["benches", "templates/rust", "tests/fuzz", "tests/model"]) {
    run("cargo", ["fmt", `--manifest-path=${outside}/Cargo.toml`, "--check"]);
  }
  run("cargo", [
    "clippy",
    "--workspace",
    "--all-targets",
    "--all-features",
    "--",
    "-D",
    "warnings",
  ]);
  // In a directory of its own, since the flags are those of all that it depends on.
  run(
    "cargo",
    [
      "clippy",
      "--manifest-path=tests/model/Cargo.toml",
      "--target-dir=target/model",
      "--",
      "-D",
      "warnings",
    ],
    { env: { ...process.env, RUSTFLAGS: "--cfg model" } },
  );
  // One by one: with the Worker, the package's crate would get a standard library too many.
  for (const selected of [
    "edgeflake-worker",
    "edgeflake-workers",
    "edgeflake-workers --no-default-features",
    "edgeflake-authority",
    "edgeflake-authority-module",
    "edgeflake-wasm-ids",
    "edgeflake-wasm-lease",
    "edgeflake-clock",
  ]) {
    run("cargo", [
      "clippy",
      "--target=wasm32-unknown-unknown",
      ...`-p=${selected}`.split(" "),
      "--",
      "-D",
      "warnings",
    ]);
  }
  run("cargo", ["doc", "--quiet", "--workspace", "--no-deps", "--all-features"], {
    env: { ...process.env, RUSTDOCFLAGS: "-D warnings" },
  });
  await checkCycles();
}
