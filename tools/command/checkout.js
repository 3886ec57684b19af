// A copy of this checkout, as a clone of it would be.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.js";

/** Copies all files that git knows, or would, into a directory. @param {string} into */
export function copyCheckout(into) {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = spawnSync("git", list, { cwd: root, encoding: "utf8" });
  for (const file of stdout.split("\0")) {
    // A file that is deleted is known until that is committed.
    if (file !== "" && existsSync(join(root, file))) cpSync(join(root, file), join(into, file));
  }
}
