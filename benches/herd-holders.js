// node herd-holders.js <options> lets holders ask an authority for their first ids, all at once,
// and prints the figures as JSON. The options are JSON: the authority's URL, its token, and the
// number of holders.

import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { LeasedGenerator } from "edgeflake/lease";

/** A holder that has no id after this time, in ms, gives up. */
const PATIENCE_MS = 60_000;

const { url, token, holders } = JSON.parse(process.argv[2]);

let calls = 0;
/** Number of failed calls, by the problem's code or by the reason why the connection ended. */
const failed = /** @type {Record<string, number>} */ ({});

/** @param {string} code */
function fail(code) {
  failed[code] = (failed[code] ?? 0) + 1;
}

const { hostname, port, host } = new URL(url);
const { address } = await lookup(hostname);

/** The open connections that no call uses. */
const idle = /** @type {Set<Connection>} */ (new Set());

/** Matches the body of a complete answer: a JSON object, perhaps as one chunk. */
const BODY = /\r\n\r\n(?:[\da-f]+\r\n)?(\{.*\})(?:\r\n0\r\n\r\n)?$/s;

/** A connection to the authority, which carries one call at a time. */
class Connection {
  #socket = connect({ host: address, port: Number(port), noDelay: true }).setEncoding("utf8");
  #answer = "";
  /** @type {(status: number, text: string) => void} */
  #resolve = () => {};
  /** @type {((code: string) => void) | undefined} */
  #reject;

  constructor() {
    this.#socket.on("data", (/** @type {any} */ text) => this.#receive(text));
    this.#socket.on("error", (/** @type {any} */ { code }) => this.end(code));
    this.#socket.on("end", () => this.end("closed"));
  }

  /**
   * @param {string} request @param {(status: number, text: string) => void} resolve
   * @param {(code: string) => void} reject
   */
  send(request, resolve, reject) {
    [this.#resolve, this.#reject] = [resolve, reject];
    this.#socket.write(request);
  }

  /** @param {string} code the reason why the call fails, if there is one */
  end(code) {
    idle.delete(this);
    this.#socket.destroy();
    this.#reject?.(code);
    this.#reject = undefined;
  }

  /** @param {string} text */
  #receive(text) {
    this.#answer += text;
    const body = BODY.exec(this.#answer)?.[1];
    if (body === undefined) return;
    const status = Number(/ (\d{3}) /.exec(this.#answer)?.[1]);
    this.#answer = "";
    this.#reject = undefined;
    idle.add(this);
    this.#resolve(status, body);
  }
}

/**
 * Sends a request as `fetch` does, but in a fraction of the CPU time. This matters because all
 * holders share a process, and share the machine with the authority.
 *
 * @param {string} target @param {any} init @returns {Promise<any>}
 */
function call(target, { method, headers, body, signal }) {
  calls += 1;
  const fields = Object.entries({ ...headers, host, "content-length": Buffer.byteLength(body) });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const { pathname } = new URL(target);
  const [connection = new Connection()] = idle;
  idle.delete(connection);
  signal.onabort = () => connection.end("given up");
  return new Promise((resolve, reject) => {
    const answered = (/** @type {number} */ status, /** @type {string} */ text) => {
      signal.onabort = null;
      const ok = status === 200;
      if (!ok) fail(JSON.parse(text).type.replace("/problems/", ""));
      const type = ok ? "application/json" : "application/problem+json";
      const get = (/** @type {string} */ name) => (name === "content-type" ? type : null);
      resolve({ ok, status, headers: { get }, text: async () => text });
    };
    connection.send(`${method} ${pathname} HTTP/1.1\r\n${lines}\r\n${body}`, answered, (code) => {
      fail(code);
      reject(new Error(code));
    });
  });
}

const begin = performance.now();

/** Resolves with a holder's first id, and the time in ms after which it came. */
async function firstId() {
  // Generators with the same authority share a holder, so each generator gets a new authority
  // object.
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
