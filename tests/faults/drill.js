// node tools drill [FAULT ...]: breaks what the authority of `edgeflake/authority/node` stands on,
// while ids are issued: its disk full, read-only, slow and damaged, and the process killed. For each
// fault it prints what callers saw, what the metrics said, which alerts fired, and that no id came
// twice. It fails if an alert of the fault does not fire, if one fires before it or after it, or
// if ids do not come again.
//
// It mounts disks, so it needs Linux and root; and `promtool`, from Debian's package prometheus.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readArguments } from "../../tools/command/arguments.js";
import { fail, run } from "../../tools/command/run.js";
import { faults } from "./faults.js";
import { firing } from "./promtool.js";

/** As long as one lease and the time in which it is renewed, in ms: so a fault is always met. */
const FAULT_MS = 6_000;
const DISK_BYTES = 8 * 1024 * 1024;
const TOKEN = "drill-admin-token";
const VARIABLES = {
  EDGEFLAKE_ADMIN_TOKEN: TOKEN,
  EDGEFLAKE_ALLOWED_FUTURE_MILLIS: "1000",
  EDGEFLAKE_LEASE_MILLIS: "3000",
};
/** Scrapes of which an alert is told, one per minute of Prometheus: enough for the longest `for`. */
const SCRAPES = 4;

const { positionals } = readArguments({ allowPositionals: true });
const unknown = positionals.filter((name) => !faults.some((fault) => fault.name === name));
if (unknown.length > 0) {
  const names = faults.map(({ name }) => JSON.stringify(name)).join(", ");
  fail(`unknown fault ${JSON.stringify(unknown[0])}; allowed: ${names}`);
}
// After the arguments, because there may be no package yet.
const { LeasedGenerator } = await import("edgeflake/lease");
const chosen = faults.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const work = mkdtempSync(join(tmpdir(), "edgeflake-drill-"));
const disk = join(work, "disk");
const directory = join(disk, "authority");
/** @type {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, null> | undefined} */
let authority;
let url = "";

async function start() {
  const script = fileURLToPath(new URL("../package/harness/authority.js", import.meta.url));
  const port = url ? Number(new URL(url).port) : 0;
  const options = JSON.stringify({ port, directory, variables: VARIABLES });
  authority = spawn(process.execPath, [script, options], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(authority.stdout, "data");
  url = `${line}`.trim();
}

async function kill() {
  if (!authority || authority.exitCode !== null || authority.signalCode !== null) return;
  const ended = once(authority, "exit");
  authority.kill("SIGKILL");
  await ended;
}

/** What is seen in a part of the drill: ids that came, and codes of problems. */
class Seen {
  ids = 0;
  /** @type {Map<string, number>} */
  codes = new Map();

  /** @param {string} code */
  failed(code) {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
  }

  toString() {
    const codes = [...this.codes].map(([code, count]) => `${code} x ${count}`);
    return [`${this.ids} ids`, ...codes].join(", ");
  }
}

let seen = new Seen();
let isOver = false;
/** @type {Set<bigint>} */
const all = new Set();

/** @param {Iterable<bigint>} ids */
function keep(ids) {
  for (const id of ids) {
    if (all.has(id)) throw new Error(`the id ${id} came twice`);
    all.add(id);
    seen.ids += 1;
  }
}

/** Ids of the process that is the authority, too. */
async function issueThere() {
  while (!isOver) {
    try {
      const init = { method: "POST", headers: { authorization: `Bearer ${TOKEN}` } };
      const response = await fetch(new URL("/v1/ids?count=10", url), init);
      const answer = /** @type {any} */ (await response.json());
      if (response.ok) keep(answer.ids.map(BigInt));
      else seen.failed(answer.type.replace("/problems/", ""));
    } catch (/** @type {any} */ error) {
      if (error.message.includes("came twice")) throw error;
      seen.failed("no connection");
    }
    await wait(20);
  }
}

/** Ids of a holder elsewhere. */
async function issueHere() {
  const ids = new LeasedGenerator({ authority: url, token: TOKEN });
  while (!isOver) {
    try {
      keep(await ids.batch(10));
    } catch (/** @type {any} */ error) {
      if (error.message.includes("came twice")) throw error;
      seen.failed(error.code ?? error.message);
    }
    await wait(20);
  }
}

/** What a scrape finds; nothing if there is no answer. */
async function scrape() {
  try {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await fetch(new URL("/metrics", url), { headers });
    return response.ok ? await response.text() : "";
  } catch {
    return "";
  }
}

/** Several scrapes, of which each is one of Prometheus's minutes. */
async function alerts() {
  const scrapes = [];
  for (let count = 0; count < SCRAPES; count++) {
    scrapes.push(await scrape());
    await wait(FAULT_MS / SCRAPES / 2);
  }
  return { last: scrapes.at(-1) ?? "", names: firing(work, scrapes) };
}

/** The samples that say how a shard is. @param {string} text */
function health(text) {
  const samples = text.split("\n").filter((line) => /^edgeflake_(shards|refusals)\w*\{/.test(line));
  return samples.filter((line) => !line.endsWith(" 0"));
}

/** Alerts of what has been refused last for some minutes, so they are no sign of a fault that goes on. @param {string[]} names */
const lasting = (names) => names.filter((name) => name !== "EdgeflakeRefusals");

/** @param {string} text */
const say = (text) => console.log(text);

let failures = 0;
try {
  mkdirSync(disk);
  const image = join(work, "image");
  run("truncate", ["-s", `${DISK_BYTES}`, image]);
  run("mkfs.ext4", ["-q", image]);
  run("mount", ["-o", "loop", image, disk]);
  await start();
  const issuing = [issueThere(), issueHere()];
  const drill = { disk, directory, kill, start };
  for (const fault of chosen) {
    await wait(FAULT_MS / 2);
    const before = await alerts();
    say(`${fault.name}\n  before: ${seen}; alerts: ${before.names.join(", ") || "none"}`);
    seen = new Seen();
    await fault.begin(drill);
    await wait(FAULT_MS);
    const during = await alerts();
    const missing = fault.alerts.filter((name) => !during.names.includes(name));
    say(`  during: ${seen}\n  alerts: ${during.names.join(", ") || "none"}`);
    for (const line of health(during.last)) say(`    ${line}`);
    const codes = fault.codes.filter((code) => !seen.codes.has(code));
    await fault.end(drill);
    seen = new Seen();
    for (let tries = 0; seen.ids === 0 && tries < 100; tries++) await wait(FAULT_MS / 10);
    await wait(FAULT_MS);
    const count = seen.ids;
    const after = await alerts();
    say(`  after: ${seen}; alerts: ${after.names.join(", ") || "none"}`);
    say(`  ${all.size} ids in all, none twice`);
    for (const [is, what] of /** @type {const} */ ([
      [missing.length > 0, `does not fire: ${missing.join(", ")}`],
      [codes.length > 0, `was not answered: ${codes.join(", ")}`],
      [lasting(before.names).length > 0, `fires before: ${lasting(before.names).join(", ")}`],
      [lasting(after.names).length > 0, `fires after: ${lasting(after.names).join(", ")}`],
      [count === 0, "no id came after it"],
    ])) {
      if (!is) continue;
      say(`  FAILED: ${what}`);
      failures += 1;
    }
    seen = new Seen();
  }
  isOver = true;
  await Promise.all(issuing);
} finally {
  await kill();
  spawnSync("umount", ["-l", disk]);
  rmSync(work, { recursive: true, force: true });
}
process.exit(failures > 0 ? 1 : 0);
