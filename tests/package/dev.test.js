// `edgeflake dev`: the built Worker under the wrangler of a project, and what it is told wrongly.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { wranglerOf } from "../../packages/edgeflake/entry/dev.js";
import { root } from "../../tools/command/paths.js";

const cli = join(root, "packages", "edgeflake", "cli.js");

/** How long between two looks at whether it is there, in ms. */
const LOOK_MS = 100;

/** Of a project whose wrangler is this repository's. */
const project = join(root, "build", "dev");
rmSync(project, { force: true, recursive: true });
mkdirSync(project, { recursive: true });

const empty = mkdtempSync(join(tmpdir(), "edgeflake-dev-"));
after(() => rmSync(empty, { recursive: true }));

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "localhost", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Serves, and answers what `ask` finds.
 *
 * @template T
 * @param {(url: string) => Promise<T>} ask
 */
async function served(ask) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [cli, "dev", `--port=${port}`], {
    cwd: project,
    env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      printed += chunk;
    });
  }
  try {
    while (!(await fetch(`${url}/healthz`).catch(() => undefined))?.ok) {
      assert.equal(child.exitCode, null, printed);
      await wait(LOOK_MS);
    }
    assert.ok(printed.includes(`curl -X POST '${url}/v1/ids?count=3'`), printed);
    return await ask(url);
  } finally {
    child.kill("SIGINT");
    await ended;
  }
}

test("it issues ids, and keeps what is stored", async () => {
  const found = [];
  for (let start = 0; start < 2; start++) {
    found.push(
      await served(async (url) => {
        const { ids } = await (await fetch(`${url}/v1/ids?count=3`, { method: "POST" })).json();
        const headers = { authorization: "Bearer dev" };
        const status = await fetch(`${url}/v1/sequencers/default`, { headers });
        return { ids, used: (await status.json()).nodes.used };
      }),
    );
  }
  assert.equal(new Set(found.flatMap(({ ids }) => ids)).size, 6);
  assert.deepEqual(
    found.map(({ used }) => used),
    [1, 2],
  );
});

test("without wrangler in the project, npx fetches the version that is tested", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const fetched = { command: "npx", args: ["--yes", `wrangler@${dependencies.wrangler}`] };
  assert.deepEqual(wranglerOf(empty), fetched);
});

for (const [args, message] of /** @type {[string[], string][]} */ ([
  [["--prot", "1"], "Unknown option '--prot'"],
  [["x"], "Unexpected argument 'x'. This command does not take positional arguments"],
  [["--port", "0"], "--port is 0: 1 to 65535 are allowed"],
  [["--port", "65536"], "--port is 65536: 1 to 65535 are allowed"],
  [["--port", "a"], "--port is a: a number of at most 16 digits is allowed"],
])) {
  test(`refuses ${args.join(" ")}`, () => {
    const { status, stderr } = spawnSync(process.execPath, [cli, "dev", ...args], {
      cwd: empty,
      encoding: "utf8",
    });
    assert.deepEqual([status, stderr], [2, `edgeflake: ${message}\n`]);
  });
}
