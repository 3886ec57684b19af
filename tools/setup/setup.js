import { delimiter, dirname, join } from "node:path";
import { bin, root } from "../command/paths.js";
import { installNpmPackages } from "./npm.js";
import { buildPrograms, namePrograms, requirePrograms, testPrograms } from "./programs.js";
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
  await Promise.all([npmPackages(needs !== "build"), rust()]);
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

/** @param {boolean} all whether to add packages that are needed only for checks, tests and docs */
export async function npmPackages(all) {
  await installNpmPackages(root, { production: !all });
}

/** Installs the toolchain, and checks that there is a C compiler. */
export async function rust() {
  await installRust();
  namePrograms(buildPrograms);
}
