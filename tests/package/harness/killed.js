// Runs an authority and processes that issue its ids. Each of them is killed with SIGKILL at random
// and restarted. All ids are kept. By default, the authority is `edgeflake/authority/node`, and all
// of its issuers except one have a store.

import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { countRepeated, together } from "../../worker/harness/ids.js";

const TOKEN = "lease-token-of-tests";
const ISSUERS = 3;

/**
 * Leases end soon and there are few nodes, so that the node of a forgotten lease is soon granted
 * again.
 */
const VARIABLES = {
  EDGEFLAKE_LEASE_TOKEN: TOKEN,
  EDGEFLAKE_ALLOWED_FUTURE_MILLIS: "1000",
  EDGEFLAKE_LEASE_MILLIS: "2001",
  EDGEFLAKE_NODE_COUNT: "16",
};

const ID_BYTES = 8;

/**
 * Returns the command line of a script in this directory.
 *
 * @param {string} script @param {object} options
 */
export const scriptOf = (script, options) => [
  process.execPath,
  fileURLToPath(new URL(script, import.meta.url)),
  JSON.stringify(options),
];

/** @param {string[]} command @param {"ignore" | "inherit"} errors what happens to its error output */
function start([program = "", ...args], errors) {
  return spawn(program, args, { stdio: ["ignore", "pipe", errors] });
}

/** @typedef {ReturnType<typeof start>} Child */

/**
 * Starts a process that issues ids, and resolves with them when it has ended.
 *
 * @param {string[]} command
 * @param {(count: number, child: Child) => void} watch called with the number of ids so far, the
 * first time with 0
 */
async function issuedBy(command, watch) {
  // The errors are ignored, because an issuer prints errors while its authority is down.
  const child = start(command, "ignore");
  const ended = once(child, "close");
  /** @type {Buffer[]} */
  const chunks = [];
  let length = 0;
  watch(0, child);
  child.stdout.on("data", (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    watch(length / ID_BYTES, child);
  });
  const [, signal] = await ended;
  // A killed process may have printed only a part of an id.
  const bytes = Buffer.concat(chunks).subarray(0, length - (length % ID_BYTES));
  return { ids: new BigUint64Array(new Uint8Array(bytes).buffer), signal };
}

/**
 * An authority that can be killed.
 *
 * @typedef {object} KilledAuthority
 * @property {(killed: number, kill: Kill) => Promise<import("node:child_process").ChildProcess>} start
 * starts the authority's process; `killed` is the number of times that it was killed before
 * @property {(place: number) => string[]} issuer the command line of an issuer
 * @property {(kill: Kill) => Promise<void>} [prepare] called before the authority's process is
 * killed
 *
 * @typedef {(place: number) => void} Kill kills the authority (0) or an issuer (from 1 on)
 */

/** @param {string} directory @param {boolean} forget @returns {KilledAuthority} */
function nodeAuthority(directory, forget) {
  let url = "";
  return {
    async start(killed) {
      const storage = join(directory, forget ? `storage-${killed}` : "storage");
      const port = url ? Number(new URL(url).port) : 0;
      const options = { port, directory: storage, variables: VARIABLES };
      const child = start(scriptOf("authority.js", options), "inherit");
      const [line] = await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
      if (!`${line}`.startsWith("http")) throw new Error("the authority did not start");
      url = `${line}`.trim();
      return child;
    },
    issuer: (place) => {
      const store = place === 1 ? undefined : join(directory, `store-${place}`);
      return scriptOf("issuer.js", { authority: url, token: TOKEN, store });
    },
  };
}

/**
 * Runs until there are `ids` ids and each process was killed `kills` times.
 *
 * @param {object} options
 * @param {KilledAuthority} [options.authority] by default, one of `edgeflake/authority/node`
 * @param {number} options.ids
 * @param {number} options.kills the least number for each process
 * @param {number} options.lifeMs the longest time between two kills
 * @param {boolean} [options.forget] whether the authority restarts on empty storage
 * @param {(count: number) => void} [options.report] called with the number of ids from time to time
 */
export async function issueWhileKilled({ ids, kills, lifeMs, forget = false, report, ...others }) {
  const directory = mkdtempSync(join(tmpdir(), "edgeflake-killed-"));
  const { authority = nodeAuthority(directory, forget) } = others;
  const killed = Array.from({ length: ISSUERS + 1 }, () => 0);
  /** @type {BigUint64Array[]} */
  const issued = [];
  let count = 0;
  let ended = 0;
  let isDone = false;

  /** @type {import("node:child_process").ChildProcess[]} */
  const children = [];

  /** @param {number} place */
  async function issue(place) {
    while (!isDone) {
      let last = 0;
      const { ids, signal } = await issuedBy(authority.issuer(place), (length, child) => {
        children[place] = child;
        count += length - last;
        last = length;
      });
      // A process fails if it reaches no authority before its lease ends. It is then restarted.
      if (signal === null) ended += 1;
      issued.push(ids);
    }
  }

  /** @param {number} place */
  function kill(place) {
    children[place].kill("SIGKILL");
    killed[place] += 1;
  }

  try {
    children[0] = await authority.start(0, kill);
    const issuers = Array.from({ length: ISSUERS }, (_, i) => issue(i + 1));
    while (count < ids || Math.min(...killed) < kills) {
      await wait(randomInt(lifeMs));
      const least = killed.indexOf(Math.min(...killed));
      const place = randomInt(2) ? randomInt(children.length) : least;
      const child = children[place];
      if (child.exitCode !== null || child.signalCode !== null) continue;
      if (place === 0) await authority.prepare?.(kill);
      kill(place);
      report?.(Math.floor(count));
      if (place !== 0) continue;
      if (child.signalCode === null) await once(child, "exit");
      children[0] = await authority.start(killed[0], kill);
    }
    isDone = true;
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(issuers);
  } finally {
    isDone = true;
    for (const child of children) child.kill("SIGKILL");
    rmSync(directory, { force: true, recursive: true });
  }
  const all = together(issued);
  const [ofAuthority, ...ofIssuers] = killed;
  return {
    count: all.length,
    repeated: countRepeated(all),
    killed: { authority: ofAuthority, issuers: ofIssuers.reduce((sum, times) => sum + times, 0) },
    ended,
  };
}
