// The rules for Prometheus are those of the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { document } from "./harness/markdown.js";

test("each rule of docs/alerts.yml stands in docs/OPERATIONS.md", () => {
  const rules = readFileSync(new URL("../../docs/alerts.yml", import.meta.url), "utf8");
  const expressions = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, expression]) => expression);
  assert.ok(expressions.length >= 11, `${expressions.length} rules`);
  const [, table] = document("docs/OPERATIONS.md").text.split("## What to alert on");
  const missing = expressions.filter((expression) => !table.includes(`\`${expression}\``));
  assert.deepEqual(missing, []);
});

test("each metric of shards in trouble has a rule", () => {
  const rules = readFileSync(new URL("../../docs/alerts.yml", import.meta.url), "utf8");
  const metrics = readFileSync(
    new URL("../../worker/src/routes/metrics.rs", import.meta.url),
    "utf8",
  );
  const names = new Set(metrics.match(/edgeflake_(shards|refusals|last)\w+/g));
  assert.equal(names.size, 6);
  assert.deepEqual(
    [...names].filter((name) => !rules.includes(name)),
    [],
  );
});
