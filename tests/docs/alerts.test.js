// Checks that the pages describe each alert rule for Prometheus, and that the rules fire when they
// should.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createAuthority } from "edgeflake/authority/node";
import { firing, withoutResult } from "../faults/promtool.js";
import { temporary } from "../harness/temporary.js";
import { document } from "./harness/markdown.js";

/** @param {string} file relative to the root */
const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

const rules = read("docs/alerts.yml");
const page = document("docs/OPERATING.md");
const [, errors = ""] = document("docs/API.md").text.split("\n## Errors\n");

test("docs/OPERATING.md has a section for each rule of docs/alerts.yml, and no other", () => {
  const named = Array.from(rules.matchAll(/^ +- alert: (\w+)$/gm), ([, name]) => name);
  const found = Array.from(page.text.matchAll(/^### (Edgeflake\w+)$/gm), ([, name]) => name);
  assert.notEqual(found.length, 0);
  assert.deepEqual(found.sort(), named.sort());
});

test("each code has its alerts, or says that there is none", () => {
  const rows = errors.split("\n").filter((line) => line.startsWith("| `"));
  assert.notEqual(rows.length, 0);
  for (const row of rows) {
    const cell = row.split(" | ").at(-1) ?? "";
    assert.match(cell, /Edgeflake|none|OPERATING\.md#|the log has/, row);
    for (const [name] of cell.matchAll(/Edgeflake\w+/g)) {
      assert.ok(rules.includes(`- alert: ${name}\n`), `there is no rule ${name}`);
    }
  }
});

test("each metric of shards in trouble has a rule", () => {
  const metrics = read("worker/src/routes/metrics.rs");
  const names = new Set(metrics.match(/edgeflake_(shards|refusals)\w+/g));
  assert.notEqual(names.size, 0);
  assert.deepEqual(
    [...names].filter((name) => !rules.includes(name)),
    [],
  );
});

/** The reason to skip a test, if the program that evaluates the rules is missing. */
const skip =
  spawnSync("promtool", ["--version"]).error &&
  "the rules are not evaluated: promtool is not installed; Debian's package prometheus has it";

const directory = temporary();

/** Makes a scrape of Prometheus. @param {string} text its samples */
const scraped = (text, seconds = 0.01) => ({ seconds, text });
const refused = (/** @type {number} */ count) =>
  scraped(`edgeflake_refusals_total{shard="0",code="no-node-free"} ${count}`);
const unwritable = scraped('edgeflake_shards_unwritable{sequencer="default"} 1');
const idle = scraped('edgeflake_ids_issued_total{sequencer="default",incarnation="1"} 5');
const down = scraped("");

for (const [what, scrapes, fires] of /** @type {const} */ ([
  [
    "refusals that go on",
    Array.from({ length: 12 }, (_, minute) => refused(minute)),
    ["EdgeflakeRefusals"],
  ],
  [
    "a few refusals, as during a deploy",
    [...Array(5).fill(refused(0)), ...Array(7).fill(refused(3))],
    [],
  ],
  ["refusals that are over", Array(12).fill(refused(3)), []],
  ["one scrape that fails", [idle, down, idle], []],
  ["scrapes that fail", [idle, down, down, down], ["EdgeflakeDown"]],
  ["one proof that fails", [idle, unwritable, idle], []],
  ["proofs that fail", [unwritable, unwritable, unwritable], ["EdgeflakeShardUnwritable"]],
  ["a sequencer that is idle", Array(60).fill(idle), []],
  ["scrapes that are slow", Array(4).fill({ ...idle, seconds: 9 }), ["EdgeflakeSlow"]],
])) {
  test(`alerts: ${what}`, { skip }, () => {
    assert.deepEqual(firing(directory, [...scrapes]), [...fires]);
  });
}

test("the alert for a lost job fires when Prometheus scrapes nothing", { skip }, () => {
  assert.deepEqual(firing(directory, Array(4).fill(undefined)), ["EdgeflakeDown"]);
});

test("each query of the dashboard has a result on real metrics", { skip }, async () => {
  await using authority = await createAuthority({
    directory: join(directory, "leases"),
    witness: join(directory, "witness"),
    variables: { EDGEFLAKE_PUBLIC_ISSUE: "true", EDGEFLAKE_PUBLIC_READ: "true" },
  });
  await authority.fetch(new Request("http://localhost/v1/ids", { method: "POST" }));
  const response = await authority.fetch(new Request("http://localhost/metrics"));
  const scrape = scraped(await response.text());
  /** @type {{ panels: { targets: { expr: string }[] }[] }} */
  const { panels } = JSON.parse(read("docs/dashboard.json"));
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  assert.notEqual(queries.length, 0);
  assert.deepEqual(withoutResult(directory, Array(3).fill(scrape), queries), []);
  const none = ["edgeflake_no_such_metric"];
  assert.deepEqual(withoutResult(directory, [scrape], none), none);
});

test("each rule has a summary, a description and a runbook", () => {
  for (const rule of rules.split("- alert: ").slice(1)) {
    const [name = ""] = rule.split("\n");
    for (const annotation of ["summary", "description"]) {
      assert.match(rule, new RegExp(`^ +${annotation}: \\S`, "m"), rule);
    }
    assert.ok(rule.includes(`runbook_url: docs/OPERATING.md#${name.toLowerCase()}\n`), rule);
  }
});
