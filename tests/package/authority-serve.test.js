// Tests `edgeflake authority serve`: its log, metrics, rate limit and shutdown. One of its holders
// is the crate `edgeflake-client`.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { StallWatch } from "../../packages/edgeflake/dist/authority/stall.js";
import { root } from "../../tools/command/paths.js";
import { temporary } from "../harness/temporary.js";

const cli = fileURLToPath(new URL("../../packages/edgeflake/dist/cli/cli.js", import.meta.url));
const work = temporary();

const LEASE_TOKEN = "a-token-of-holders";

const VARIABLES = {
  EDGEFLAKE_PUBLIC_ISSUE: "true",
  EDGEFLAKE_PUBLIC_READ: "true",
  EDGEFLAKE_LEASE_TOKEN: LEASE_TOKEN,
  EDGEFLAKE_CLOCK_DISAGREEMENT_MAX_MILLIS: "500",
};

/** Starts the command. @param {string[]} args */
async function start(...args) {
  const given = [cli, "authority", "serve", "--port", "0", ...args];
  const child = spawn(process.execPath, given, {
    env: { PATH: process.env.PATH, ...VARIABLES },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // If a failed test left this process running, the tests would not end.
  after(() => child.kill("SIGKILL"));
  /** @type {any[]} */
  const lines = [];
  const output = createInterface({ input: child.stdout });
  output.on("line", (line) => lines.push(JSON.parse(line)));
  const failed = once(child, "exit").then(([code]) =>
    assert.fail(`the command ended with exit code ${code}`),
  );
  failed.catch(() => {});
  while (!lines.some(({ event }) => event === "serving")) {
    await Promise.race([once(output, "line"), failed]);
  }
  const { port } = lines.find(({ event }) => event === "serving");
  return { child, lines, ended: once(output, "close"), url: `http://localhost:${port}` };
}

test("it logs each answer, adds metrics of its own, and ends on SIGTERM", async () => {
  const [directory, witness] = [join(work, "leases"), join(work, "witness")];
  const { child, lines, ended, url } = await start("--dir", directory, "--witness", witness);
  const headers = { "x-request-id": "order-7" };
  const response = await fetch(`${url}/v1/ids?count=2`, { method: "POST", headers });
  assert.deepEqual([response.status, response.headers.get("x-request-id")], [200, "order-7"]);
  const forged = await fetch(`${url}/nothing`, { headers: { "x-request-id": "a b" } });
  assert.match(`${forged.headers.get("x-request-id")}`, /^[0-9a-f-]{36}$/);
  const ready = await fetch(`${url}/readyz`);
  assert.equal(ready.status, 200, await ready.text());
  const metrics = await (await fetch(`${url}/metrics`)).text();
  for (const line of [
    /^edgeflake_nodes\{/m,
    /^edgeflake_http_responses_total\{status="404"\} 1$/m,
    /^edgeflake_http_response_seconds_count 3$/m,
    /^edgeflake_commit_seconds_count [1-9]/m,
    /^edgeflake_http_queue_age_seconds \d/m,
  ]) {
    assert.match(metrics, line);
  }
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  await ended;
  assert.equal(code, 0);
  const { time, ms, remote, ...asked } = lines.find(({ id }) => id === "order-7");
  const request = { id: "order-7", method: "POST", path: "/v1/ids", status: 200 };
  assert.deepEqual(asked, { level: "info", event: "request", ...request });
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000 && ms > 0, time);
  assert.match(remote, /127\.0\.0\.1|::1/);
  assert.equal(lines.at(-1).event, "ended");
});

test("what waited while the process stood still is overload, not a wrong clock", async () => {
  const { child, url } = await start("--dir", join(work, "stopped"));
  /** Asks for a lease as a holder whose clock shows this time. @param {number} clockMs */
  const acquire = async (clockMs) => {
    const body = JSON.stringify({ token: "7".repeat(32), incarnation: null, now_ms: clockMs });
    const headers = { authorization: `Bearer ${LEASE_TOKEN}` };
    const leases = `${url}/v1/sequencers/default/leases`;
    const response = await fetch(leases, { method: "POST", headers, body });
    const answer = /** @type {any} */ (await response.json());
    return answer.refused?.refusal ?? Object.keys(answer).join();
  };
  assert.equal(await acquire(Date.now()), "granted");
  assert.equal(await acquire(Date.now() - 2_000), "clock-disagreement");
  child.kill("SIGSTOP");
  const waiting = [acquire(Date.now()), acquire(Date.now())];
  await wait(3_000);
  child.kill("SIGCONT");
  assert.deepEqual(await Promise.all(waiting), ["overloaded", "overloaded"]);
  assert.equal(await acquire(Date.now()), "granted");
  assert.equal(await acquire(Date.now() - 60_000), "clock-disagreement");
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});

test("services in Rust lease nodes of it", async () => {
  const { child, url } = await start("--dir", join(work, "rust"));
  /** @param {number} count @param {string} [token] */
  const issue = async (count, token = LEASE_TOKEN) => {
    const example = ["run", "--quiet", "--package=edgeflake-client", "--example=issue"];
    const args = [...example, "--", url, `${count}`];
    const options = { cwd: root, env: { ...process.env, EDGEFLAKE_LEASE_TOKEN: token } };
    const { stdout } = await promisify(execFile)("cargo", args, options);
    return stdout.trim().split("\n").map(BigInt);
  };
  const issued = await Promise.all([issue(3_000), issue(3_000)]);
  assert.equal(new Set(issued.flat()).size, 6_000);
  await assert.rejects(issue(1, "another-lease-token"), /code: "unauthorized"/);
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});

test("a stall is a beat that is far too late, and counts for 5 s", () => {
  const watch = new StallWatch(0);
  // Each beat has its time and, after the colon, the expected result, both in ms. A beat is due
  // every 500 ms, and may be up to 1 s late. The beats at 3501 and 8000 ms are later, so each of
  // the two ends a stall.
  const beats =
    "500:0 2000:0 3501:1501 4900:2900 6300:4300 8000:6000 9400:7400 10800:8800 12200:10200 " +
    "13000:11000 13001:0";
  for (const beat of beats.split(" ")) {
    const [nowMs, unseenMaxMs] = beat.split(":").map(Number);
    assert.equal(watch.unseenMaxMs(nowMs), unseenMaxMs, `at ${nowMs} ms`);
  }
});

test("it refuses what one address sends above its limit", async () => {
  const directory = join(work, "limited");
  const { child, url } = await start("--dir", directory, "--limit", "2", "--proxied");
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
