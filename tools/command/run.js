import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { cache, root } from "./paths.js";

/**
 * Ends the process with one line.
 *
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}

/**
 * Runs a command in the checkout, its output on the terminal, and answers its exit code.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 */
export function exitCode(command, args, options) {
  const { error, status } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (error) fail(`${command} does not run: ${error.message}`);
  return status ?? 1;
}

/**
 * As `exitCode`, while this process goes on with other things.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export async function exitCodeOf(command, args, options) {
  const child = spawn(command, args, { cwd: root, stdio: "inherit", ...options });
  const [code] = await once(child, "exit");
  return code ?? 1;
}

/**
 * Runs a command that must succeed: its failure ends the process with its exit code.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 */
export function run(command, args, options) {
  const code = exitCode(command, args, options);
  if (code !== 0) process.exit(code);
}

/**
 * Runs a command for what it prints; undefined if it cannot be run or fails.
 *
 * @param {string} command
 * @param {string[]} args
 */
export function output(command, args) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

/**
 * Runs a command that must succeed, and shows what it printed only if it does not.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 */
export function runQuietly(command, args, options) {
  const log = join(cache, `${basename(command)}.log`);
  const code = logged(log, command, args, options);
  if (code === 0) return;
  console.error(readFileSync(log, "utf8"));
  process.exit(code);
}

/**
 * Runs one step of the set-up, each of which installs something.
 *
 * @param {string} line what it does and how long that takes
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] added to the environment
 */
export function install(line, command, args, env) {
  console.log(`set-up: ${line}`);
  const log = join(cache, `${basename(command)}.log`);
  if (logged(log, command, args, { env: { ...process.env, ...env } }) === 0) return;
  // Nobody can look into the log of a machine that is gone afterwards.
  if (process.env.CI) console.error(readFileSync(log, "utf8"));
  fail(`${command} failed: is there a network? What it printed is in ${log}`);
}

/**
 * @param {string} log the file that takes all output
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 */
function logged(log, command, args, options) {
  mkdirSync(dirname(log), { recursive: true });
  const file = openSync(log, "w");
  const code = exitCode(command, args, { ...options, stdio: ["ignore", file, file] });
  closeSync(file);
  return code;
}
