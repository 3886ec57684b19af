import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, step } from "../command/run.js";

/**
 * Installs the npm packages of a project from its lock file; nothing if they are there.
 *
 * @param {string} directory of a package.json with its lock file
 * @param {object} [options]
 * @param {boolean} [options.production] without its devDependencies, if those are not there yet
 * @param {string} [options.into] another directory, into which the project's files are copied
 * @param {string} [options.line] what the set-up says
 * @param {string} [options.brings] a file that must be there afterwards: npm goes on without optional
 * packages that it cannot get
 */
export async function installNpmPackages(directory, options = {}) {
  const { production = false, into = directory, line, brings } = options;
  const lock = readFileSync(join(directory, "package-lock.json"), "utf8");
  // Copies of the lock file that was installed; `npm ci` deletes them first, with the rest.
  const stamps = { production: ".installed-production.json", all: ".installed-all.json" };
  const isInstalled = (/** @type {string} */ stamp) => {
    const file = join(into, "node_modules", stamp);
    return existsSync(file) && readFileSync(file, "utf8") === lock;
  };
  if (isInstalled(stamps.all) || (production && isInstalled(stamps.production))) return;

  if (into !== directory) {
    mkdirSync(into, { recursive: true });
    for (const file of ["package.json", "package-lock.json", ".npmrc"]) {
      copyFileSync(join(directory, file), join(into, file));
    }
  }
  // What a development server runs on stays where it is while the rest is added.
  const command = isInstalled(stamps.production) ? ["install", "--no-save"] : ["ci"];
  await step(line ?? `npm ${command[0]} (about 10 seconds)`, "npm", [
    ...command,
    `--prefix=${into}`,
    production ? "--omit=dev" : "--include=dev",
    "--no-audit",
    "--no-fund",
    // Without a network, npm's own waits between retries add up to more than five minutes.
    "--fetch-retry-mintimeout=1000",
    "--fetch-retry-maxtimeout=4000",
  ]);
  if (brings && !existsSync(brings)) fail(`npm did not bring ${brings}: is there a network?`);
  const stamp = production ? stamps.production : stamps.all;
  copyFileSync(join(directory, "package-lock.json"), join(into, "node_modules", stamp));
}
