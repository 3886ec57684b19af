// Installs the tools that compile the Worker, and then compiles the Worker into build/.

import { execSync } from "node:child_process";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** The release of worker-build that fits the release of the crate `worker` in Cargo.toml. */
const WORKER_BUILD = "0.8";

const run = (command) => execSync(command, { stdio: "inherit" });

function version(program) {
  try {
    return execSync(`${program} --version`, { encoding: "utf8", stdio: "pipe" });
  } catch {
    return "";
  }
}

// Cloudflare's build machines have no Rust, so install Rust there.
if (process.env.WORKERS_CI) {
  process.env.PATH = `${join(homedir(), ".cargo", "bin")}${delimiter}${process.env.PATH}`;
  if (!version("rustup")) {
    run("curl --proto =https --tlsv1.2 -fsS https://sh.rustup.rs | sh -s -- -y --profile=minimal");
  }
}
if (!version("cargo")) throw new Error("cargo was not found: install Rust from https://rustup.rs");
if (version("rustup")) run("rustup --quiet target add wasm32-unknown-unknown");
if (!version("worker-build").startsWith(`${WORKER_BUILD}.`)) {
  run(`cargo install --locked worker-build@^${WORKER_BUILD}`);
}
run("worker-build --release");
