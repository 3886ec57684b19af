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
 * Installs the npm packages of a project from its lock file, unless they are installed.
 *
 * @param {string} directory the directory with a package.json and its lock file
 * @param {object} [options]
 * @param {boolean} [options.production] leaves out devDependencies that are not installed yet
 */
export async function installNpmPackages(directory, options = {}) {
  const { production = false } = options;
  const lock = readFileSync(join(directory, "package-lock.json"), "utf8");
  // When packages are installed, the lock file is copied to one of these files in node_modules.
  // `npm ci` deletes the copies with the rest of the directory.
  const stamps = { production: ".installed-production.json", all: ".installed-all.json" };
  const isInstalled = (/** @type {string} */ stamp) => {
    const file = join(directory, "node_modules", stamp);
    return existsSync(file) && readFileSync(file, "utf8") === lock;
  };
  if (isInstalled(stamps.all) || (production && isInstalled(stamps.production))) return;

  // A development server may be using the production packages, so `npm install` leaves these
  // packages in place and adds the others.
  const command = isInstalled(stamps.production) ? ["install", "--no-save"] : ["ci"];
  await step(`npm ${command[0]} (about 10 seconds)`, "npm", [
    ...command,
    `--prefix=${directory}`,
    production ? "--omit=dev" : "--include=dev",
    ...NPM_OPTIONS,
  ]);
  const stamp = production ? stamps.production : stamps.all;
  copyFileSync(join(directory, "package-lock.json"), join(directory, "node_modules", stamp));
}
