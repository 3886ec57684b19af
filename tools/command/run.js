import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { cache, root } from "./paths.js";

/**
 * Prints an error as one line, and ends the process.
 *
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}

/**
 * Prints why a command does not run, and ends the process.
 *
 * @param {string} command
 * @param {Error} error
 * @returns {never}
 */
export function cannotRun(command, error) {
  if (command === "cargo")
    fail("cargo not found: this needs Rust; install rustup from https://rustup.rs");
  fail(`${command} does not run: ${error.message}`);
}

/**
 * Runs a command in the checkout with its output on the terminal, and returns its exit code.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 */
export function exitCode(command, args, options) {
  const { error, status } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (error) cannotRun(command, error);
  return status ?? 1;
}

/**
 * Runs a command as `exitCode` does, but asynchronously. If this process ends first, it also ends
 * the command.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export async function exitCodeOf(command, args, options) {
  const child = spawn(command, args, { cwd: root, stdio: "inherit", ...options });
  const end = () => child.kill();
  process.once("exit", end);
  const [code] = await once(child, "exit").catch((error) => cannotRun(command, error));
  process.removeListener("exit", end);
  return code ?? 1;
}

/**
 * Runs a command as `run` does, but asynchronously.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export async function runBeside(command, args, options) {
  const code = await exitCodeOf(command, args, options);
  if (code !== 0) process.exit(code);
}

/**
 * Runs a command that must succeed. If the command fails, this process ends with the command's exit
 * code.
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
 * Runs a command, and returns its output, or undefined if the command cannot be run or fails.
 *
 * @param {string} command
 * @param {string[]} args
 */
export function output(command, args) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

/**
 * Runs a slow step asynchronously. Prints `line`, and writes the step's output to a log. If the
 * step fails in CI, also prints the log, because CI keeps no files.
 *
 * @param {string} line what the step does and how long that takes
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export async function step(line, command, args, options) {
  console.log(`set-up: ${line}`);
  const log = join(cache, `${basename(command)}-${process.pid}-${++steps}.log`);
  mkdirSync(dirname(log), { recursive: true });
  const file = openSync(log, "w");
  const start = performance.now();
  const code = await exitCodeOf(command, args, { ...options, stdio: ["ignore", file, file] });
  closeSync(file);
  if (code !== 0) stepFailed(command, log);
  rmSync(log);
  const seconds = Math.round((performance.now() - start) / 1000);
  if (seconds > 0) console.log(`set-up: ${line.replace(/ \(.*\)$/, "")}: done in ${seconds} s`);
}

let steps = 0;

/**
 * Runs a step as `step` does, but synchronously.
 *
 * @param {string} line what the step does and how long that takes
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] added to the environment
 */
export function install(line, command, args, env) {
  console.log(`set-up: ${line}`);
  const log = join(cache, `${basename(command)}.log`);
  if (logged(log, command, args, { env: { ...process.env, ...env } }) !== 0) {
    stepFailed(command, log);
  }
}

/** @param {string} command @param {string} log @returns {never} */
function stepFailed(command, log) {
  if (process.env.CI) console.error(readFileSync(log, "utf8"));
  fail(`${command} failed, perhaps because there is no network; its output is in ${log}`);
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
