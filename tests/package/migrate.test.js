// Tests `edgeflake migrate check`, which says whether the ids of a new layout are above all old ids
// and differ from them.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Layout } from "edgeflake";

const cli = fileURLToPath(new URL("../../packages/edgeflake/dist/cli/cli.js", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "edgeflake-migrate-"));
after(() => rmSync(directory, { force: true, recursive: true }));

const AT = "2026-11-25T00:00:00Z";

/** Runs the check. @param {string[]} args */
function check(...args) {
  const command = [cli, "migrate", "check", "--at", AT, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
  return { status, stdout, stderr };
}

/** Runs the check, and reads its JSON. @param {string[]} args */
function report(...args) {
  const { status, stdout } = check("--json", ...args);
  return { status, ...JSON.parse(stdout) };
}

test("ids of the same epoch and a longer sequence are above all old ones", () => {
  const to = "hazelcast bits-sequence=12 bits-node-id=10";
  const { status, isAbove, aboveFrom, repeated, remedies } = report(
    "--from",
    "hazelcast",
    "--to",
    to,
  );
  assert.deepEqual([status, isAbove, repeated, remedies], [0, true, undefined, []]);
  // Ids of the old system may be ahead of the clock by 15 s.
  assert.equal(aboveFrom, "2026-11-25T00:00:15.001Z");
});

test("a later epoch repeats old ids, and the check says which", () => {
  const later = "worker-queue epoch=2026-01-01 overlaps-old-ids";
  const found = report("--from", "worker-queue", "--to", later);
  const { status, isAbove, aboveFrom, repeated, remedies } = found;
  assert.deepEqual([status, isAbove, aboveFrom], [1, false, undefined]);
  assert.deepEqual(
    [repeated.from, repeated.until],
    ["2018-11-14T00:00:00.000Z", "2026-09-06T10:58:26.943Z"],
  );
  const unsigned = "timestamp:39 node.worker:15 sequence:10 @1513814400000 tick=1ms";
  assert.deepEqual(remedies, [
    `keep the old epoch, in an unsigned column: "${unsigned}"`,
    "store the new ids in another column, or in another table",
  ]);
  assert.equal(report("--from", "worker-queue", "--to", unsigned).isAbove, true);
  // The first repeated id is an id of both layouts.
  const id = BigInt(repeated.id);
  const ended = Layout.preset("worker-queue").decode(id);
  const epochMs = new Date("2026-01-01");
  const again = Layout.preset("worker-queue", { epochMs, overlapsOldIds: true }).decode(id);
  assert.deepEqual(
    [ended.date.toISOString(), again.date.toISOString()],
    [repeated.from, AT.replace("Z", ".000Z")],
  );
});

/** A layout whose ids are above those of `baidu`, just below 2^63. */
const TOP_BIT = "timestamp:41 sequence:7 node:16 @2026-01-01";

/** Each row has an old layout, a new one, the text before the proposed layout, and its epoch. */
const PROPOSALS = /** @type {[string, string, string, string][]} */ ([
  ["twitter", "hazelcast", "keep the old epoch", "2010-11-04T01:42:54.657Z"],
  [
    "twitter",
    "unused:1 timestamp:42 node:21 @2020-01-01",
    "set an earlier epoch",
    "1994-10-14T03:25:34.313Z",
  ],
  ["sonyflake", "edge", "keep the old epoch", "2014-09-01T00:00:00.000Z"],
  ["baidu", TOP_BIT, "set an earlier epoch, in an unsigned column", "1992-01-22T04:06:27.225Z"],
]);

for (const [from, to, remedy, epoch] of PROPOSALS) {
  test(`a layout above old ids of ${from} is proposed instead of ${to}`, () => {
    const { status, remedies } = report("--from", from, "--to", to);
    const [, begin, layout] = /^(.*): "(.*)"$/.exec(remedies[0]) ?? [];
    assert.deepEqual(
      [status, begin, new Date(Layout.parse(layout).epochMs).toISOString()],
      [1, remedy, epoch],
    );
    assert.deepEqual(Layout.parse(layout).fields, Layout.parse(to).fields);
    assert.equal(report("--from", from, "--to", layout).isAbove, true);
  });
}

test("bits and epoch are found from ids and their times", () => {
  const rows = [0, 1, 2, 3].map((hour) => {
    const ms = 1_700_000_000_000 + hour * 3_600_000;
    const id = (BigInt(ms - 1_600_000_000_000) << 20n) | BigInt(77 * hour);
    return `${id},${new Date(ms + 3).toISOString()}`;
  });
  const file = join(directory, "ids.csv");
  writeFileSync(file, `id,created_at\n${rows.join("\n")}\n`);
  const { status, from } = report("--ids", file, "--to", "twitter");
  assert.deepEqual([status, from], [0, "unused:1 timestamp:43 node:20 @1600000000003 tick=1ms"]);
});

test("bits are found from ids that are ahead of their times", () => {
  const file = join(directory, "ahead.csv");
  const rows = Array.from({ length: 9 }, (_, minutes) => {
    const ms = 1_700_000_000_000 + minutes * 450_000;
    const aheadMs = minutes % 2 ? 14_000 : 0;
    return `${BigInt(ms + aheadMs - 1_514_764_800_000) << 22n},${new Date(ms).toISOString()}`;
  });
  writeFileSync(file, rows.join("\n"));
  // The epoch may be 14 s later, so old ids may be ahead by 14 s less.
  const { from, remedies } = report("--ids", file, "--to", "hazelcast");
  assert.equal(from, "unused:1 timestamp:41 node:22 @1514764786000 tick=1ms");
  assert.equal(remedies[0], "issue no new id before 2026-11-25T00:00:29.001Z");
});

test("bad input is refused", () => {
  const file = join(directory, "bad.csv");
  writeFileSync(file, "12x\n");
  writeFileSync(join(directory, "few.csv"), "1,2026-01-01\n");
  for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
    [[], /migrate needs --to, the layout of the new ids/],
    [["--to", "nope"], /no preset is named nope/],
    [["--to", "twitter"], /from is undefined, and 0 ids have times/],
    [["--to", "twitter", "--ids", file], /line 1 of the ids: /],
    [["--to", "twitter", "--ids", join(directory, "few.csv")], /and 1 ids have times/],
    [
      ["--to", "twitter", "--from", "edge", "--count", "1"],
      /migrate takes no --count: it takes --from,/,
    ],
  ])) {
    const { status, stderr } = check(...args);
    assert.equal(status, 2, args.join(" "));
    assert.match(stderr, message);
  }
});
