import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../command/paths.js";
import { output, step } from "../command/run.js";
import { requireRustup } from "./rustup.js";

/** Installs the toolchain that rust-toolchain.toml names, if it is not there. */
export async function installRust() {
  requireRustup();
  // Otherwise rustup would install the toolchain by itself, in silence.
  process.env.RUSTUP_AUTO_INSTALL = "0";

  const file = readFileSync(join(root, "rust-toolchain.toml"), "utf8");
  const [channel] = quoted(file, "channel");
  const components = quoted(file, "components");
  const targets = quoted(file, "targets");

  const installed = output("rustup", ["component", "list", "--installed", "--toolchain", channel]);
  const wanted = [...components, ...targets.map((target) => `rust-std-${target}`)];
  if (wanted.every((component) => installed?.includes(component))) return;

  await step(`rustup toolchain install ${channel} (seconds, or a minute)`, "rustup", [
    "toolchain",
    "install",
    channel,
    "--profile=minimal",
    ...components.map((component) => `--component=${component}`),
    ...targets.map((target) => `--target=${target}`),
  ]);
}

/**
 * The strings of one line of a TOML file.
 *
 * @param {string} toml
 * @param {string} key
 */
function quoted(toml, key) {
  const line = toml.split("\n").find((line) => line.startsWith(`${key} =`)) ?? "";
  return [...line.matchAll(/"(.+?)"/g)].map((match) => match[1]);
}
