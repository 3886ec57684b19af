// A Worker that the tests configure wrongly. It tries three times what the path names, and answers
// with the errors and with its log.

import { env, exports } from "cloudflare:workers";
import { admin } from "edgeflake/authority";
import { LeasedGenerator } from "edgeflake/lease";

export { Authority, Directory } from "edgeflake/authority";

const lines = [];
console.error = (line) => lines.push(JSON.parse(line));

/**
 * The calls to try, by the path of the request. Each fails in a Worker with the wrong
 * configuration.
 */
const tries = {
  "/lease": (sequencer) => new LeasedGenerator({ authority: env.AUTHORITY, sequencer }).next(),
  "/exports": () => new LeasedGenerator({ authority: exports.Authority }).next(),
  "/http": () => new LeasedGenerator({ authority: env.IDS, token: env.TOKEN }).next(),
  "/rpc": () => new LeasedGenerator({ authority: env.IDS }).next(),
  "/ids": () => env.IDS.next(),
  "/create": () => admin.create("orders"),
};

export default {
  /** @param {Request} request */
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const startMs = Date.now();
    const errors = [];
    lines.length = 0;
    for (let i = 0; i < 3; i++) {
      try {
        await tries[pathname](searchParams.get("sequencer") ?? undefined);
      } catch ({ code, message, retryInMs }) {
        errors.push({ code, message, retryInMs });
      }
    }
    const logged = lines.filter(({ event }) => event === "configuration-refused");
    const messages = logged.map(({ message }) => message);
    return Response.json({ errors, messages, tookMs: Date.now() - startMs });
  },
};
