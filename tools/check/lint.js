// node tools lint [--cycles]: runs the format and lint checks, which .ci/run requires. With
// --cycles, it only checks that no files of a crate import each other in a cycle, which takes
// minutes.

import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail, run } from "../command/run.js";
import { cargoModules, installCargoTool } from "../setup/rust.js";
import { setup } from "../setup/setup.js";

/**
 * Crates whose libraries must have no files that import each other in a cycle. Other crates and the
 * programs are not checked, because the check of a crate takes half a minute, and they are tests or
 * have at most 8 files.
 */
const crates =
  "edgeflake edgeflake-client edgeflake-wire edgeflake-worker edgeflake-workers edgeflake-world";

/** The largest number of names that the documentation of the core may list. */
const NAMES_MAX = 84;

const { values } = readArguments({ options: { cycles: { type: "boolean" } } });
await setup("lint");
if (values.cycles) {
  await checkCycles();
  process.exit();
}
checkRust();
run("biome", ["check", "--error-on-warnings"]);
run("cspell", ["--config=docs/cspell.json", "--no-progress", "--show-suggestions"]);
run("node", ["tools", "words"]);
run("redocly", ["lint", "--extends=recommended-strict", "www/openapi.json"], {
  env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" },
});
run("node", ["tools", "generate", "--check"]);
// Build the package before tsc runs, because tsc checks code that imports the package against the
// package's types, and the build generates some of these types.
run("node", ["tools", "build", "package"]);
run("tsc", []);
run("tsc", ["--project", "www"]);

/** Checks formats, clippy and the documentation. */
function checkRust() {
  run("cargo", ["fmt", "--all", "--check"]);
  for (const outside of ["benches", "examples/templates/rust", "tests/databases", "tests/fuzz"]) {
    run("cargo", ["fmt", `--manifest-path=${outside}/Cargo.toml`, "--check"]);
  }
  clippy("--workspace --all-targets --all-features");
  // Use a separate target directory, because the flags also apply to all dependencies.
  clippy("--package=edgeflake-world --target-dir=target/model", { RUSTFLAGS: "--cfg model" });
  // Lint each crate separately: together with the Worker, the package's crates would be built with
  // std, which these crates must not use.
  for (const selected of [
    "edgeflake-worker",
    "edgeflake-workers",
    "edgeflake-workers --no-default-features",
    "edgeflake-workers --features admin",
    "edgeflake-wasm-ids",
    "edgeflake-wasm-lease",
    "edgeflake-wasm-postgres",
    "edgeflake-story",
  ]) {
    clippy(`--target=wasm32-unknown-unknown -p=${selected}`);
  }
  for (const features of ["http", "postgres"]) {
    clippy(`-p=edgeflake-client --all-targets --no-default-features --features=${features}`);
  }
  run("cargo", ["doc", "--quiet", "--workspace", "--no-deps", "--all-features"], {
    env: { ...process.env, RUSTDOCFLAGS: "-D warnings" },
  });
  checkNames();
}

/** @param {string} args @param {NodeJS.ProcessEnv} [env] added to the environment */
function clippy(args, env) {
  const denied = ["--", "-D", "warnings"];
  run("cargo", ["clippy", ...args.split(" "), ...denied], { env: { ...process.env, ...env } });
}

/** Fails when the core has too many public names. Names with `#[doc(hidden)]` do not count. */
function checkNames() {
  const page = readFileSync(join(root, "target/doc/edgeflake/all.html"), "utf8");
  const { length } = page.match(/<li><a href="[^"#]+">/g) ?? [];
  if (length === 0) fail("the documentation of the core lists no names");
  if (length > NAMES_MAX)
    fail(`the core has ${length} public names; allowed: at most ${NAMES_MAX}`);
}

/**
 * Fails when files of a crate import each other in a cycle. cargo-modules lists the items that each
 * module uses, and tsort, which every system has, finds cycles.
 *
 * Declaring a child module with `mod` does not count as an import, but a `pub use` of the child
 * does. An item that is used through a `pub use` counts as one of the module that defines it. The
 * module that declares a type counts as importing the types in the signatures of the type's
 * inherent methods, even if the methods are in another file.
 */
async function checkCycles() {
  installCargoTool(cargoModules);
  const waiting = crates.split(" ").values();
  const checkWaiting = async () => {
    for (const crate of waiting) await checkCrate(crate);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, checkWaiting));
}

/** @param {string} crate */
async function checkCrate(crate) {
  const only = ["externs", "sysroot", "owns", "fns", "traits", "types"];
  const args = ["dependencies", `--package=${crate}`, "--lib", "--all-features"];
  const { code, stdout, stderr } = await promisify(execFile)(
    cargoModules.path,
    ["modules", ...args, ...only.map((what) => `--no-${what}`)],
    { cwd: root, maxBuffer: 1 << 28 },
  ).catch((error) => error);
  // The output has lines such as `"crate::a" -> "crate::b" [label="uses", ...]; // "uses" edge`.
  const uses = [...stdout.matchAll(/^ *"(.+)" -> "(.+)" \[label="uses"/gm)];
  if (code || uses.length === 0) fail(`cargo-modules found no uses in ${crate}: ${stderr}`);

  const input = uses.map(([, from, to]) => `${from} ${to}\n`).join("");
  const cycle = spawnSync("tsort", { encoding: "utf8", input });
  if (cycle.status !== 0)
    fail(
      `files of ${crate} import each other in a cycle; move the shared code into a separate file:\n${cycle.stderr}`,
    );
}
