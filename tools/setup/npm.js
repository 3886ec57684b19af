import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { step } from "../command/run.js";

export const NPM_OPTIONS = [
  "--no-audit",
  "--no-fund",
  // If the registry cannot be reached, npm's default waits between retries take more than a minute.
  "--fetch-retry-mintimeout=1000",
  "--fetch-retry-maxtimeout=4000",
];

/**
 * Installs the npm packages of a project from its lock file, unless they are installed. With
 * `production`, leaves out devDependencies that are not installed yet.
 *
 * @param {string} directory the directory with a package.json and its lock file
 */
export async function installNpmPackages(directory, { production = false } = {}) {
  const lock = join(directory, "package-lock.json");
  // When packages are installed, the lock file is copied to one of these files in node_modules.
  // `npm ci` deletes the copies with the rest of the directory.
  const [all, some] = [".installed-all.json", ".installed-production.json"].map((stamp) =>
    join(directory, "node_modules", stamp),
  );
  const isInstalled = (/** @type {string} */ stamp) =>
    existsSync(stamp) && readFileSync(stamp, "utf8") === readFileSync(lock, "utf8");
  if (isInstalled(all) || (production && isInstalled(some))) return;

  // A development server may be using the production packages, so `npm install` leaves these
  // packages in place and adds the others.
  const command = isInstalled(some) ? ["install", "--no-save"] : ["ci"];
  await step(`npm ${command[0]} (about 10 seconds)`, "npm", [
    ...command,
    `--prefix=${directory}`,
    production ? "--omit=dev" : "--include=dev",
    ...NPM_OPTIONS,
  ]);
  copyFileSync(lock, production ? some : all);
}
