// Installs the Rust toolchain, and tools that cargo compiles.

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { cache, root } from "../command/paths.js";
import { fail, install, output, step } from "../command/run.js";
import { buildPrograms, namePrograms } from "./programs.js";

/** The installation command of https://rustup.rs, without prompts and without a toolchain. */
const INSTALL = `script=$(curl --proto =https --tlsv1.2 --fail --silent --show-error https://sh.rustup.rs) &&
printf '%s\\n' "$script" | sh -s -- -y --no-modify-path --profile=minimal --default-toolchain=none`;

/**
 * Checks that rustup runs. Installs rustup only on Cloudflare's build machines, which set
 * WORKERS_CI, because these machines have no Rust and no user who could install it.
 */
function requireRustup() {
  if (isRustupThere()) return;
  if (!process.env.WORKERS_CI) fail("rustup not found; install it from https://rustup.rs");

  // An earlier build command may have installed rustup, but this process does not inherit its PATH.
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  process.env.PATH = `${join(cargoHome, "bin")}${delimiter}${process.env.PATH}`;
  if (isRustupThere()) return;
  install("rustup (about 10 seconds)", "sh", ["-c", INSTALL]);
  if (!isRustupThere()) fail("rustup not found, although it was installed");
}

const isRustupThere = () => output("rustup", ["--version"]) !== undefined;

/** Installs the toolchain of rust-toolchain.toml, and checks that there is a C compiler. */
export async function installRust() {
  requireRustup();
  namePrograms(buildPrograms);
  // Without this variable, rustup would install the toolchain by itself, in silence.
  process.env.RUSTUP_AUTO_INSTALL = "0";

  const file = readFileSync(join(root, "rust-toolchain.toml"), "utf8");
  const [[channel], components, targets] = ["channel", "components", "targets"].map((key) => {
    const line = file.split("\n").find((line) => line.startsWith(`${key} =`)) ?? "";
    return [...line.matchAll(/"(.+?)"/g)].map((match) => match[1]);
  });

  const installed = output("rustup", ["component", "list", "--installed", "--toolchain", channel]);
  const wanted = [...components, ...targets.map((target) => `rust-std-${target}`)];
  if (wanted.every((component) => installed?.includes(component))) return;

  await step(`rustup toolchain install ${channel} (up to a minute)`, "rustup", [
    ...["toolchain", "install", channel, "--profile=minimal", "--no-self-update"],
    ...components.map((component) => `--component=${component}`),
    ...targets.map((target) => `--target=${target}`),
  ]);
}

/**
 * Describes a tool from crates.io. Each version of a tool is kept outside the checkout, so it is
 * compiled once per machine.
 *
 * @param {string} crate @param {string} binary @param {string} version
 */
export function cargoTool(crate, binary, version) {
  const directory = join(cache, `${crate}-${version}`);
  return { crate, binary, version, directory, path: join(directory, "bin", binary) };
}

/** This tool lists for `npm run lint -- --cycles` which files of a crate import each other. */
export const cargoModules = cargoTool("cargo-modules", "cargo-modules", "0.27.0");

/** This tool serves the registry of crates to which `npm run rehearse` publishes. */
export const cargoHttpRegistry = cargoTool("cargo-http-registry", "cargo-http-registry", "0.1.8");

export const cargoMutants = cargoTool("cargo-mutants", "cargo-mutants", "27.1.0");

/**
 * Compiles a tool if it is missing. An existing binary is complete, because cargo renames it into
 * place last.
 *
 * @param {ReturnType<typeof cargoTool>} tool
 */
export function installCargoTool({ crate, binary, version, directory, path }) {
  if (existsSync(path)) return;
  install(
    `cargo install ${crate} ${version} (once, 1 to 2 minutes on 2 cores)`,
    "cargo",
    // A debug build compiles in a quarter of the time, but makes each use of the tool 0.3 s slower.
    ["install", "--locked", "--debug", "--bin", binary, "--root", directory, `${crate}@${version}`],
    { CARGO_PROFILE_DEV_DEBUG: "false" },
  );
}
