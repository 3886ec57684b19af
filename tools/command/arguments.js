// Reads a command's arguments. The first comment in the command's file is its help text.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fail } from "./run.js";

/** Returns the first comment of the command's file. */
function help() {
  const lines = readFileSync(process.argv[1], "utf8").split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines
    .slice(0, end)
    .map((line) => line.slice(3))
    .join("\n");
}

/**
 * Returns the command's options and other arguments. Ends the process if an argument is not
 * allowed, and after `--help`.
 *
 * @template {import("node:util").ParseArgsConfig} T @param {T} config
 */
export function readArguments(config) {
  if (process.argv.includes("--help")) {
    console.log(help());
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return fail(`${/** @type {Error} */ (error).message}\n\n${help()}`);
  }
}
