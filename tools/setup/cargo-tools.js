import { existsSync } from "node:fs";
import { join } from "node:path";
import { cache } from "../command/paths.js";
import { install } from "../command/run.js";

/**
 * A tool from crates.io, kept by version outside the checkout, so it is compiled once a machine.
 *
 * @param {string} crate
 * @param {string} binary
 * @param {string} version
 */
export function cargoTool(crate, binary, version) {
  const directory = join(cache, `${crate}-${version}`);
  return { crate, binary, version, directory, path: join(directory, "bin", binary) };
}

/** What `npm run lint` reads the imports between the files of a crate with. */
export const cargoModules = cargoTool("cargo-modules", "cargo-modules", "0.27.0");

export const cargoMutants = cargoTool("cargo-mutants", "cargo-mutants", "27.1.0");

/**
 * Compiles a tool if it is missing. Cargo renames a binary into place, so one that is there is
 * whole.
 *
 * @param {ReturnType<typeof cargoTool>} tool
 */
export function installCargoTool({ crate, binary, version, directory, path }) {
  if (existsSync(path)) return;
  install(
    `cargo install ${crate} ${version} (once, 1 to 2 minutes on 2 cores)`,
    "cargo",
    // A debug build compiles in a quarter of the time and costs a build 0.3 seconds.
    ["install", "--locked", "--debug", "--bin", binary, "--root", directory, `${crate}@${version}`],
    { CARGO_PROFILE_DEV_DEBUG: "false" },
  );
}
