// Tests how texts are read and judged, without a browser.

import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import { identify, Layout, presets } from "edgeflake";
import { lagsOf } from "../../www/parts/statistics.ts";
import { sample } from "../../www/read/cells.ts";
import { timeOfLine } from "../../www/read/log.ts";
import { loadCipher } from "../../www/read/public.ts";
import { read } from "../../www/read/read.ts";
import { csvOf, tableOf } from "../../www/read/table.ts";
import { answersOf, systemOf, verdictOf, verdictsOf } from "../../www/verdict.ts";
import { PASTED, READ } from "./harness/pasted.js";

/** The tests run at 2026-11-22, which decides which dates are plausible. */
const NOW_MS = Date.UTC(2026, 10, 22);

before(() => mock.timers.enable({ apis: ["Date"], now: NOW_MS }));
after(() => mock.timers.reset());

/** @param {string} text @param {{ encoding?: string, column?: string, key?: string }} [wish] */
function readPaste(text, { encoding = "", column = "", key = "" } = {}) {
  return read({ text, encoding, column, key }, NOW_MS);
}

for (const { text, says, id, date, how, numbers, source } of PASTED) {
  test(`${says}: ${text.slice(0, 60)}`, () => {
    const reading = readPaste(text);
    if (how) assert.equal(reading.how, `Read as one id ${how}`);
    if (id === undefined) {
      const [kind, ...rest] = reading.kinds;
      assert.deepEqual(rest, []);
      assert.equal(kind?.title, says, source);
      const found = kind.timestampMs === undefined ? undefined : new Date(kind.timestampMs);
      assert.equal(found?.toISOString(), date, source);
      assert.match(
        kind.note,
        date === undefined
          ? /no time|no date|whether it has a date/
          : /not a snowflake|with a time in µs/,
      );
      return;
    }
    assert.deepEqual([...reading.ids].map(String), [id]);
    assert.deepEqual(reading.refused, []);
    if (numbers !== undefined) {
      assert.equal(reading.around[0]?.source?.layout, says);
      assert.equal(reading.around[0]?.source?.numbers, numbers);
    }
    const found = identify(BigInt(id)).find(({ preset }) => preset === says);
    assert.equal(found?.date.toISOString(), date, source);
  });
}

for (const [text, how, verdict, why = ""] of READ.verdict) {
  test(`the verdict on ${text.slice(0, 60).replaceAll("\n", " ")}`, () => {
    const reading = readPaste(text);
    assert.equal(reading.how, `Read as ${how}`);
    assert.equal(reading.refusedCount, 0);
    const found = verdictOf(reading);
    const named = answersOf(found).map(({ preset }) => preset);
    assert.deepEqual([[found.kind, ...named].join(" "), found.why], [verdict, why]);
    assert.ok(presets().includes(found.layout));
  });
}

for (const [text, systems] of READ.systems) {
  test(`ids of several systems: ${text}`, () => {
    assert.equal(verdictsOf(readPaste(text))?.map(systemOf).join(", ") ?? "one", systems);
  });
}

for (const [text, names] of READ.columns) {
  test(`the columns with ids of: ${text.slice(0, 60)}`, () => {
    const found = readPaste(text).columns.map(({ name }) => name);
    assert.equal(found.filter((name) => name !== "all ids").join(", "), names);
  });
}

for (const [text, title, shown] of READ.kind) {
  test(`what is no id is named: ${title}`, () => {
    const { kinds, ids, how } = readPaste(text);
    assert.equal(how, `Read as one ${title}`);
    const found = kinds.map((kind) => [kind.title, kind.text]);
    assert.deepEqual(found, [[title, shown]]);
    assert.equal(ids.length, 0);
  });
}

const KEY = "k:000102030405060708090a0b0c0d0e0f";
for (const [text, how, withKey, refusal] of READ.public) {
  test(`a public id, without its key and with it: ${text.slice(0, 60)}`, async () => {
    await loadCipher();
    assert.equal(readPaste(text).how, `Read as ${how}`);
    if (withKey === undefined) return;
    const { how: decoded, ids, refused } = readPaste(text, { key: KEY });
    assert.equal(decoded, withKey && `Read as ${withKey}`);
    assert.equal(refused[0]?.message, refusal);
    if (refusal === undefined) assert.equal(ids[0], 1541815603606036480n);
  });
}

test("systems that give the same date are one reading, whose shares are added", () => {
  const [fit] = verdictOf(readPaste("1593572310593806338")).fits;
  const titles = ["Twitter", "bwmarrin/snowflake", "Meituan Leaf"];
  assert.deepEqual([fit?.title, ...(fit?.also ?? [])], titles);
  const same = identify("1593572310593806338").filter(({ title }) => titles.includes(title));
  assert.equal(
    fit?.share,
    same.reduce((total, { share }) => total + share, 0),
  );
});

const TWEET = 1_593_572_310_593_806_338n;
const USER = 175_928_847_299_117_063n;

/** @param {number} lines */
function log(lines) {
  return Array.from({ length: lines }, (_, i) => {
    const time = new Date(Date.UTC(2022, 10, 18, 11, 50, 20, 700) + i * 1000).toISOString();
    const order = TWEET + BigInt(i) * 1000n * 4_194_304n;
    return `${time} GET /orders/${order} status=200 user=${USER + BigInt(i)} took=12ms`;
  });
}

test("a log has a column for each name before an id, and one for its times", () => {
  const lines = log(50);
  const reading = readPaste(lines.join("\n"));
  assert.deepEqual(reading.columns, [
    { name: "order id", count: 50 },
    { name: "user id", count: 50 },
  ]);
  assert.equal(reading.how, "Read as 50 ids in decimal, from a log (order id)");
  assert.equal(reading.ids[49], TWEET + 49n * 1000n * 4_194_304n);
  assert.equal(reading.refusedCount, 0);
  assert.equal(reading.times?.[0], Date.UTC(2022, 10, 18, 11, 50, 20, 700));
  const users = readPaste(lines.join("\n"), { column: "user id" });
  assert.deepEqual([...users.ids].slice(0, 2), [USER, USER + 1n]);
  const times = readPaste(lines.join("\n"), { column: "time" });
  assert.equal(times.dates?.length, 50);
  assert.equal(times.how, "Read as 50 dates, from a log (time): the smallest id of that moment");
});

const SECOND = 1_541_815_603_606_036_480n;

for (const [text, how, lines] of READ.list) {
  test(`two ids: ${text}`, () => {
    const reading = readPaste(text);
    assert.equal(reading.how, `Read as ${how}`);
    assert.deepEqual([...reading.ids], [TWEET, SECOND]);
    assert.equal(reading.lines.join(" "), lines);
  });
}

test("of two columns, the other one", () => {
  const { ids } = readPaste(`id,parent_id\n${TWEET},1\n${SECOND},2\n`, { column: "parent_id" });
  assert.deepEqual([...ids], [1n, 2n]);
});

for (const [line, time] of READ.time) {
  test(`the time of: ${line}`, () => {
    const found = timeOfLine(line);
    assert.equal(found && new Date(found.ms).toISOString(), time);
  });
}

test("only times are compared with the ids", () => {
  // A number of 19 digits may be ns since 1970, but not in a column of users.
  const users = readPaste(log(3).join("\n"));
  assert.equal(users.times?.[1], Date.UTC(2022, 10, 18, 11, 50, 21, 700));
  const rows = (/** @type {string} */ name) =>
    readPaste(`id,${name}\n${TWEET},1668772221\n${TWEET + 1n},1668772222\n`).times;
  assert.deepEqual([...(rows("created_at") ?? [])], [1_668_772_221_000, 1_668_772_222_000]);
  assert.equal(rows("amount"), undefined);
});

test("words that are no ids are counted, and the first 100 are explained", () => {
  const text = `${TWEET}\n${Array.from({ length: 1000 }, (_, i) => `x${i}y`).join("\n")}`;
  const reading = readPaste(text, { encoding: "decimal" });
  assert.deepEqual([...reading.ids], [TWEET]);
  assert.equal(reading.refusedCount, 1000);
  assert.equal(reading.refused.length, 100);
  const large = readPaste("18446744073709551616\n".repeat(200), { encoding: "decimal" });
  assert.deepEqual([large.refusedCount, large.refused.length], [200, 100]);
});

test("a column of numbers in threes is no CSV", () => {
  const reading = readPaste("1,593,572,310,593,806,338\n1,541,815,603,606,036,480\n");
  assert.deepEqual([...reading.ids], [TWEET, SECOND]);
  const rows = readPaste("1,593,572\n1,541,815\n");
  assert.deepEqual([rows.ids.length, rows.column], [2, "2"]);
});

test("13 characters are a TID only with a date on which there was Bluesky", () => {
  // The allowed dates go from 2022-01-01 to one day from now. These two ids have the first and the
  // last of these dates. In the second loop, two ids are 1 ms outside, and one has the date
  // 1970-01-01.
  for (const text of ["3iojbvzms2222", "3n2wt5ad22222"]) {
    const [kind] = readPaste(text).kinds;
    assert.equal(kind?.title, "TID of Bluesky", text);
  }
  for (const text of ["3iojbvzmr2s22", "3n2wt5ad2zc22", "2222222222222"]) {
    assert.deepEqual(readPaste(text).kinds, [], text);
  }
});

test("how long after its id a line was written", () => {
  const lines = log(3).map((line, i) =>
    i === 1 ? line.slice("2022-11-18T11:50:21.700Z ".length) : line,
  );
  const reading = readPaste(lines.join("\n"));
  const found = lagsOf(reading, tableOf(reading, Layout.preset("twitter")));
  assert.deepEqual([...(found?.lags ?? [])], [56, NaN, 56]);
  assert.deepEqual({ ...found, lags: [] }, { lags: [], least: 56, median: 56, most: 56 });
});

test("the median of many lags is that of the lines with a time", () => {
  const timestampMs = new Float64Array(6000);
  const times = timestampMs.map((_, row) => (row % 3 === 1 ? row : NaN));
  const table = /** @type {any} */ ({ columns: { id: times, timestampMs } });
  const found = lagsOf(/** @type {any} */ ({ times, areDays: false }), table);
  assert.deepEqual([found?.least, found?.median, found?.most], [1, 2998, 5998]);
});

test("a sample has 30 to 60 items, or all of fewer", () => {
  for (const count of [0, 59, 60, 61, 119, 120, 121, 100_000]) {
    const { length } = sample(Array(count).fill(""));
    assert.ok(length >= Math.min(count, 30) && length <= 60, `${length} of ${count}`);
  }
});

test("a CSV of ids, of which one does not fit", () => {
  const columnsOfIds = Layout.preset("twitter").decodeMany([TWEET, 2n ** 63n]);
  assert.equal(
    csvOf({ columns: columnsOfIds, lines: [1, 3], lags: undefined }),
    "line,id,date,unix_ms,node,sequence,tag\n" +
      `1,${TWEET},2022-11-18T11:50:20.644Z,1668772220644,378,2,0\n` +
      "3,9223372036854775808,,,,,\n",
  );
  const lags = Float64Array.of(56, NaN);
  const rows = csvOf({ columns: columnsOfIds, lines: [1, 3], lags });
  assert.match(rows, /,tag,logged_after_ms\n1,.*,0,56\n3,.*,,\n$/);
  const last = csvOf({ columns: columnsOfIds, lines: [1, 3], lags, rows: Uint32Array.of(1) });
  assert.match(last, /ms\n3,/);
});
