// Processes that issue ids, each killed at any moment.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const ID_BYTES = 8;

/**
 * Starts a script of this directory, with its options as JSON.
 *
 * @param {string} script
 * @param {object} options
 */
export function start(script, options) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  return spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** @typedef {ReturnType<typeof start>} Child */

/**
 * Starts a process that issues ids, and resolves with them when it has ended.
 *
 * @param {object} options the options of `issuer.js`
 * @param {(count: number, child: Child) => void} watch called with the number of ids up to now,
 * first before there is one
 */
export async function issue(options, watch) {
  const child = start("issuer.js", options);
  const ended = once(child, "close");
  /** @type {Buffer[]} */
  const chunks = [];
  let length = 0;
  let errors = "";
  watch(0, child);
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  child.stdout.on("data", (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    watch(length / ID_BYTES, child);
  });
  const [code, signal] = await ended;
  // A killed process may have printed half of an id.
  const bytes = Buffer.concat(chunks).subarray(0, length - (length % ID_BYTES));
  return { ids: new BigUint64Array(new Uint8Array(bytes).buffer), code, signal, errors };
}
