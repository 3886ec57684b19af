// Lets a herd of holders start at once, as after an outage longer than a lease, and measures when
// each has its first id, with an authority on Node and with one in workerd.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../tools/command/paths.js";
import { fail, run } from "../tools/command/run.js";
import { startWorkerd, worker } from "../tools/serve/workerd.js";
import { objectsOf, temporary } from "./crowd.js";
import { TOKEN } from "./held.js";

/**
 * The authority's storage is in memory, because other programs would slow down the machine's disk.
 */
const MEMORY = "/dev/shm";

/** The herds, the authorities that they ask, and when the last holder must have its first id. */
const herds = [
  // By default a shard grants 750 leases per second. Refused holders come again 2 to 3 s later.
  { ask: ["Node", "Worker"], holders: 1_000, syncMs: 0, hasWitness: false, lastMaxMs: 3_000 },
  { ask: ["Node"], holders: 1_000, syncMs: 2.5, hasWitness: false, lastMaxMs: 3_000 },
  // At 750 leases per second, these leases take 8 s. workerd is left out, because it ends when so
  // many connections exhaust the number of files that it may open.
  { ask: ["Node"], holders: 6_000, syncMs: 0, hasWitness: false, lastMaxMs: 12_000 },
  { ask: ["Node"], holders: 6_000, syncMs: 0, hasWitness: true, lastMaxMs: 24_000 },
];

/**
 * @typedef {object} FirstIds
 * @property {number} served the number of holders that got an id
 * @property {number} medianMs the time by which half of the holders had their first id
 * @property {number} lastMs
 * @property {Record<string, number>} failed the number of failed calls by their code
 * @property {number} calls
 * @property {number} twice the number of ids that came twice
 *
 * @typedef {object} Place
 * @property {string} directory an empty directory for the authority
 * @property {Record<string, string>} env environment variables of the authority's process
 * @property {boolean} hasWitness
 */

const variables = { EDGEFLAKE_LEASE_TOKEN: TOKEN };

/** Functions that start an authority in a place. Each returns its URL and a way to end it. */
const authorities = {
  /** @param {Place} place */
  async Node({ directory, env, hasWitness }) {
    const witness = hasWitness ? join(directory, "witness") : undefined;
    const options = { port: 0, directory: join(directory, "leases"), witness, variables };
    const script = join(root, "tests", "package", "harness", "authority.js");
    const child = spawn(process.execPath, [script, JSON.stringify(options)], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, ...env },
    });
    const url = await firstLine(child);
    const kill = async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    };
    return { url, kill };
  },

  /** @param {Place} place */
  async Worker({ directory, env, hasWitness }) {
    const objects = objectsOf("Authority", "Directory");
    const vars = { ...variables, ...(!hasWitness && { EDGEFLAKE_WITNESS: "none" }) };
    const services = [{ name: "worker", modules: worker, vars, objects }];
    const prefix = ["env", ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    const storage = mkdtempSync(join(directory, "storage-"));
    const server = await startWorkerd({ directory, storage, services, prefix, quiet: true });
    return { url: server.url("worker", "/"), kill: server.kill };
  },
};

/** Measures each herd with each authority. */
export async function measureHerds() {
  const library = join(temporary(), "slow-sync.so");
  run("cc", ["-shared", "-fPIC", "-o", library, "benches/slow-sync.c"]);
  const rows = [];
  for (const { ask, holders, syncMs, hasWitness, lastMaxMs } of herds) {
    /** @type {Record<string, string>} */
    const env = syncMs > 0 ? { LD_PRELOAD: library, SYNC_MICROS: `${syncMs * 1e3}` } : {};
    for (const [authority, start] of Object.entries(authorities)) {
      if (!ask.includes(authority)) continue;
      const directory = mkdtempSync(join(MEMORY, "edgeflake-herd-"));
      const server = await start({ directory, env, hasWitness });
      const found = await firstIds({ url: server.url, token: TOKEN, holders });
      await server.kill();
      rmSync(directory, { recursive: true });
      if (found.twice > 0) fail(`${found.twice} first ids came twice`);
      rows.push({ authority, holders, syncMs, hasWitness, lastMaxMs, ...found });
    }
  }
  return rows;
}

/**
 * Lets holders ask an authority for their first ids, all at once.
 *
 * @param {{ url: string, token: string, holders: number }} options
 * @returns {Promise<FirstIds>}
 */
export async function firstIds(options) {
  const script = join(root, "benches", "herd-holders.js");
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await firstLine(child));
}

/**
 * Returns the first line that a process prints. Fails if it prints none.
 *
 * @param {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, any>} child
 * @returns {Promise<string>}
 */
async function firstLine(child) {
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, "line"), once(lines, "close")]);
  return line ?? fail(`${child.spawnargs.join(" ")} printed nothing`);
}
