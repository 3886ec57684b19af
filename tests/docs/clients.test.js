// Runs the clients of examples/clients/ with the toolchains of this machine, against the Worker. A
// server in front of the Worker records the requests, and refuses some if a test asks for that.

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SECRETS, startWorker } from "./harness/worker.js";

const directory = fileURLToPath(new URL("../../examples/clients/", import.meta.url));

const CLIENTS = [
  { language: "Java", command: ["java", "Ids.java"], needs: ["javac", "--version"] },
  { language: "Go", command: ["go", "run", "ids.go"], needs: ["go", "version"] },
];

const OVERLOADED = JSON.stringify({
  type: "/problems/overloaded",
  title: "The authority has too much to do",
  status: 503,
  detail: "try again",
});

/** @type {Awaited<ReturnType<typeof startWorker>>} */
let worker;
/**
 * Requests in order of arrival.
 *
 * @type {{ atMs: number, path: string, authorization?: string }[]}
 */
let requests = [];
/** The values of `Retry-After` with which the next requests are refused. @type {number[]} */
let refusals = [];

const server = createServer(async (request, response) => {
  const path = request.url ?? "";
  const { authorization } = request.headers;
  requests.push({ atMs: performance.now(), path, ...(authorization && { authorization }) });
  const retryAfter = refusals.shift();
  if (retryAfter !== undefined) {
    response.writeHead(503, { "Retry-After": `${retryAfter}` }).end(OVERLOADED);
    return;
  }
  const answer = await fetch(worker.url + path, {
    method: request.method ?? "GET",
    headers: authorization === undefined ? {} : { authorization },
  });
  response.writeHead(answer.status).end(new Uint8Array(await answer.arrayBuffer()));
});

before(async () => {
  worker = await startWorker();
  await once(server.listen(0, "127.0.0.1"), "listening");
});
after(async () => {
  server.close();
  await worker.close();
});

/**
 * Runs a client to its end.
 *
 * @param {string[]} command @param {{ refused?: number[], token?: string }} [options]
 * @returns {Promise<{ failed: boolean, ids: bigint[], stderr: string }>}
 */
function run([program = "", ...rest], { refused = [], token } = {}) {
  requests = [];
  refusals = refused;
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const env = {
    ...process.env,
    EDGEFLAKE_URL: `http://127.0.0.1:${address.port}`,
    ...(token === undefined ? {} : { EDGEFLAKE_ISSUE_TOKEN: token }),
  };
  return new Promise((resolve) => {
    execFile(program, rest, { cwd: directory, env }, (error, stdout, stderr) => {
      const ids = stdout.trim() === "" ? [] : stdout.trim().split("\n").map(BigInt);
      resolve({ failed: error !== null, ids, stderr });
    });
  });
}

/**
 * Fails unless there are `count` ids, each above the one before it.
 *
 * @param {{ ids: bigint[], stderr: string }} ran @param {number} count
 */
function checkIds({ ids, stderr }, count) {
  assert.equal(ids.length, count, stderr);
  assert.ok(
    ids.every((id, i) => i === 0 || id > /** @type {bigint} */ (ids[i - 1])),
    `${ids}`,
  );
}

for (const { language, command, needs } of CLIENTS) {
  const [tool = "", ...version] = needs;
  const skip =
    spawnSync(tool, version).status !== 0 &&
    `examples/clients is not run in ${language}, because ${tool} is not installed`;
  describe(language, { skip }, () => {
    test("ids are unique and ascending, and 300 come with each request", async () => {
      checkIds(await run([...command, "1000", "300"]), 1000);
      assert.deepEqual(
        requests.map(({ path }) => path),
        Array(4).fill("/v1/ids?format=binary&count=300"),
      );
    });

    test("503 is waited for as Retry-After says, with the token each time", async () => {
      const token = SECRETS.EDGEFLAKE_LEASE_TOKEN;
      checkIds(await run([...command, "3", "10"], { refused: [1], token }), 3);
      const [refused, served] = requests;
      assert.ok(refused && served);
      assert.ok(served.atMs - refused.atMs >= 1_000);
      assert.deepEqual(
        requests.map(({ authorization }) => authorization),
        Array(2).fill(`Bearer ${token}`),
      );
    });

    test("a wait past the deadline is an error at once, shown with its title", async () => {
      const { failed, ids, stderr } = await run([...command, "3", "10"], { refused: [60] });
      assert.deepEqual([failed, ids], [true, []]);
      assert.match(stderr, /The authority has too much to do/);
      assert.equal(requests.length, 1);
    });

    test("an error of the Worker is shown with its title", async () => {
      const { failed, ids, stderr } = await run([...command, "3", "100001"]);
      assert.deepEqual([failed, ids], [true, []]);
      assert.match(stderr, /A query parameter cannot be used.*a whole number from 1 to 100000/);
    });
  });
}
