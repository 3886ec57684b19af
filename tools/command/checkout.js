// Copies this checkout, as `git clone` would after a commit of all changes.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.js";

/** Copies all files that git tracks, or would add, into a directory. @param {string} into */
export function copyCheckout(into) {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = spawnSync("git", list, { cwd: root, encoding: "utf8" });
  for (const file of stdout.split("\0")) {
    // Git lists a deleted file until its deletion is staged.
    if (file !== "" && existsSync(join(root, file))) cpSync(join(root, file), join(into, file));
  }
}
