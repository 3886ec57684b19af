import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { cache, root } from "./paths.js";

/** @import { SpawnOptions, SpawnSyncOptions, StdioOptions } from "node:child_process" */

/** Prints an error as one line, and ends the process. @param {string} message @returns {never} */
export function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}

/**
 * Prints why a command does not run, and ends the process.
 *
 * @param {string} command @param {Error} error @returns {never}
 */
function cannotRun(command, error) {
  if (command === "cargo")
    fail("cargo not found: this needs Rust; install rustup from https://rustup.rs");
  fail(`${command} does not run: ${error.message}`);
}

/**
 * Runs a command in the checkout with its output on the terminal, and returns its exit code.
 *
 * @param {string} command @param {string[]} args @param {SpawnSyncOptions} [options]
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
 * @param {string} command @param {string[]} args @param {SpawnOptions} [options]
 */
export async function exitCodeOf(command, args, options) {
  const child = spawn(command, args, { cwd: root, stdio: "inherit", ...options });
  const end = () => child.kill();
  process.once("exit", end);
  const [code] = await once(child, "exit").catch((error) => cannotRun(command, error));
  process.off("exit", end);
  return code ?? 1;
}

/**
 * Runs a command that must succeed. If the command fails, this process ends with the command's exit
 * code.
 *
 * @param {string} command @param {string[]} args @param {SpawnSyncOptions} [options]
 */
export function run(command, args, options) {
  const code = exitCode(command, args, options);
  if (code !== 0) process.exit(code);
}

/**
 * Runs a command as `run` does, but asynchronously.
 *
 * @param {string} command @param {string[]} args @param {SpawnOptions} [options]
 */
export async function runBeside(command, args, options) {
  const code = await exitCodeOf(command, args, options);
  if (code !== 0) process.exit(code);
}

/**
 * Runs a command, and returns its output, or undefined if the command cannot be run or fails.
 *
 * @param {string} command @param {string[]} args
 */
export function output(command, args) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

/**
 * Runs a slow step asynchronously. Prints `line`, which says what the step does and how long that
 * takes, and writes the step's output to a log. If the step fails in CI, also prints the log,
 * because CI keeps no files.
 *
 * @param {string} line @param {string} command @param {string[]} args
 */
export async function step(line, command, args) {
  const { stdio, end } = begin(line, command);
  const start = performance.now();
  end(await exitCodeOf(command, args, { stdio }));
  const seconds = Math.round((performance.now() - start) / 1000);
  if (seconds > 0) console.log(`set-up: ${line.replace(/ \(.*\)$/, "")}: done in ${seconds} s`);
}

/**
 * Runs a step as `step` does, but synchronously. `env` is added to the environment.
 *
 * @param {string} line @param {string} command @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function install(line, command, args, env) {
  const { stdio, end } = begin(line, command);
  end(exitCode(command, args, { env: { ...process.env, ...env }, stdio }));
}

let steps = 0;

/**
 * Prints a step's line, and opens its log. The returned `end` takes the step's exit code.
 *
 * @param {string} line @param {string} command
 */
function begin(line, command) {
  console.log(`set-up: ${line}`);
  mkdirSync(cache, { recursive: true });
  const log = join(cache, `${basename(command)}-${process.pid}-${++steps}.log`);
  const file = openSync(log, "w");
  const end = (/** @type {number} */ code) => {
    closeSync(file);
    if (code !== 0) {
      if (process.env.CI) console.error(readFileSync(log, "utf8"));
      fail(`${command} failed, perhaps because there is no network; its output is in ${log}`);
    }
    rmSync(log);
  };
  return { stdio: /** @type {StdioOptions} */ (["ignore", file, file]), end };
}
