// node tools check:deployed URL [--connections N] [--rounds N] checks a deployed Worker: its
// leases, shards, metrics and headers, and that ids are unique across many connections and in order
// per isolate. It also measures cold starts and clocks. It issues a few thousand ids, and leases
// two nodes for a moment.
//
// It takes the tokens from the environment variables EDGEFLAKE_ISSUE_TOKEN, EDGEFLAKE_LEASE_TOKEN
// and EDGEFLAKE_READ_TOKEN, and skips the checks for which no token is set.

import { randomBytes } from "node:crypto";
import { readArguments } from "../command/arguments.js";
import { fail } from "../command/run.js";

const { positionals, values } = readArguments({
  allowPositionals: true,
  options: {
    connections: { type: "string", default: "50" },
    rounds: { type: "string", default: "20" },
  },
});
const [connections, rounds] = [Number(values.connections), Number(values.rounds)];
const [given] = positionals;
if (!URL.canParse(given ?? "") || !(connections > 0 && rounds > 0)) {
  fail(
    `found ${JSON.stringify(positionals)}; allowed: one URL such as https://ids.example.com, ` +
      "and --connections and --rounds above 0",
  );
}

/** Number of ids per request. */
const COUNT = 10;
const CLOCK_SAMPLES = 20;

const { EDGEFLAKE_ISSUE_TOKEN, EDGEFLAKE_LEASE_TOKEN, EDGEFLAKE_READ_TOKEN } = process.env;
const tokens = {
  lease: EDGEFLAKE_LEASE_TOKEN,
  issue: EDGEFLAKE_ISSUE_TOKEN ?? EDGEFLAKE_LEASE_TOKEN,
  read: EDGEFLAKE_READ_TOKEN ?? EDGEFLAKE_ISSUE_TOKEN ?? EDGEFLAKE_LEASE_TOKEN,
};

/**
 * Sends a request. Each concurrent request uses its own connection.
 *
 * @param {string} method @param {string} path @param {string} [token] @param {object} [body]
 */
async function ask(method, path, token, body) {
  const beganMs = performance.now();
  /** @type {Record<string, string>} */
  const sent = token ? { authorization: `Bearer ${token}` } : {};
  const url = new URL(path, given);
  const response = await fetch(url, { method, headers: sent, body: body && JSON.stringify(body) });
  const text = await response.text();
  const { status, headers } = response;
  /** @type {any} */
  const json = /json/.test(`${headers.get("content-type")}`) ? JSON.parse(text) : {};
  const found = status === 200 ? "" : `${status} ${text.slice(0, 200)}`;
  return { status, headers, text, json, found, beganMs, endedMs: performance.now() };
}

let failures = 0;

/** @param {unknown} holds @param {string} what @param {string} [found] */
function check(holds, what, found = "") {
  console.log(`${holds ? "ok     " : "FAILED "} ${what}${found && `: ${found}`}`);
  if (!holds) failures += 1;
}

/** @param {string} text */
const measured = (text) => console.log(`        ${text}`);
/** @param {number[]} all @param {number} part */
const quantile = (all, part) => all.toSorted((a, b) => a - b)[Math.floor((all.length - 1) * part)];
/** @param {number} ms */
const inMs = (ms) => `${Math.round(ms)} ms`;

async function checkHealth() {
  const first = await ask("GET", "/healthz");
  check(first.status === 200, "GET /healthz", first.found);
  measured(`first answer after ${inMs(first.endedMs - first.beganMs)}, including the connection`);
  const ready = await ask("GET", "/readyz");
  check(ready.status === 200, "GET /readyz", ready.found);
  const closed = await ask("DELETE", "/v1/sequencers/check-deployed");
  const code = closed.json.type;
  check(
    [401, 403].includes(closed.status),
    "a route for admins is closed to others",
    code ?? closed.text,
  );
}

/** Requests ids over many connections at once, and checks the ids of all responses. */
async function checkIds() {
  const { issue: token } = tokens;
  const path = `/v1/ids?count=${COUNT}`;
  const probe = await ask("POST", path, token);
  if (probe.status !== 200) return check(false, "POST /v1/ids", probe.found);
  const expected = ["edgeflake-node", "edgeflake-span", "edgeflake-incarnation"];
  const absent = expected.filter((name) => !probe.headers.has(name));
  check(
    absent.length === 0,
    "headers that say which lease an id is from",
    absent.join(", ") || "all",
  );
  const caching = `${probe.headers.get("cache-control")}`;
  check(caching.includes("no-store"), "no cache keeps ids", caching);

  /** @type {{ node: string, ids: bigint[], beganMs: number, endedMs: number }[]} */
  const answers = [];
  let refused = 0;
  const connection = async () => {
    for (let round = 0; round < rounds; round++) {
      const answer = await ask("POST", path, token);
      const { headers, json, beganMs, endedMs } = answer;
      const node = `${headers.get("edgeflake-node")} ${headers.get("edgeflake-incarnation")}`;
      if (answer.status !== 200) refused += 1;
      else answers.push({ node, ids: json.ids.map(BigInt), beganMs, endedMs });
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  check(refused === 0, `${connections * rounds} requests`, `${refused} got no ids`);
  const ids = answers.flatMap(({ ids }) => ids);
  const twice = ids.length - new Set(ids).size;
  check(twice === 0, `${ids.length} ids are unique`, twice ? `${twice} came twice` : "");

  // Each isolate has its own node. If two requests to one node do not overlap, the later request
  // gets larger ids.
  const nodes = Map.groupBy(answers, ({ node }) => node);
  let unordered = 0;
  for (const of of nodes.values()) {
    const ended = of.toSorted((a, b) => a.endedMs - b.endedMs);
    let [next, largest] = [0, -1n];
    for (const { beganMs, ids } of of.toSorted((a, b) => a.beganMs - b.beganMs)) {
      for (; next < ended.length && ended[next].endedMs <= beganMs; next++) {
        const last = ended[next].ids.at(-1) ?? 0n;
        if (last > largest) largest = last;
      }
      const isOrdered = ids.every((id, i) => id > (i ? ids[i - 1] : largest));
      if (!isOrdered) unordered += 1;
    }
  }
  check(
    unordered === 0,
    `ids ascend in each of ${nodes.size} isolates`,
    `${unordered} answers do not`,
  );
  const took = answers.map(({ beganMs, endedMs }) => endedMs - beganMs);
  const firsts = [...nodes.values()].map(([{ beganMs, endedMs }]) => endedMs - beganMs);
  const [p50, p99, cold] = [quantile(took, 0.5), quantile(took, 0.99), quantile(firsts, 1)];
  measured(
    `median ${inMs(p50)}, p99 ${inMs(p99)}, slowest first answer of an isolate ${inMs(cold)}`,
  );
}

/** Compares the time in an id with this machine's clock halfway between request and response. */
async function measureClocks() {
  const { json: status } = await ask("GET", "/v1/sequencers/default", tokens.read);
  // Without this parameter, the Worker would guess the layout.
  const query = status.layout ? `?layout=${encodeURIComponent(status.layout)}` : "";
  const offsets = [];
  for (let sample = 0; sample < CLOCK_SAMPLES; sample++) {
    const startMs = Date.now();
    const { json } = await ask("POST", "/v1/ids", tokens.issue);
    const middleMs = (startMs + Date.now()) / 2;
    const decoded = await ask("GET", `/v1/decode/${json.ids?.[0]}${query}`);
    const { instant_ms: ms } = decoded.json.readings?.[0] ?? {};
    if (ms !== undefined) offsets.push(ms - middleMs);
  }
  check(offsets.length === CLOCK_SAMPLES, "GET /v1/decode tells the time of an id");
  if (offsets.length === 0) return;
  const [least, most] = [quantile(offsets, 0), quantile(offsets, 1)];
  measured(`ids are ${inMs(least)} to ${inMs(most)} ahead of this machine's clock`);
}

async function checkLeases() {
  const { lease: token } = tokens;
  if (!token) return console.log("skipped leases: set EDGEFLAKE_LEASE_TOKEN");
  const path = "/v1/sequencers/default/leases";
  const acquire = () => {
    const own = { token: randomBytes(16).toString("hex"), incarnation: null, now_ms: Date.now() };
    return ask("POST", path, token, own);
  };
  const acquired = await Promise.all([acquire(), acquire()]);
  const [first, second] = acquired.map(({ json }) => json.granted);
  check(first && second && first.node !== second.node, "two leases have two nodes");
  for (const granted of [first, second].filter(Boolean)) {
    const { token: own, incarnation, node, shard, from_tick: tick } = granted;
    const base = { token: own, incarnation, node, shard };
    const renewal = { ...base, tick, issued: null, now_ms: Date.now() };
    const { json: renewed } = await ask("POST", `${path}/renew`, token, renewal);
    check(renewed.renewed?.until_tick >= granted.until_tick, `a renewal of node ${node}`);
    const release = { ...base, until_tick: tick, issued: null };
    const { json: released } = await ask("POST", `${path}/release`, token, release);
    check(released.released, `a release of node ${node}`);
  }
}

async function checkShards() {
  const { read: token } = tokens;
  const status = await ask("GET", "/v1/sequencers/default", token);
  if (status.status === 401) return console.log("skipped shards: set EDGEFLAKE_READ_TOKEN");
  check(status.status === 200, "GET /v1/sequencers/default", status.found);
  measured(`${status.text.slice(0, 400)}, after ${inMs(status.endedMs - status.beganMs)}`);
  const { status: code, text } = await ask("GET", "/metrics", token);
  check(code === 200 && /^edgeflake_nodes\{/m.test(text), "GET /metrics", `${code}`);
  const bad = text.match(/^edgeflake_shards_un\w+(\{.*\})? [^0\n].*$/gm) ?? [];
  check(bad.length === 0, "all shards can read and write", bad.join(", "));
}

for (const part of [checkHealth, checkIds, measureClocks, checkLeases, checkShards]) await part();
console.log(failures ? `${failures} checks failed` : "all checks passed");
process.exit(failures ? 1 : 0);
