// Tests the commands of this repository, its check of variables, and its dev server.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { absoluteLinks, repository } from "../../tools/build/published.js";
import { copyCheckout } from "../../tools/command/checkout.js";
import { startDev } from "../../tools/serve/dev-server.js";

const root = new URL("../..", import.meta.url).pathname;

/** @type {string} */
let directory;
before(() => {
  directory = mkdtempSync(join(tmpdir(), "edgeflake-"));
});
after(() => rmSync(directory, { recursive: true }));

/** @param {string[]} args @param {string} [cwd] */
function node(args, cwd = root) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("links of a page that leaves the checkout lead to the files of its version", () => {
  const page = "[a](../../docs/A.md#b) [b](#b) [c](https://c.example/x) ![d](d.png)";
  const { version } = JSON.parse(
    readFileSync(join(root, "packages/edgeflake/package.json"), "utf8"),
  );
  const at = `${repository}/blob/v${version}`;
  assert.equal(
    absoluteLinks(page, "packages/edgeflake"),
    `[a](${at}/docs/A.md#b) [b](#b) [c](https://c.example/x) ![d](${at}/packages/edgeflake/d.png)`,
  );
});

test("the commands are listed, and an unknown one is refused with their names", () => {
  const list = node(["tools"]);
  assert.deepEqual([list.status, list.stderr], [0, ""]);
  const names = [...list.stdout.matchAll(/^(\S+) +[a-z].*$/gm)].map(([, name]) => name).slice(1);
  assert.ok(names.length > 20, list.stdout);
  assert.equal(node(["tools", "--help"]).stdout, list.stdout);
  for (const unknown of ["no-such", "toString"]) {
    const stderr = `error: unknown command ${unknown}; allowed: ${names.join(", ")}\n`;
    assert.deepEqual(node(["tools", unknown]), { status: 1, stdout: "", stderr });
  }

  // Each npm script runs the command with its own name.
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const [name, script] of Object.entries(scripts)) {
    assert.equal(script, `exec node tools ${name}`);
    assert.ok(names.includes(name), name);
  }
});

test("each command is loaded before npm has installed anything", () => {
  const bare = join(directory, "bare");
  copyCheckout(bare);
  // These commands pass all arguments on, even --help.
  const others = [
    "bench:js",
    "bench:page",
    "bench:postgres",
    "dev",
    "example",
    "simulate",
    "simulate:scale",
  ];
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of ["test:api", ...Object.keys(scripts)]) {
    if (others.includes(name)) continue;
    const found = node(["tools", name, "--help"], bare);
    assert.deepEqual([name, found.status, found.stderr], [name, 0, ""]);
    assert.ok(found.stdout.startsWith(`node tools ${name}`), found.stdout);
  }
});

// In the first row, EPOCH_START and LAYOUT are ignored, because without the prefix EDGEFLAKE_ they
// belong to another program.
for (const [vars, error] of [
  ['EDGEFLAKE_NODE_COUNT = 128\nEPOCH_START = "2026-01-01"\nLAYOUT = "list"', ""],
  [
    'EDGEFLAKE_NODE_COUNT = "two"',
    'EDGEFLAKE_NODE_COUNT is "two": give a whole number from 1 to 1048576',
  ],
  [
    "EDGEFLAKE_NODE_CUONT = 1",
    "the variable EDGEFLAKE_NODE_CUONT is not known: remove it, or did you mean EDGEFLAKE_NODE_COUNT?",
  ],
  // This layout begins in 2130, so it cannot issue ids now.
  [
    'EDGEFLAKE_LAYOUT = "hazelcast epoch-start=2130-01-01"',
    "EDGEFLAKE_LAYOUT: ... is before the layout's epoch 2130-01-01T00:00:00.000Z: correct the time, " +
      "or use another layout",
  ],
]) {
  test(`check: ${vars}`, () => {
    const config = join(directory, "wrangler.toml");
    writeFileSync(config, `name = "edgeflake"\ncompatibility_date = "2026-10-01"\n[vars]\n${vars}`);
    const { status, stderr } = node(["tools", "check", "--config", config]);
    assert.equal(stderr.replace(/ \S+ is before/, " ... is before"), error && `error: ${error}\n`);
    assert.equal(status, error ? 1 : 0);
  });
}

test("dev passes its arguments on, serves ids and the page, and ends when told", async () => {
  const dev = await startDev();
  try {
    const response = await fetch(`${dev.url}v1/ids?count=3`, { method: "POST" });
    assert.equal((await response.json()).ids.length, 3);
    assert.match(await (await fetch(dev.url)).text(), /<title>/);
    const api = await fetch(`${dev.url}openapi.json`);
    assert.equal(api.headers.get("content-type"), "application/json");
    assert.equal((await api.json()).openapi, "3.1.1");
    assert.ok(
      existsSync(join(dev.storage, "v3", "do")),
      "the lease is not stored in the directory of --persist-to",
    );
  } finally {
    await dev.stop();
  }
  await assert.rejects(fetch(dev.url), "the server still answers");
});
