// Holds connections that occupy the server without sending or reading a whole message, and measures
// how other requests fare meanwhile.

import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { askForOne, BULK } from "./crowd.js";

/** @import { Server } from "./crowd.js" */

const SLOW_EVERY_MS = 1_000;
export const CONNECTIONS = 1_000;

const HEAD = "POST /v1/ids HTTP/1.1\r\nHost: localhost\r\n";

/**
 * Routes that read a body need this token. Without the token, the Worker answers at once, without
 * waiting for the body.
 */
export const TOKEN = "lease-token-of-load";

/** A request whose second half never comes. */
const HALF = `${HEAD.replace("ids", "sequencers/default/leases")}Authorization: Bearer ${TOKEN}\r\nContent-Length: 4096\r\n\r\n{${" ".repeat(2_047)}`;

/**
 * The kinds of connections: the text that a connection sends at first, the text that it then sends
 * at one byte per second, and whether it reads the answers.
 *
 * @type {Record<string, { first?: string, slowly?: string, reads: boolean }>}
 */
export const kinds = {
  "that send nothing": { reads: true },
  "that send a byte of a head per second": { slowly: HEAD, reads: true },
  "that send half a body": { first: HALF, reads: true },
  "that read nothing": {
    first: `${HEAD.replace("ids", `ids?count=${BULK}`)}Content-Length: 0\r\n\r\n`,
    reads: false,
  },
};

/**
 * Holds connections of a kind for `seconds`, and sends requests for one id meanwhile. When the
 * Worker ends a connection, a new connection replaces it at once.
 *
 * @param {Server} server @param {string} kind @param {number} seconds
 */
export async function beside(server, kind, seconds) {
  const { first = "", slowly = "", reads } = kinds[kind];
  const { hostname: host, port } = new URL(server.url("worker", "/"));
  const end = performance.now() + seconds * 1e3;
  /** @type {Set<import("node:net").Socket>} */
  const open = new Set();
  let again = 0;
  const hold = async () => {
    while (performance.now() < end) {
      const socket = connect(Number(port), host);
      // After an error, the socket also emits `close`, which is handled below.
      socket.on("error", () => {});
      const closed = once(socket, "close");
      socket.once("connect", () => {
        open.add(socket);
        if (first) socket.write(first);
        if (reads) socket.resume();
      });
      await closed;
      open.delete(socket);
      again += Number(performance.now() < end);
    }
  };
  const holding = Array.from({ length: CONNECTIONS }, hold);

  let [sent, next, least] = [0, 0, CONNECTIONS];
  while (open.size < CONNECTIONS && performance.now() < end) await pause(1);
  const found = await askForOne(server, end, () => {
    least = Math.min(least, open.size);
    if (!slowly || performance.now() < next) return;
    for (const socket of open) socket.write(slowly[sent % slowly.length]);
    sent += 1;
    next = performance.now() + SLOW_EVERY_MS;
  });
  for (const socket of open) socket.destroy();
  await Promise.all(holding);
  return { ...found, least, again };
}
