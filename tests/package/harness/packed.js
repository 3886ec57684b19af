// Installs the packed package as users do, in the node_modules of a directory with the suite.

import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pack as packed } from "../../../tools/build/published.js";
import { root } from "../../../tools/command/paths.js";
import { output } from "../../harness/processes.js";

export const consumer = join(root, "build", "consumer");

export const installed = join(consumer, "node_modules", "edgeflake");

/** The directory with the commands of the platforms and bundlers. */
export const tools = join(root, "tests", "package", "consumer", "node_modules");

/**
 * Packs the package, unpacks it in a consumer, and returns the tarball's path.
 *
 * @param {string} [into] the directory of the consumer; each test file has its own
 */
export function pack(into = consumer) {
  const target = join(into, "node_modules", "edgeflake");
  rmSync(into, { force: true, recursive: true });
  mkdirSync(target, { recursive: true });
  const tarball = packed("edgeflake", into);
  command("tar", ["-xzf", tarball, "--strip-components=1", "-C", target], into);
  const ours = join(root, "tests", "package", "consumer");
  for (const name of readdirSync(ours)) {
    if (name === "node_modules") continue;
    cpSync(join(ours, name), join(into, "package", "consumer", name), { recursive: true });
  }
  return tarball;
}

/**
 * Runs a command in the consumer, and returns its output. Throws if the command fails.
 *
 * @param {string} name @param {string[]} args @param {string} [cwd]
 * @param {Record<string, string>} [env]
 */
export const command = (name, args, cwd = consumer, env = {}) =>
  output(name, args, { cwd, env: { ...process.env, ...env } });
