// The npm packages as they are published: what npm packs, with the address of the repository.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../command/paths.js";
import { output } from "../command/run.js";
import { absoluteLinks, repository } from "./repository.js";

/** The packages, in the order in which they need each other. */
export const packages = /** @type {const} */ (["edgeflake", "create-edgeflake"]);

/**
 * Packs a package into a directory; answers the tarball's path.
 *
 * @param {typeof packages[number]} name
 * @param {string} directory
 */
export function pack(name, directory) {
  const scratch = join(directory, `packed-${name}`);
  const unpacked = join(scratch, "package");
  mkdirSync(scratch, { recursive: true });
  const tarball = npmPack(join(root, "packages", name), scratch);
  if (output("tar", ["-xzf", tarball, "-C", scratch]) === undefined) {
    throw new Error(`tar does not unpack ${tarball}`);
  }
  edit(join(unpacked, "package.json"), (text) => {
    const manifest = JSON.parse(text);
    manifest.homepage = `${repository}#readme`;
    manifest.bugs = `${repository}/issues`;
    manifest.repository = {
      type: "git",
      url: `git+${repository}.git`,
      directory: `packages/${name}`,
    };
    return `${JSON.stringify(manifest, null, 2)}\n`;
  });
  edit(join(unpacked, "README.md"), (text) => absoluteLinks(text, `packages/${name}`));
  const packed = npmPack(unpacked, directory, "--ignore-scripts");
  rmSync(scratch, { recursive: true });
  return packed;
}

/** @param {string} folder @param {string} into @param {string[]} options */
function npmPack(folder, into, ...options) {
  const args = ["pack", "--silent", `--pack-destination=${into}`, ...options, folder];
  const printed = output("npm", args);
  if (printed === undefined) throw new Error(`npm does not pack ${folder}`);
  // What a script prints comes before the name.
  return join(into, `${printed.trim().split("\n").at(-1)}`);
}

/** @param {string} file @param {(text: string) => string} change */
function edit(file, change) {
  writeFileSync(file, change(readFileSync(file, "utf8")));
}
