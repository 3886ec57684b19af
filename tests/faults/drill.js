// node tools drill [FAULT ...] [--unfenced] breaks what the authority of `edgeflake/authority/node`
// depends on, while ids are issued. One fault after another happens: the disk is full, read-only,
// slow or damaged; the process is stopped or killed; the storage is restored from an older copy or
// emptied. For each fault, the drill prints what callers got, the metrics, the alerts that fired,
// and how many ids came twice. The drill fails if an alert of the fault does not fire, if an alert
// fires before or after the fault, if no ids come after the fault, or if an id came twice.
// With --unfenced the authority has no witness, so a restore makes ids come twice.
//
// The drill mounts disks, so it needs Linux and root. It also needs `promtool`, from Debian's
// package prometheus.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readArguments } from "../../tools/command/arguments.js";
import { fail, run } from "../../tools/command/run.js";
import { Authority } from "./authority.js";
import { faults, thaw } from "./faults.js";
import { firing } from "./promtool.js";

/**
 * The duration of a fault, in ms. It is longer than a lease and its renewal, so that a fault is
 * always noticed, and longer than the 10 s for which an isolate answers with the same metrics.
 */
const FAULT_MS = 11_000;
const SCRAPE_EVERY_MS = 750;
const DISK_BYTES = 8 * 1024 * 1024;
const TOKEN = "drill-admin-token";
const LEASE_MS = 3_000;
const AHEAD_MS = 1_000;
/**
 * The allowed disagreement of clocks, in ms. A write to a slow disk takes less time, so that a wait
 * for the write does not look like a wrong clock.
 */
const DISAGREEMENT_MS = 9_000;
/** The limit of operations per second. Three quarters of them may be grants. */
const OPERATIONS_MAX = 200;
const variables = {
  EDGEFLAKE_ADMIN_TOKEN: TOKEN,
  EDGEFLAKE_LEASE_MILLIS: `${LEASE_MS}`,
  EDGEFLAKE_ALLOWED_FUTURE_MILLIS: `${AHEAD_MS}`,
  EDGEFLAKE_CLOCK_DISAGREEMENT_MAX_MILLIS: `${DISAGREEMENT_MS}`,
  EDGEFLAKE_OPERATIONS_PER_SECOND_MAX: `${OPERATIONS_MAX}`,
};
/** Number of scrapes. Prometheus sees one per minute, enough for the `for` of each alert. */
const SCRAPES = 4;

const { positionals, values } = readArguments({
  allowPositionals: true,
  options: { unfenced: { type: "boolean", default: false } },
});
const unknown = positionals.filter((name) => !faults.some((fault) => fault.name === name));
if (unknown.length > 0) {
  const names = faults.map(({ name }) => JSON.stringify(name)).join(", ");
  fail(`unknown fault ${JSON.stringify(unknown[0])}; allowed: ${names}`);
}
// This import follows the arguments because the package may not be built yet.
const { Issuing } = await import("./issuing.js");
const chosen = faults.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const work = mkdtempSync(join(tmpdir(), "edgeflake-drill-"));
const disk = join(work, "disk");
const directory = join(disk, "authority");
const witness = join(work, "witness");
const options = { directory, variables, ...(values.unfenced ? {} : { witness }) };
const authority = new Authority(TOKEN, options);

/**
 * Scrapes several times, and returns the alerts. For Prometheus, the scrapes are a minute apart.
 *
 * @param {{ text: string, seconds: number }[]} before the scrapes of the minutes before
 */
async function alerts(...before) {
  const scrapes = before;
  for (let count = 0; count < SCRAPES; count++) {
    scrapes.push(await authority.scrape());
    await wait(SCRAPE_EVERY_MS);
  }
  const names = firing(work, scrapes);
  return { last: scrapes[scrapes.length - 1], names, text: names.join(", ") || "none" };
}

/** Picks the samples about the health of shards that are not 0. @param {string} text */
function health(text) {
  const samples = text.split("\n").filter((line) => /^edgeflake_(shards|refusals)\w*\{/.test(line));
  return samples.filter((line) => !line.endsWith(" 0"));
}

/** Returns `ok`, or the code of the reason why no lease can be granted. */
async function readiness() {
  const response = await authority.ask("GET", "/readyz");
  const { status, type } = /** @type {any} */ (await response.json());
  return response.ok ? status : type.replace("/problems/", "");
}

/** @param {string} text */
const say = (text) => console.log(text);

let failures = 0;
try {
  mkdirSync(disk);
  const image = join(work, "image");
  run("truncate", ["-s", `${DISK_BYTES}`, image]);
  run("mkfs.ext4", ["-q", image]);
  run("mount", ["-o", "loop", image, disk]);
  await authority.start();
  const issuing = new Issuing(authority, TOKEN);
  issuing.start();
  // The 1 is one tick, which lasts 1 ms.
  const reachMs = LEASE_MS + AHEAD_MS + DISAGREEMENT_MS + 1;
  const drill = { disk, directory, witness, authority, issuing, reachMs };
  for (const fault of chosen) {
    await wait(LEASE_MS);
    const before = await alerts();
    say(`${fault.name}\n  before: ${issuing.look()}; alerts: ${before.text}`);
    await fault.begin(drill);
    await wait(FAULT_MS);
    const during = await alerts(before.last);
    const seen = issuing.look();
    say(`  during: ${seen}\n  alerts: ${during.text}`);
    const ready = fault.readiness && (await readiness());
    if (ready) say(`  readiness: ${ready}`);
    const samples = health(during.last.text);
    for (const line of samples) say(`    ${line}`);
    await fault.end?.(drill);
    issuing.look();
    for (let tries = 0; issuing.seen.ids === 0 && tries < 100; tries++) await wait(SCRAPE_EVERY_MS);
    await wait(FAULT_MS);
    const after = await alerts();
    const readyAfter = fault.readiness && (await readiness());
    const count = issuing.seen.ids;
    say(`  after: ${issuing.look()}; alerts: ${after.text}`);
    say(`  ${issuing.count} ids in all, ${issuing.twice || "none"} twice`);
    const { readiness: expected, alert, code, refusal } = fault;
    const isCounted = samples.some((sample) => sample.includes(`code="${refusal}"`));
    for (const [is, what] of /** @type {const} */ ([
      [ready !== expected, `the readiness must be ${expected}`],
      [expected && readyAfter !== "ok", `readiness afterwards: ${readyAfter}`],
      [!during.names.includes(alert), `this alert does not fire: ${alert}`],
      [code && !seen.codes.has(code), `no caller got this code: ${code}`],
      [refusal && !isCounted, `the metrics do not count this code: ${refusal}`],
      [before.names.length > 0, `alerts fire before the fault: ${before.text}`],
      [after.names.length > 0, `alerts fire after the fault: ${after.text}`],
      [count === 0, "no id came after the fault"],
      [issuing.seen.codes.has("clock-disagreement"), "a clock was blamed after the fault"],
      [issuing.twice > 0, `${issuing.twice} ids came twice`],
    ])) {
      if (!is) continue;
      say(`  FAILED: ${what}`);
      failures += 1;
    }
    issuing.twice = 0;
  }
  await issuing.end();
} finally {
  await thaw();
  await authority.kill();
  spawnSync("umount", ["-l", disk]);
  rmSync(work, { recursive: true, force: true });
}
process.exit(failures > 0 ? 1 : 0);
