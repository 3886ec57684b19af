// Lists the published crates and npm packages. Only Cargo.toml defines the repository's address and
// the version.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "../command/paths.js";
import { output } from "../command/run.js";

const manifest = readFileSync(join(root, "Cargo.toml"), "utf8");
const [, workspace] = manifest.split(/^\[workspace\.package\]$/m);

/** @param {string} key of `workspace.package` */
const value = (key) => new RegExp(`^${key} = "(.+)"$`, "m").exec(workspace)?.[1] ?? "";

export const repository = value("repository");

export const version = value("version");

/** The folder of each crate, relative to the root, in the order of their dependencies. */
export const crates = {
  edgeflake: ".",
  "edgeflake-wire": "wire",
  "edgeflake-workers": join("worker", "crate"),
  "edgeflake-client": "client",
};

/** The npm packages, in the order of their dependencies. */
export const packages = /** @type {const} */ (["edgeflake", "create-edgeflake"]);

/**
 * Makes the relative links of a page absolute, because the page is also read outside the checkout.
 * The absolute links lead to the files of this version.
 *
 * @param {string} markdown @param {string} folder of the page, relative to the root
 */
export function absoluteLinks(markdown, folder) {
  return markdown.replace(/(?<=\]\()(?![a-z]+:|#)[^)\s]+/g, (link) =>
    [repository, "blob", `v${version}`, posix.join(folder, link)].join("/"),
  );
}

/**
 * Packs a package into a directory, and returns the tarball's path.
 *
 * @param {typeof packages[number]} name @param {string} directory
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
  // Scripts may print something before the tarball's name.
  return join(into, `${printed.trim().split("\n").at(-1)}`);
}

/** @param {string} file @param {(text: string) => string} change */
function edit(file, change) {
  writeFileSync(file, change(readFileSync(file, "utf8")));
}
