import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../command/paths.js";
import { fail, output } from "../command/run.js";

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

/**
 * What a patch breaks, and who must notice: its head, in prose and then in lines such as
 *
 *     Found by: id \d+ came twice
 *     Found in the model: small
 *
 * The first is a regular expression that a message of the simulation matches, of the check that the
 * mutant is meant for; where two such checks see the same mistake there is a line for each. The
 * second is a setting of the model check, for a mutant that it reaches. A mutant of the JavaScript
 * is found in worlds, in schedules or in a test file, which a third line names:
 *
 *     Found in: tests/package/store.test.js
 *
 * @param {string} patch the file
 */
export function head(patch) {
  const text = readFileSync(patch, "utf8").split("\n---")[0] ?? "";
  /** @param {string} name */
  const lines = (name) =>
    [...text.matchAll(RegExp(`^${name}: (.+)`, "gm"))].map(([, line]) => line);
  const messages = lines("Found by").map((line) => RegExp(line ?? ""));
  if (messages.length === 0)
    fail(`${patch} does not say by which message it is found; add a line "Found by: ..."`);
  const what = text
    .replace(/^Found .*/gm, "")
    .trim()
    .replaceAll("\n", "\n  ");
  const [setting] = lines("Found in the model");
  const [place = "worlds"] = lines("Found in");
  return { what, messages, setting, place };
}
