// The tools that build a Rust project: edgeflake's crates as cargo would publish them, and
// worker-build with the programs that it would download.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { crates } from "../../../tools/build/published.js";
import { bin, esbuild, root } from "../../../tools/command/paths.js";
import { output } from "../../../tools/command/run.js";
import { cargoTool, installCargoTool } from "../../../tools/setup/rust.js";
import { run } from "../../harness/processes.js";

/** Packs the crates into a directory, and returns the folder of each. @param {string} directory */
export async function packCrates(directory) {
  const names = Object.keys(crates);
  const target = join(directory, "crates");
  const selected = names.map((name) => `--package=${name}`);
  const args = ["package", "--no-verify", "--allow-dirty", `--target-dir=${target}`, ...selected];
  await run("cargo", args, { cwd: root });
  const version = /^version = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))?.[1];
  const packed = join(target, "package");
  for (const name of names) {
    await run("tar", ["-xzf", `${name}-${version}.crate`], { cwd: packed });
  }
  return Object.fromEntries(names.map((name) => [name, join(packed, `${name}-${version}`)]));
}

/**
 * Returns the environment that builds a project with the crates of `lock`, and installs it if it is
 * missing.
 *
 * @param {string} target the directory of compiled crates, which projects share
 */
export function rustEnvironment(target) {
  const home = (/** @type {string} */ name) =>
    process.env[`${name.toUpperCase()}_HOME`] ?? join(homedir(), `.${name}`);
  const toolchain = output("rustup", ["show", "active-toolchain"])?.split(" ")[0];
  const locked = readFileSync(join(root, "Cargo.lock"), "utf8");
  const version = (/** @type {string} */ crate) =>
    new RegExp(`^name = "${crate}"\nversion = "(.*)"$`, "m").exec(locked)?.[1] ?? "";
  const workerBuild = cargoTool("worker-build", "worker-build", version("worker"));
  const bindgen = cargoTool("wasm-bindgen-cli", "wasm-bindgen", version("wasm-bindgen"));
  for (const tool of [workerBuild, bindgen]) installCargoTool(tool);
  return {
    CARGO_HOME: home("cargo"),
    CARGO_TARGET_DIR: target,
    ESBUILD_BIN: esbuild,
    PATH: [dirname(workerBuild.path), process.env.PATH].join(delimiter),
    RUSTUP_HOME: home("rustup"),
    RUSTUP_TOOLCHAIN: `${toolchain}`,
    WASM_BINDGEN_BIN: bindgen.path,
    WASM_OPT_BIN: join(bin, "wasm-opt"),
  };
}
