// node herd-holders.js <options> lets holders ask an authority for their first ids, all at once, and
// prints the figures as JSON. The options, as JSON, are the tree whose package has the holders, the
// authority's URL, its token, and the number of holders.

import { Agent, request } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
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

const agent = new Agent({ keepAlive: true });

/**
 * Sends a request as `fetch` does, which takes more CPU time, and all holders share this process.
 *
 * @param {string} target
 * @param {any} init
 * @returns {Promise<Response>}
 */
function call(target, { method, headers, body, signal }) {
  calls += 1;
  return new Promise((resolve, reject) => {
    const sent = request(new URL(new URL(target).pathname, url), {
      method,
      headers,
      signal,
      agent,
    });
    sent.once("error", (/** @type {any} */ error) => {
      fail(error.code ?? error.name);
      reject(error);
    });
    sent.once("response", async (response) => {
      const text = (await response.toArray()).join("");
      const { statusCode: status, headers } = response;
      if (status !== 200) fail(JSON.parse(text).type.replace("/problems/", ""));
      resolve(new Response(text, { status, headers: /** @type {any} */ (headers) }));
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
