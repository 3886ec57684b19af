// Checks without a network or an account that `wrangler deploy` would succeed with each
// configuration, and with which bindings.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bin, root } from "../../tools/command/paths.js";
import { temporary } from "../harness/temporary.js";

const directory = temporary();

/** The bindings that each configuration must have. @type {Record<string, string[]>} */
const BINDINGS = {
  "wrangler.toml": ["AUTHORITY", "DIRECTORY", "EDGEFLAKE_LAYOUT", "EDGEFLAKE_SHARDS"],
  "examples/url-shortener/wrangler.toml": ["AUTHORITY", "DB"],
};

test("every configuration is here", () => {
  const found = globSync("{,examples/*/}wrangler.toml", { cwd: root });
  assert.deepEqual(found.sort(), Object.keys(BINDINGS).sort());
});

for (const [config, bindings] of Object.entries(BINDINGS)) {
  test(`wrangler deploy --dry-run --config ${config}`, () => {
    const { status, stdout, stderr } = spawnSync(
      join(bin, "wrangler"),
      ["deploy", "--dry-run", `--config=${config}`, `--outdir=${join(directory, config)}`],
      {
        cwd: root,
        encoding: "utf8",
        // Without EDGEFLAKE_BUILT, wrangler would build first.
        env: { ...process.env, EDGEFLAKE_BUILT: "true", WRANGLER_SEND_METRICS: "false" },
      },
    );
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stdout + stderr, /WARNING/);
    const found = [...stdout.matchAll(/^env\.(\w+) /gm)].map(([, name]) => name);
    assert.deepEqual(found, bindings);
  });
}

test(".dev.vars.example names the secrets, and gives none a value", () => {
  const read = (/** @type {string} */ file) => readFileSync(join(root, file), "utf8");
  const lines = read(".dev.vars.example").match(/^\w.*/gm) ?? [];
  const secrets = [...read("packages/edgeflake/dist/names.d.ts").matchAll(/^ *(\w+_TOKEN)\?:/gm)];
  assert.equal(secrets.length, 4);
  assert.deepEqual(lines.sort(), secrets.map(([, name]) => `${name}=`).sort());
});
