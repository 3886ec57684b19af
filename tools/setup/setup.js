import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { bin, root } from "../command/paths.js";
import { fail, install, output } from "../command/run.js";
import { installCargoTools } from "./cargo-tools.js";
import { buildPrograms, requirePrograms, testPrograms } from "./programs.js";
import { requireRustup } from "./rustup.js";

/**
 * Installs what is missing, a line a step; says nothing when nothing is.
 *
 * @param {{ tests?: boolean }} [needs] tests: also what the tests need of the system
 */
export function setup({ tests = false } = {}) {
  installNpmPackages(root);
  // Whatever runs from here on finds the commands of the npm packages first, among them a Node that
  // is new enough for wrangler.
  process.env.PATH = `${bin}${delimiter}${process.env.PATH}`;
  process.env.WRANGLER_SEND_METRICS = "false";

  installRust();
  requirePrograms(buildPrograms);
  installCargoTools();
  if (tests) {
    installNpmPackages(join(root, "tests", "package", "consumer"));
    requirePrograms(testPrograms);
  }
}

/** @param {string} directory of a package.json with its lock file */
export function installNpmPackages(directory) {
  const lock = join(directory, "package-lock.json");
  // A copy of the lock file that was installed; `npm ci` deletes it first, with the rest.
  const installed = join(directory, "node_modules", ".installed-lock.json");
  if (!existsSync(installed) || readFileSync(installed, "utf8") !== readFileSync(lock, "utf8")) {
    install("npm ci (about 30 seconds)", "npm", [
      "ci",
      `--prefix=${directory}`,
      "--include=dev",
      "--no-audit",
      "--no-fund",
      // Without a network, npm's own waits between retries add up to more than five minutes.
      "--fetch-retry-mintimeout=1000",
      "--fetch-retry-maxtimeout=4000",
    ]);
    copyFileSync(lock, installed);
  }
  if (!output(join(bin, "node"), ["--version"])) {
    fail(
      "node_modules/.bin/node does not run: npm did not run the install script of the package " +
        "node; allow it with `npm rebuild node --ignore-scripts=false`",
    );
  }
}

/** What rust-toolchain.toml names. */
function installRust() {
  requireRustup();
  // Else rustup would install the toolchain by itself, in silence and without a word on how long.
  process.env.RUSTUP_AUTO_INSTALL = "0";

  const file = readFileSync(join(root, "rust-toolchain.toml"), "utf8");
  const [channel] = quoted(file, "channel");
  const components = quoted(file, "components");
  const targets = quoted(file, "targets");

  const installed = output("rustup", ["component", "list", "--installed", "--toolchain", channel]);
  const wanted = [...components, ...targets.map((target) => `rust-std-${target}`)];
  if (wanted.every((component) => installed?.includes(component))) return;

  install(`rustup toolchain install ${channel} (about 1 minute)`, "rustup", [
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
