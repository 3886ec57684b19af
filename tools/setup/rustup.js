import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fail, install, output } from "../command/run.js";

/** What https://rustup.rs says to run, without its questions and without a toolchain. */
const INSTALL = `script=$(curl --proto =https --tlsv1.2 --fail --silent --show-error https://sh.rustup.rs) &&
printf '%s\\n' "$script" | sh -s -- -y --no-modify-path --profile=minimal --default-toolchain=none`;

/**
 * Sees to it that rustup can be run. It is yours to install; but the machines that build for
 * Cloudflare, which set WORKERS_CI, have no Rust and no user to install it.
 */
export function requireRustup() {
  if (isRustupThere()) return;
  if (!process.env.WORKERS_CI) fail("rustup not found; install it from https://rustup.rs");

  // The build command may have installed it already: wrangler's is another process.
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  process.env.PATH = `${join(cargoHome, "bin")}${delimiter}${process.env.PATH}`;
  if (isRustupThere()) return;
  install("rustup (about 10 seconds)", "sh", ["-c", INSTALL]);
  if (!isRustupThere()) fail("rustup not found, although it was installed");
}

export function isRustupThere() {
  return output("rustup", ["--version"]) !== undefined;
}
