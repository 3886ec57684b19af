// The commands that serve until they are ended. `edgeflake dev` runs the built Worker under the
// wrangler of a project; `edgeflake authority serve` has a log, metrics and a rate limit.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { wranglerOf } from "../../packages/edgeflake/dist/cli/dev.js";
import { root } from "../../tools/command/paths.js";
import { freePort } from "../../tools/serve/dev-server.js";
import { firstAnswer, start } from "../harness/processes.js";

const cli = join(root, "packages", "edgeflake", "dist", "cli", "cli.js");

/** The directory of a project whose wrangler is this repository's. */
const project = join(root, "build", "dev");
rmSync(project, { force: true, recursive: true });
mkdirSync(project, { recursive: true });

const empty = mkdtempSync(join(tmpdir(), "edgeflake-dev-"));
after(() => rmSync(empty, { recursive: true }));

/** Serves, and returns the result of `ask`. @template T @param {(url: string) => Promise<T>} ask */
async function served(ask) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = start(process.execPath, [cli, "dev", `--port=${port}`], { cwd: project });
  try {
    await firstAnswer(server, `${url}/healthz`);
    assert.ok(server.log().includes(`curl -X POST '${url}/v1/ids?count=3'`), server.log());
    return await ask(url);
  } finally {
    server.interrupt();
    await server.ended;
  }
}

test("dev: it issues ids, and keeps its storage", async () => {
  const found = [];
  for (let start = 0; start < 2; start++) {
    found.push(
      await served(async (url) => {
        const { ids } = await (await fetch(`${url}/v1/ids?count=3`, { method: "POST" })).json();
        const headers = { authorization: "Bearer edgeflake-dev-token" };
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

test("dev: it serves the page and openapi.json", async () => {
  await served(async (url) => {
    assert.match(await (await fetch(url)).text(), /<title>/);
    const described = await (await fetch(`${url}/openapi.json`)).json();
    assert.equal(described.openapi, "3.1.1");
  });
});

test("dev: it refuses names of this machine that are not its own, and pages of other sites", async () => {
  await served(async (url) => {
    const { port } = new URL(url);
    const ask = (/** @type {Record<string, string>} */ headers) =>
      new Promise((resolve, reject) => {
        const request = get(`${url}/v1/sequencers/default`, {
          headers: { authorization: "Bearer edgeflake-dev-token", ...headers },
        });
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
  assert.deepEqual(wranglerOf(empty), fetched);
});

/** Starts an authority. @param {string[]} args */
async function startAuthority(...args) {
  const { PATH } = process.env;
  const variables = { PATH, EDGEFLAKE_PUBLIC_ISSUE: "true", EDGEFLAKE_PUBLIC_READ: "true" };
  const given = [cli, "authority", "serve", "--port", "0", ...args];
  const child = spawn(process.execPath, given, {
    env: variables,
    stdio: ["ignore", "pipe", "inherit"],
  });
  /** @type {any[]} */
  const lines = [];
  const output = createInterface({ input: child.stdout });
  output.on("line", (line) => lines.push(JSON.parse(line)));
  const failed = once(child, "exit").then(([code]) => assert.fail(`it ended with ${code}`));
  failed.catch(() => {});
  while (!lines.some(({ event }) => event === "serving")) {
    await Promise.race([once(output, "line"), failed]);
  }
  const { port } = lines.find(({ event }) => event === "serving");
  return { child, lines, ended: once(output, "close"), url: `http://localhost:${port}` };
}

test("authority: it logs each answer, adds metrics of its own, and ends on SIGTERM", async () => {
  const [directory, witness] = [join(empty, "leases"), join(empty, "witness")];
  const { child, lines, ended, url } = await startAuthority(
    "--dir",
    directory,
    "--witness",
    witness,
  );
  const headers = { "x-request-id": "order-7" };
  const response = await fetch(`${url}/v1/ids?count=2`, { method: "POST", headers });
  assert.deepEqual([response.status, response.headers.get("x-request-id")], [200, "order-7"]);
  const forged = await fetch(`${url}/nothing`, { headers: { "x-request-id": "a b" } });
  assert.match(`${forged.headers.get("x-request-id")}`, /^[0-9a-f-]{36}$/);
  const ready = await fetch(`${url}/readyz`);
  assert.equal(ready.status, 200, await ready.text());
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /^edgeflake_nodes\{/m);
  assert.match(metrics, /^edgeflake_http_responses_total\{status="404"\} 1$/m);
  assert.match(metrics, /^edgeflake_http_response_seconds_count 3$/m);
  assert.match(metrics, /^edgeflake_commit_seconds_count [1-9]/m);
  assert.match(metrics, /^edgeflake_http_queue_age_seconds \d/m);
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  await ended;
  assert.equal(code, 0);
  const { time, ms, remote, ...asked } = lines.find(({ id }) => id === "order-7");
  const path = "/v1/ids";
  const expected = { event: "request", id: "order-7", method: "POST", path, status: 200 };
  assert.deepEqual(asked, expected);
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000 && ms > 0, time);
  assert.match(remote, /127\.0\.0\.1|::1/);
  assert.equal(lines.at(-1).event, "ended");
});

test("authority: it refuses what one address sends above its limit", async () => {
  const directory = join(empty, "limited");
  const { child, url } = await startAuthority("--dir", directory, "--limit", "2", "--proxied");
  /** @param {string} address */
  const ask = async (address) => {
    const headers = { "x-forwarded-for": `6.6.6.6, ${address}` };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => fetch(`${url}/healthz`, { headers })),
    );
    return answers.map(({ status, headers }) => `${status} ${headers.get("retry-after")}`);
  };
  for (const address of ["1.1.1.1", "2.2.2.2"]) {
    const answers = await ask(address);
    assert.ok(answers.includes("200 null") && answers.includes("429 1"), `${answers}`);
  }
  child.kill("SIGINT");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});
