// The npm packages as npm would publish them.

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/command/paths.js";
import { output } from "../../tools/command/run.js";

/**
 * Packs a package into a directory of its own in this one; answers the tarball's path.
 *
 * @param {"edgeflake" | "create-edgeflake"} name
 * @param {string} directory
 */
export function pack(name, directory) {
  const into = join(directory, `packed-${name}`);
  rmSync(into, { force: true, recursive: true });
  mkdirSync(into, { recursive: true });
  const args = ["pack", "--silent", `--pack-destination=${into}`, join(root, "packages", name)];
  if (output("npm", args) === undefined) throw new Error(`npm does not pack ${name}`);
  return join(into, readdirSync(into)[0]);
}
