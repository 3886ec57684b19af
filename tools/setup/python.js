import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache } from "../command/paths.js";
import { install } from "../command/run.js";
import { pythonPrograms, requirePrograms } from "./programs.js";

/**
 * The programs of a Python environment with pinned packages. Its name has the hash of what is pinned,
 * so it is made once a machine.
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
