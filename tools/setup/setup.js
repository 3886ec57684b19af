import { delimiter, dirname, join } from "node:path";
import { bin, root } from "../command/paths.js";
import { installNpmPackages } from "./npm.js";
import { requirePrograms, testPrograms } from "./programs.js";
import { installRust } from "./rust.js";

/**
 * Installs missing dependencies of a command, and prints a line per step.
 *
 * - `build`: the programs and npm packages that compile and serve the Worker, the package and the
 *   page.
 * - `lint`: also the npm packages that check, test and document these parts.
 * - `tests`: also the project in which the package is tested, and the system programs that the
 *   tests need.
 *
 * @param {"build" | "lint" | "tests"} [needs]
 */
export async function setup(needs = "build") {
  prepareEnvironment();
  await Promise.all([installNpmPackages(root, { production: needs === "build" }), installRust()]);
  if (needs !== "tests") return;
  await installNpmPackages(join(root, "tests", "package", "consumer"));
  requirePrograms(testPrograms);
}

/** Makes child processes find this Node first, then the commands of the npm packages. */
export function prepareEnvironment() {
  const first = [dirname(process.execPath), bin];
  process.env.PATH = [...first, process.env.PATH].join(delimiter);
  process.env.WRANGLER_SEND_METRICS = "false";
}
