// Tests `edgeflake dev`, which runs the built Worker with the wrangler of a project.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { wranglerOf } from "../../packages/edgeflake/dist/cli/dev.js";
import { root } from "../../tools/command/paths.js";
import { freePort } from "../../tools/serve/dev-server.js";
import { firstAnswer, start } from "../harness/processes.js";
import { temporary } from "../harness/temporary.js";

const cli = join(root, "packages", "edgeflake", "dist", "cli", "cli.js");

/** The directory of a project that uses this repository's wrangler. */
const project = join(root, "build", "dev");
rmSync(project, { force: true, recursive: true });
mkdirSync(project, { recursive: true });

const ADMIN = { authorization: "Bearer edgeflake-dev-token" };

/** Serves while `ask` runs. @param {(url: string) => Promise<void>} ask */
async function served(ask) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = start(process.execPath, [cli, "dev", `--port=${port}`], { cwd: project });
  try {
    await firstAnswer(server, `${url}/healthz`);
    assert.ok(server.log().includes(`curl -X POST '${url}/v1/ids?count=3'`), server.log());
    await ask(url);
  } finally {
    server.interrupt();
    await server.ended;
  }
}

test("dev: it issues ids, and keeps its storage", async () => {
  /** @type {string[]} */
  const found = [];
  for (const used of [1, 2]) {
    await served(async (url) => {
      const { ids } = await (await fetch(`${url}/v1/ids?count=3`, { method: "POST" })).json();
      const status = await (await fetch(`${url}/v1/sequencers/default`, { headers: ADMIN })).json();
      assert.equal(status.nodes.used, used);
      found.push(...ids);
    });
  }
  assert.equal(new Set(found).size, 6);
});

test("dev: it serves the page, and refuses names of this machine that are not its own, and other sites", async () => {
  await served(async (url) => {
    assert.match(await (await fetch(url)).text(), /<title>/);
    assert.equal((await (await fetch(`${url}/openapi.json`)).json()).openapi, "3.1.1");
    const { port } = new URL(url);
    const ask = (/** @type {Record<string, string>} */ headers) =>
      new Promise((resolve, reject) => {
        const options = { headers: { ...ADMIN, ...headers } };
        const request = get(`${url}/v1/sequencers/default`, options);
        request.once("error", reject).once("response", (response) => {
          response.resume();
          resolve(response.statusCode);
        });
      });
    for (const [headers, status] of /** @type {const} */ ([
      [{}, 200],
      [{ host: `127.0.0.1:${port}` }, 200],
      [{ origin: "http://localhost:5173" }, 200],
      [{ host: `rebound.example:${port}` }, 403],
      [{ origin: "https://rebound.example" }, 403],
      [{ origin: "null" }, 403],
    ])) {
      assert.equal(await ask(headers), status, JSON.stringify(headers));
    }
  });
});

test("dev: without wrangler in the project, npx fetches the tested version", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const fetched = { command: "npx", args: ["--yes", `wrangler@${dependencies.wrangler}`] };
  assert.deepEqual(wranglerOf(temporary()), fetched);
});
