import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cache, root } from "./paths.js";
import { requirePrograms, workerBuildPrograms } from "./programs.js";
import { fail, install } from "./run.js";

/**
 * A build tool from crates.io. It must have the version of a library in Cargo.lock, and is kept by
 * version outside the checkout, so it is compiled once a machine.
 *
 * @param {string} crate
 * @param {string} binary
 * @param {string} library
 */
function cargoTool(crate, binary, library) {
  const version = lockedVersion(library);
  const directory = join(cache, `${crate}-${version}`);
  return { crate, binary, version, directory, path: join(directory, "bin", binary) };
}

export const wasmBindgen = cargoTool("wasm-bindgen-cli", "wasm-bindgen", "wasm-bindgen");
export const workerBuild = cargoTool("worker-build", "worker-build", "worker");

/** Compiles what is missing. Cargo renames a binary into place, so one that is there is whole. */
export function installCargoTools() {
  if (!existsSync(workerBuild.path)) requirePrograms(workerBuildPrograms);
  for (const { crate, binary, version, directory, path } of [wasmBindgen, workerBuild]) {
    if (existsSync(path)) continue;
    install(
      `cargo install ${crate} ${version} (once, 1 to 2 minutes on 2 cores)`,
      "cargo",
      // A debug build compiles in a quarter of the time and costs a build 0.3 seconds.
      [
        "install",
        "--locked",
        "--debug",
        "--bin",
        binary,
        "--root",
        directory,
        `${crate}@${version}`,
      ],
      { CARGO_PROFILE_DEV_DEBUG: "false" },
    );
  }
}

/** @param {string} library */
function lockedVersion(library) {
  const lock = readFileSync(join(root, "Cargo.lock"), "utf8");
  const version = lock.match(new RegExp(`name = "${library}"\nversion = "(.+)"`))?.[1];
  return version ?? fail(`Cargo.lock has no package ${library}`);
}
