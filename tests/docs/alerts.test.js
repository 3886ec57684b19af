// The rules for Prometheus are those of the page, and fire when they should.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { firing } from "../faults/promtool.js";
import { document } from "./harness/markdown.js";

/** @param {string} file relative to the root */
const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

const rules = read("docs/alerts.yml");
const expressions = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, expression]) => expression);
const alerts =
  document("docs/MONITORING.md")
    .text.split(/^## /m)
    .find((section) => section.startsWith("What to alert on\n")) ?? "";
const errors = document("docs/ERRORS.md").text;

test("each rule of docs/alerts.yml stands in the table of docs/MONITORING.md with its name", () => {
  assert.notEqual(expressions.length, 0);
  const names = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name);
  assert.equal(new Set(names).size, expressions.length);
  for (const [at, expression] of expressions.entries()) {
    const row = alerts.split("\n").find((line) => line.includes(`\`${expression}\``));
    assert.ok(row?.includes(`\`${names[at]}\``), names[at]);
  }
});

test("each code has its alerts, or says that there is none", () => {
  const rows = errors.split("\n").filter((line) => line.startsWith("| `"));
  assert.notEqual(rows.length, 0);
  for (const row of rows) {
    const cell = row.split(" | ").at(-1) ?? "";
    assert.match(cell, /Edgeflake|none|#what-to-alert-on|the log has/, row);
    for (const [name] of cell.matchAll(/Edgeflake\w+/g)) {
      assert.ok(rules.includes(`- alert: ${name}\n`), `${name} is no rule`);
    }
  }
});

test("each metric of shards in trouble has a rule", () => {
  const metrics = read("worker/src/routes/metrics.rs");
  const names = new Set(metrics.match(/edgeflake_(shards|refusals|last)\w+/g));
  assert.notEqual(names.size, 0);
  assert.deepEqual(
    [...names].filter((name) => !rules.includes(name)),
    [],
  );
});

/** Says why the rules are not evaluated here. */
const skip =
  spawnSync("promtool", ["--version"]).error &&
  "the rules are not evaluated, because promtool is not here: it is in Debian's package prometheus";

/** Makes a scrape of one shard. @param {Record<string, number>} counts of its refusals, by code */
const scraped = (counts) => ({
  seconds: 0.01,
  text: Object.entries(counts)
    .map(([code, count]) => `edgeflake_refusals_total{shard="0",code="${code}"} ${count}`)
    .join("\n"),
});

const none = scraped({ "authority-unreachable": 0 });
const some = scraped({ "authority-unreachable": 0, "no-node-free": 3 });
const more = scraped({ "authority-unreachable": 0, "no-node-free": 4 });
/** This is longer than the rule looks back. */
const MINUTES = 12;

for (const [what, scrapes, fires] of /** @type {const} */ ([
  ["one more refusal", [...Array(MINUTES).fill(some), more], true],
  [
    "the first refusals of a code, with which its series begins",
    [...Array(MINUTES).fill(none), some],
    true,
  ],
  ["the same, some minutes later", [...Array(MINUTES).fill(none), some, some, some], true],
  ["refusals that are over", [none, ...Array(MINUTES).fill(some)], false],
  [
    "refusals before the shard was first scraped",
    [...Array(MINUTES).fill(scraped({})), some],
    false,
  ],
])) {
  test(`EdgeflakeRefusals: ${what}`, { skip }, () => {
    const directory = mkdtempSync(join(tmpdir(), "edgeflake-"));
    try {
      const found = firing(directory, [...scrapes]);
      assert.equal(found.includes("EdgeflakeRefusals"), fires, found.join(", "));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
}
