// Both packages as npm would publish them.

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../tools/command/paths.js";
import { run } from "./processes.js";

/** The folders that a project is created from. */
export const templates = readdirSync(join(root, "templates"));

/**
 * Packs a package into a directory; answers the tarball's path.
 *
 * @param {"edgeflake" | "create-edgeflake"} name
 * @param {string} directory
 */
export async function pack(name, directory) {
  const into = join(directory, name);
  rmSync(into, { force: true, recursive: true });
  mkdirSync(into, { recursive: true });
  const args = ["pack", "--silent", `--pack-destination=${into}`];
  await run("npm", args, { cwd: join(root, "packages", name) });
  return join(into, readdirSync(into)[0]);
}
