// node herd-holders.js <options> lets holders ask an authority for their first ids, all at once,
// and prints the figures as JSON. The options are JSON: the tree whose package the holders use, the
// authority's URL, its token, and the number of holders.

import { lookup } from "node:dns/promises";
import { Agent, request } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** A holder that has no id after this time, in ms, gives up. */
const PATIENCE_MS = 60_000;

const { tree, url, token, holders } = JSON.parse(process.argv[2]);
const file = createRequire(join(tree, "package.json")).resolve("edgeflake/lease");
const { LeasedGenerator } = await import(pathToFileURL(file).href);

let calls = 0;
/** Number of failed calls by the code of the problem, or by the error of `fetch`. */
const failed = /** @type {Record<string, number>} */ ({});

/** @param {string} code */
function fail(code) {
  failed[code] = (failed[code] ?? 0) + 1;
}

const { hostname, port } = new URL(url);
const { address } = await lookup(hostname);
const agent = new Agent({ keepAlive: true, scheduling: "lifo" });

/**
 * Sends a request as `fetch` does, but in a fraction of the CPU time. This matters because all
 * holders share a process, and share the machine with the authority.
 *
 * @param {string} target
 * @param {any} init
 * @returns {Promise<any>}
 */
function call(target, { method, headers, body, signal }) {
  calls += 1;
  return new Promise((resolve, reject) => {
    const path = new URL(target).pathname;
    const sent = request({ agent, host: address, port, method, path, headers, signal });
    sent.on("error", (/** @type {any} */ error) => {
      fail(error.code);
      reject(error);
    });
    sent.on("response", async (response) => {
      const { statusCode: status } = response;
      const text = await readText(response);
      const ok = status === 200;
      if (!ok) fail(JSON.parse(text).type.replace("/problems/", ""));
      const get = (/** @type {string} */ name) => response.headers[name] ?? null;
      resolve({ ok, status, headers: { get }, text: async () => text });
    });
    sent.end(body);
  });
}

const begin = performance.now();

/** Resolves with a holder's first id, and when it came, in ms. */
async function firstId() {
  // Generators with the same authority share a holder, so each has an authority of its own.
  const generator = new LeasedGenerator({ authority: { fetch: call }, token });
  for (;;) {
    try {
      return { id: await generator.next(), ms: performance.now() - begin };
    } catch (/** @type {any} */ error) {
      if (error.retryInMs === undefined || performance.now() - begin > PATIENCE_MS) throw error;
      await pause(error.retryInMs);
    }
  }
}

const answers = await Promise.allSettled(Array.from({ length: holders }, firstId));
const firsts = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
const times = firsts.map(({ ms }) => ms).sort((a, b) => a - b);
const result = {
  served: firsts.length,
  medianMs: times[Math.floor(times.length / 2)],
  lastMs: times.at(-1),
  failed,
  calls,
  twice: firsts.length - new Set(firsts.map(({ id }) => id)).size,
};
console.log(JSON.stringify(result));
process.exit();
