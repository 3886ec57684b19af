// Runs wrk on a core of its own, with the script that counts the answers.

import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fail } from "../tools/command/run.js";

/** This command runs workerd on the core that wrk does not use. */
export const PREFIX = ["taskset", "-c", "0"];

/** Number of connections, large enough that workerd always has a request to answer. */
const CONNECTIONS = 32;

/**
 * @typedef {{ perSecond: number, p50: number, p99: number }} Load `p50` and `p99` are in µs
 *
 * @param {string} name for messages @param {string} url @param {number} seconds
 * @param {string} argument the argument of benches/worker/load.lua
 * @returns {Load} the process ends with an error if an answer was incomplete
 */
export function load(name, url, seconds, argument) {
  if (availableParallelism() < 2) fail("found 1 core: workerd and wrk need one each");
  const program = ["-c", "1", "wrk", "-t", "1", "-c", `${CONNECTIONS}`, "-d", `${seconds}s`];
  const script = ["-s", join("benches", "worker", "load.lua"), url, "--", argument];
  const { status, stdout, stderr } = spawnSync("taskset", [...program, ...script], {
    encoding: "utf8",
  });
  const line = stdout?.match(/^result (.*)$/m)?.[1];
  if (status !== 0 || !line) fail(`wrk failed: ${stderr}${stdout}`);
  const [whole, other, failed, micros, p50, p99] = line.split(" ").map(Number);
  if (whole === 0 || other + failed > 0) {
    fail(
      `${name}: ${whole} answers were complete, ${other} were not, and ${failed} requests failed`,
    );
  }
  return { perSecond: (whole / micros) * 1e6, p50, p99 };
}
