// Programs of the system, and Python packages.

import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cache } from "../command/paths.js";
import { fail, install, output } from "../command/run.js";

/**
 * A program of the system. What only tests and benches need is installed with apt when root on
 * Debian; otherwise the set-up fails and names it.
 *
 * @typedef {object} Program
 * @property {string} name for people
 * @property {() => string | undefined} find its path, or what else proves that it is there
 * @property {string[]} apt the Debian packages that bring it
 * @property {string} [env] the variable that names its path: read if set, else set for the tests
 */

/** Programs that building needs. @type {Program[]} */
export const buildPrograms = [
  { name: "a C compiler (cc)", find: () => onPath("cc"), apt: ["gcc", "libc6-dev"] },
];

/** Programs that a page needs to run. @type {Program[]} */
export const pagePrograms = [
  {
    name: "Chromium",
    find: () => onPath("chromium", "chromium-browser", "google-chrome"),
    apt: ["chromium"],
    env: "EDGEFLAKE_CHROMIUM",
  },
];

/** Programs that the tests need. @type {Program[]} */
export const testPrograms = [
  ...pagePrograms,
  { name: "curl", find: () => onPath("curl"), apt: ["curl"] },
];

/** Programs that testing the API by its description needs. @type {Program[]} */
export const pythonPrograms = [
  {
    name: "Python 3.10 or newer with its module venv",
    find: () => output("python3", ["-c", FIND_PYTHON]),
    apt: ["python3", "python3-venv"],
  },
];

/** Without ensurepip, venv makes an environment that nothing can be installed into. */
const FIND_PYTHON =
  "import ensurepip, sys, venv; assert sys.version_info >= (3, 10); print(sys.executable)";

/** Programs that the benches of the Worker need. @type {Program[]} */
export const benchPrograms = [
  { name: "wrk", find: () => onPath("wrk"), apt: ["wrk"] },
  { name: "taskset", find: () => onPath("taskset"), apt: ["util-linux"] },
];

/** Programs that counting instructions needs. @type {Program[]} */
export const gatePrograms = [
  { name: "valgrind", find: () => onPath("valgrind"), apt: ["valgrind"] },
];

/**
 * Installs the programs that are missing, where that can be done, and sets the variables of all to
 * where they were found.
 *
 * @param {Program[]} programs
 */
export function requirePrograms(programs) {
  const missing = programs.filter((program) => !locate(program));
  if (missing.length === 0) return;

  if (canInstall()) {
    const packages = missing.flatMap((program) => program.apt);
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    install("apt-get update (about 10 seconds)", "apt-get", ["update"], env);
    install(
      `apt-get install ${packages.join(" ")} (about 1 minute)`,
      "apt-get",
      ["install", "-y", "--no-install-recommends", ...packages],
      env,
    );
  }

  namePrograms(missing);
}

/**
 * Fails with the first program that is not there. Nothing is installed.
 *
 * @param {Program[]} programs
 */
export function namePrograms(programs) {
  for (const program of programs) {
    if (locate(program)) continue;
    const override = program.env ? `, or set ${program.env} to its path` : "";
    fail(`${program.name} not found; install it (on Debian: ${program.apt.join(" ")})${override}`);
  }
}

/**
 * Those that are not there and cannot be installed.
 *
 * @param {Program[]} programs
 */
export function lacking(programs) {
  return canInstall() ? [] : programs.filter((program) => !locate(program));
}

function canInstall() {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

/** @param {Program} program */
function locate({ find, env }) {
  if (!env) return find();
  const set = process.env[env];
  if (set && !existsSync(set))
    fail(`${env} names ${set}, which does not exist: unset it, or set it to the program's path`);
  const path = set ?? find();
  if (path) process.env[env] = path;
  return path;
}

/** @param {string[]} names the first one that is found wins */
function onPath(...names) {
  const directories = (process.env.PATH ?? "").split(delimiter);
  return names
    .flatMap((name) => directories.map((directory) => join(directory, name)))
    .find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The programs of a Python environment with pinned packages. Its name has the hash of what is pinned,
 * so it is made once per machine.
 *
 * @param {string} name of what is installed
 * @param {string} requirements the file that pins it
 * @returns {string} the directory of the programs
 */
export function pythonEnvironment(name, requirements) {
  requirePrograms(pythonPrograms);
  const hash = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const directory = join(cache, `${name}-${hash}`);
  const whole = join(directory, "whole");
  const programs = join(directory, "bin");
  if (!existsSync(whole)) {
    rmSync(directory, { force: true, recursive: true });
    install("python3 -m venv (about 5 seconds)", "python3", ["-m", "venv", directory]);
    install(`pip install ${name} (once, about 20 seconds)`, join(programs, "pip"), [
      "install",
      "--disable-pip-version-check",
      "--require-hashes",
      `--requirement=${requirements}`,
    ]);
    writeFileSync(whole, "");
  }
  return programs;
}
