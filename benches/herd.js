// Lets a herd of holders start at once, as after an outage longer than a lease, and measures when
// each has its first id, with an authority on Node and with one in workerd.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { fail, run } from "../tools/command/run.js";
import { objectsOf } from "./crowd.js";
import { TOKEN } from "./held.js";

const HOLDERS = fileURLToPath(new URL("herd-holders.js", import.meta.url));
const SLOW_SYNC = fileURLToPath(new URL("slow-sync.c", import.meta.url));

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
 * @property {string} tree the repository whose built authority runs
 * @property {string} directory an empty directory for the authority
 * @property {NodeJS.ProcessEnv} env environment variables of the authority's process
 * @property {boolean} hasWitness
 */

const variables = { EDGEFLAKE_LEASE_TOKEN: TOKEN };

/** Functions that start an authority in a place. Each returns its URL and a way to end it. */
const authorities = {
  /** @param {Place} place */
  async Node({ tree, directory, env, hasWitness }) {
    const witness = hasWitness ? join(directory, "witness") : undefined;
    const options = { port: 0, directory: join(directory, "leases"), witness, variables };
    const script = join(tree, "tests", "package", "harness", "authority.js");
    return startScript(script, [JSON.stringify(options)], env);
  },

  /** @param {Place} place */
  async Worker({ tree, directory, env, hasWitness }) {
    const { startWorkerd, worker } = await import(join(tree, "tools", "serve", "workerd.js"));
    const objects = objectsOf("Authority", "Directory");
    const vars = { ...variables, ...(!hasWitness && { EDGEFLAKE_WITNESS: "none" }) };
    const services = [{ name: "worker", modules: worker, vars, objects }];
    const prefix = ["env", ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    const storage = mkdtempSync(join(directory, "storage-"));
    const server = await startWorkerd({ directory, storage, services, prefix, quiet: true });
    return { url: server.url("worker", "/"), kill: server.kill };
  },
};

/**
 * Starts a script that prints its URL, and waits for this URL.
 *
 * @param {string} script @param {string[]} args @param {NodeJS.ProcessEnv} [env]
 */
async function startScript(script, args, env) {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, ...env },
  });
  const url = await firstLine(child);
  const kill = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { url, kill };
}

/**
 * Measures each herd with each authority of each tree.
 *
 * @param {string} directory where the compiled library is stored
 * @param {Record<string, string>} trees the paths of built repositories, by their names in the table
 */
export async function measureHerds(directory, trees) {
  const library = join(directory, "slow-sync.so");
  run("cc", ["-shared", "-fPIC", "-o", library, SLOW_SYNC]);
  const rows = [];
  for (const { ask, holders, syncMs, hasWitness, lastMaxMs } of herds) {
    const env = syncMs > 0 ? { LD_PRELOAD: library, SYNC_MICROS: `${syncMs * 1e3}` } : {};
    for (const [authority, start] of Object.entries(authorities)) {
      if (!ask.includes(authority)) continue;
      for (const [name, tree] of Object.entries(trees)) {
        const storage = mkdtempSync(join(MEMORY, "edgeflake-herd-"));
        const server = await start({ tree, directory: storage, env, hasWitness });
        const found = await firstIds({ tree, url: server.url, token: TOKEN, holders });
        await server.kill();
        rmSync(storage, { recursive: true });
        if (found.twice > 0) fail(`${found.twice} first ids came twice`);
        rows.push({ authority, tree: name, holders, syncMs, hasWitness, lastMaxMs, ...found });
      }
    }
  }
  return rows;
}

/**
 * Lets holders of a tree ask an authority for their first ids, all at once.
 *
 * @param {{ tree: string, url: string, token: string, holders: number }} options
 * @returns {Promise<FirstIds>}
 */
export async function firstIds(options) {
  const child = spawn(process.execPath, [HOLDERS, JSON.stringify(options)], {
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
