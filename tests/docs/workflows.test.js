// Checks the workflows, which run with the rights of this repository: they must pin each action by
// its digest, and a job that may publish must build nothing.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../.github/workflows/", import.meta.url);

for (const file of readdirSync(folder)) {
  const text = readFileSync(new URL(file, folder), "utf8");

  test(`each action in ${file} is pinned by its digest, and says its version`, () => {
    const actions = text.match(/^.*\buses:.*$/gm) ?? [];
    assert.ok(actions.length > 0);
    for (const action of actions) {
      assert.match(action, /uses: [\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test(`no job in ${file} may publish and builds`, () => {
    const [, jobs = ""] = text.split(/^jobs:$/m);
    for (const job of jobs.split(/^ {2}(?=[\w-]+:$)/m)) {
      if (!job.includes("id-token: write")) continue;
      assert.doesNotMatch(job, /npm (run|ci|install|exec)|npx|\.ci\/|node |cargo (build|test|run)/);
      assert.match(job, /--no-verify|--ignore-scripts/);
    }
  });
}
