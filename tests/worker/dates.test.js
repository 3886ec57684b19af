// One rule reads a moment as text: over HTTP, in variables, in a layout string and on the command
// line.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Layout } from "edgeflake";
import { startCluster } from "./harness/cluster.js";

const TOKEN = "admin-token-of-tests";
const cli = fileURLToPath(new URL("../../packages/edgeflake/dist/cli/cli.js", import.meta.url));

/** Texts, each with its Unix ms, or without if it is refused. */
const TEXTS = /** @type {[string, number?][]} */ ([
  ["1516060800000", 1_516_060_800_000],
  ["2018-01-16", 1_516_060_800_000],
  ["2018-01-16T00:00Z", 1_516_060_800_000],
  ["2018-01-16T01:00+01:00", 1_516_060_800_000],
  ["2018-01-15T19:00:00-05:00", 1_516_060_800_000],
  ["2018-01-16T00:00:00.5Z", 1_516_060_800_500],
  ["2018-01-16T00:00:00.123Z", 1_516_060_800_123],
  // JavaScript would read these in the zone of the machine.
  ["2018-01-16T00:00"],
  ["2018-01-16T00:00:00"],
  ["2018-01-16 00:00Z"],
  ["2018-01-16T00:00:00z"],
  ["2018-01-16T00:00:00.1234Z"],
  ["2018-02-29"],
  ["16.01.2018"],
  ["-1"],
  ["1e3"],
  [""],
]);

describe("a moment as text", () => {
  /** @type {import("./harness/cluster.js").Cluster} */
  let cluster;
  before(async () => {
    cluster = await startCluster(["a"], { EDGEFLAKE_ADMIN_TOKEN: TOKEN });
  });
  after(() => cluster.close());

  let created = 0;

  /**
   * Each interface returns the Unix ms that it reads, or nothing if it refuses.
   *
   * @type {Record<string, (text: string) => Promise<number | undefined>>}
   */
  const interfaces = {
    async query(text) {
      const query = new URLSearchParams({ from: text, until: "2018-02-01" });
      const { status, body } = await cluster.send("a", "GET", `/v1/range?${query}`);
      assert.ok(status === 200 || body.type === "/problems/invalid-parameter", body.detail);
      return body.from_ms;
    },

    async body(text) {
      const { status, body } = await cluster.send("a", "PUT", `/v1/sequencers/n-${created++}`, {
        token: TOKEN,
        body: { layout: `snowcast epoch=${text}` },
      });
      assert.ok(status === 201 || body.type === "/problems/invalid-body", body.detail);
      return body.layout && Layout.parse(body.layout).epochMs;
    },

    async "layout string"(text) {
      try {
        return Layout.parse(`timestamp:41 @${text}`).epochMs;
      } catch (/** @type {any} */ error) {
        assert.equal(error.code, "invalid-layout");
        return undefined;
      }
    },

    async "command line"(text) {
      const args = [cli, "make", "--layout=timestamp:44 @0", "--", text];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      assert.ok(status === 0 || stderr.includes(" is no time: "), stderr);
      return status === 0 ? Number(stdout) : undefined;
    },
  };

  for (const [name, read] of Object.entries(interfaces)) {
    test(name, async () => {
      for (const [text, ms] of TEXTS) assert.equal(await read(text), ms, text);
    });
  }

  test("variable", async () => {
    for (const [text, ms] of TEXTS) {
      const layout = `hazelcast epoch-start=${text}`;
      const vars = { EDGEFLAKE_LAYOUT: layout, EDGEFLAKE_ADMIN_TOKEN: TOKEN };
      const own = await startCluster(["a"], vars);
      const { status, body } = await own.send("a", "GET", "/v1/sequencers/default", {
        token: TOKEN,
      });
      await own.close();
      const { type, detail } = body;
      assert.ok(status === 200 || type === "/problems/invalid-configuration", detail);
      assert.equal(body.layout && Layout.parse(body.layout).epochMs, ms, text);
    }
  });
});
