// Installs or requires programs of the system, and installs Python packages.

import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache } from "../command/paths.js";
import { fail, install, output } from "../command/run.js";

/**
 * A program of the system. If the user is root on Debian, the set-up installs with apt a missing
 * program that only tests or benches need. Otherwise the set-up fails and names the program.
 *
 * @typedef {object} Program
 * @property {string} name for people
 * @property {() => string | undefined} find returns the program's path, or other proof that the
 * program is installed
 * @property {string[]} apt the Debian packages that contain it
 * @property {string} [env] the variable for the program's path, which the set-up sets if it is
 * unset
 */

const findChromium = () => onPath("chromium", "chromium-browser", "google-chrome");

/** A program with the same name for people and on the path. @param {string} name */
const plain = (name, apt = name) => ({ name, find: () => onPath(name), apt: [apt] });

/** Programs for building. @type {Program[]} */
export const buildPrograms = [
  { name: "a C compiler (cc)", find: () => onPath("cc"), apt: ["gcc", "libc6-dev"] },
];

/** Programs for opening the page. @type {Program[]} */
export const pagePrograms = [
  { name: "Chromium", find: findChromium, apt: ["chromium"], env: "EDGEFLAKE_CHROMIUM" },
];

/** Programs for the tests. @type {Program[]} */
export const testPrograms = [
  {
    // This Chromium has no windows, and runs the tests of the page in half the time.
    name: "Chromium's headless shell",
    find: () => onPath("chromium-headless-shell") ?? (canInstall() ? undefined : findChromium()),
    apt: ["chromium-headless-shell"],
    env: "EDGEFLAKE_CHROMIUM",
  },
  plain("curl"),
];

/** Programs for testing PostgreSQL as an authority. @type {Program[]} */
export const postgresPrograms = [
  {
    name: "PostgreSQL",
    find: () => globSync("/usr/lib/postgresql/*/bin/postgres").sort().at(-1) ?? onPath("postgres"),
    apt: ["postgresql"],
    env: "EDGEFLAKE_POSTGRES",
  },
];

/** This check of Python imports ensurepip, because venv needs it to install packages. */
const FIND_PYTHON =
  "import ensurepip, sys, venv; assert sys.version_info >= (3, 10); print(sys.executable)";

/** @type {Program[]} */
const pythonPrograms = [
  {
    name: "Python 3.10 or newer with its module venv",
    find: () => output("python3", ["-c", FIND_PYTHON]),
    apt: ["python3", "python3-venv"],
  },
];

/** Programs for the benches of the Worker. */
export const benchPrograms = [plain("wrk"), plain("taskset", "util-linux")];

/** Programs for counting instructions. */
export const gatePrograms = [plain("valgrind")];

/**
 * Installs missing programs if possible, and sets the variables of all programs to their paths.
 *
 * @param {Program[]} programs
 */
export function requirePrograms(programs) {
  const missing = programs.filter((program) => !locate(program));
  if (missing.length > 0 && canInstall()) {
    const packages = missing.flatMap((program) => program.apt);
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    install("apt-get update (about 10 seconds)", "apt-get", ["update"], env);
    const line = `apt-get install ${packages.join(" ")} (about 1 minute)`;
    install(line, "apt-get", ["install", "-y", "--no-install-recommends", ...packages], env);
  }
  namePrograms(missing);
}

/**
 * Fails if a program is missing, and names the first missing program. Installs nothing.
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

/** Returns the programs that are missing and cannot be installed. @param {Program[]} programs */
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

/** Returns the path of the first of these programs that is found. @param {string[]} names */
function onPath(...names) {
  // `command -v` is POSIX, whereas some systems have no `which`.
  const find = (/** @type {string} */ name) => output("sh", ["-c", 'command -v "$0"', name]);
  return names.map((name) => find(name)?.trim()).find(Boolean);
}

/**
 * Returns the directory of programs in a Python environment with pinned packages. The directory's
 * name contains the hash of the requirements, so each environment is made once per machine.
 *
 * @param {string} name of the package that is installed
 * @param {string} requirements the file that pins the package and its dependencies
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
