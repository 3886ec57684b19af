// node tools example NAME [wrangler's arguments]: runs an example in examples/, with edgeflake's
// Worker if the example needs it. examples/README.md explains how to do the same by hand.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { root } from "../command/paths.js";
import { fail, run } from "../command/run.js";
import { setup } from "../setup/setup.js";

/**
 * @typedef {object} Example
 * @property {string[]} parts of the build
 * @property {() => void} [prepare]
 * @property {Process[]} processes which run until one of them ends
 *
 * @typedef {object} Process
 * @property {string[]} command
 * @property {NodeJS.ProcessEnv} [env] added to the environment
 * @property {string} [directory] relative to the root
 * @property {string} [needs] the URL of an earlier process, which must answer first
 */

const [name, ...args] = process.argv.slice(2);
const { port = "8787", "persist-to": storage } = parseArgs({
  args,
  options: { "persist-to": { type: "string" }, port: { type: "string" } },
  strict: false,
}).values;

const AUTHORITY = `http://localhost:${port}`;
const LEASE_TOKEN = "lease-token-of-examples";
const CONFIG = "--config=examples/url-shortener/wrangler.toml";

/** @type {Record<string, Example>} */
const examples = {
  browser: { parts: ["package"], processes: [{ command: ["node", "examples/browser/serve.js"] }] },
  "node-service": {
    parts: ["package", "page", "worker"],
    processes: [
      { command: ["wrangler", "dev", "--var", `EDGEFLAKE_LEASE_TOKEN:${LEASE_TOKEN}`, ...args] },
      {
        command: ["node", "service.js"],
        directory: "examples/node-service",
        needs: `${AUTHORITY}/healthz`,
        env: {
          AUTHORITY,
          EDGEFLAKE_LEASE_TOKEN: LEASE_TOKEN,
          ...(storage !== undefined && { DATA: `${storage}` }),
        },
      },
    ],
  },
  "url-shortener": {
    parts: ["package"],
    prepare: migrate,
    processes: [{ command: ["wrangler", "dev", CONFIG, ...args] }],
  },
};

/** Creates the URL shortener's tables. */
function migrate() {
  const where = storage === undefined ? [] : [`--persist-to=${storage}`];
  run("wrangler", ["d1", "migrations", "apply", "DB", "--local", CONFIG, ...where], {
    // In CI, wrangler does not ask for confirmation.
    env: { ...process.env, CI: "true" },
  });
}

const example = Object.hasOwn(examples, name) ? examples[name] : undefined;
if (!example) fail(`unknown example ${name}; allowed: ${Object.keys(examples).join(", ")}`);

await setup();
run("node", ["tools", "build", ...example.parts]);
// Without this variable, wrangler would build the parts again.
process.env.EDGEFLAKE_BUILT = "true";
example.prepare?.();
/** @type {import("node:child_process").ChildProcess[]} */
const children = [];
/** @type {Promise<any[]>[]} */
const exits = [];
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}
for (const { command, directory = "", env, needs } of example.processes) {
  if (needs) await isAnswering(needs);
  const [program, ...rest] = command;
  const child = spawn(program, rest, {
    cwd: join(root, directory),
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  children.push(child);
  exits.push(once(child, "exit"));
}
const [code] = await Promise.race(exits);
for (const child of children) child.kill();
await Promise.all(exits);
process.exit(code ?? 0);

/** Waits until a server answers, or until a process has ended. @param {string} url */
async function isAnswering(url) {
  while (children.every(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null)) {
    const response = await fetch(url).catch(() => undefined);
    if (response) return;
    await setTimeout(100);
  }
}
