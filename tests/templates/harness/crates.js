// Gives a project the crates that it depends on by version before these versions are published.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crates } from "../../../tools/build/published.js";
import { root } from "../../../tools/command/paths.js";

/**
 * Matches the profile with which the crates are already compiled, and the one that it inherits
 * from.
 */
const PROFILES = /^\[profile\.(release|worker)\]\n(.+\n)+/gm;

/**
 * Lets all projects in a directory take the crates of this checkout, compiled as its Worker is, so
 * that the contents of `target` need not be compiled again.
 *
 * @param {string} directory
 */
export function patchWithSources(directory) {
  const paths = Object.entries(crates).map(
    ([name, folder]) => `${name} = { path = ${JSON.stringify(join(root, folder))} }\n`,
  );
  const profiles = readFileSync(join(root, "Cargo.toml"), "utf8").match(PROFILES) ?? [];
  mkdirSync(join(directory, ".cargo"), { recursive: true });
  const config = `[patch.crates-io]\n${paths.join("")}\n${profiles.join("\n")}`;
  writeFileSync(join(directory, ".cargo", "config.toml"), config);
}

/** Locks a project's other crates to those of this checkout. @param {string} project */
export function lock(project) {
  cpSync(join(root, "Cargo.lock"), join(project, "Cargo.lock"));
}
