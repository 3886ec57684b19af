// The size of each entry of the npm package, beside its budget.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { entries, gzipOf } from "../../tools/check/entries.js";
import { root } from "../../tools/command/paths.js";

for (const entry of entries) {
  test(`${entry.name}: ${entry.as}`, (t) => {
    const size = gzipOf(entry);
    t.diagnostic(`${size} bytes gzipped`);
    assert.ok(size <= entry.gzipMax, `${size} bytes gzipped: at most ${entry.gzipMax} are allowed`);
  });
}

test("each entry has a budget", () => {
  const manifest = join(root, "packages", "edgeflake", "package.json");
  const { exports } = JSON.parse(readFileSync(manifest, "utf8"));
  const named = entries.map(({ name }) => name.replace("edgeflake", "."));
  // These are other ways to load the same module and JavaScript.
  const same = [
    "./authority/node",
    "./inline",
    "./lease/inline",
    "./lease/streaming",
    "./package.json",
    "./streaming",
  ];
  assert.deepEqual([...new Set([...named, ...same])].sort(), Object.keys(exports).sort());
});
