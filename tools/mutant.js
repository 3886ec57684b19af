import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.js";
import { fail, output } from "./run.js";

/**
 * A copy of what is Rust in the checkout, to be broken.
 *
 * @param {string} directory which it replaces
 */
export function copyCheckout(directory) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const files = output("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  if (files === undefined) fail("git ls-files failed: is this a checkout?");
  for (const file of files.split("\0").filter((file) => /\.(rs|toml|lock|md)$/.test(file))) {
    cpSync(join(root, file), join(directory, file));
  }
}

/**
 * @param {string} patch the file
 * @param {string} directory a copy of the checkout
 * @param {string[]} [options] of `patch`
 */
export function apply(patch, directory, options = []) {
  const { status, stderr } = spawnSync("patch", ["-p1", "--silent", ...options, `-i${patch}`], {
    cwd: directory,
    encoding: "utf8",
  });
  if (status !== 0) fail(`${patch} does not apply: make it anew\n${stderr}`);
}
