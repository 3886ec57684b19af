// The page's modules read pasted texts correctly, which is tested without a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, mock, test } from "node:test";
import { identify, Layout, presets } from "edgeflake";
import { csvOf } from "../../www/csv.js";
import { lagSummary, lagsOf, lagsOverTime } from "../../www/lag.js";
import { timeOfLine } from "../../www/log-time.js";
import { readPaste } from "../../www/paste.js";
import { verdictOfIds } from "../../www/verdict.js";
import { PASTED } from "./harness/pasted.js";

/** The date is 2026-11-22. It decides what is plausible. */
const NOW_MS = Date.UTC(2026, 10, 22);

before(() => mock.timers.enable({ apis: ["Date"], now: NOW_MS }));
after(() => mock.timers.reset());

test("there is a row for each preset, and each names its source", () => {
  for (const { text, source } of PASTED) assert.match(source, /\w{3}/, text);
  for (const preset of presets())
    assert.ok(
      PASTED.some(({ says }) => says === preset),
      preset,
    );
});

for (const { text, says, id, date, how, numbers, source } of PASTED) {
  test(`${says}: ${text.slice(0, 60)}`, () => {
    const reading = readPaste(text, "", "");
    if (how) assert.equal(reading.how, `Read as one id ${how}`);
    if (id === undefined) {
      const [kind, ...rest] = reading.kinds;
      assert.deepEqual(rest, []);
      assert.equal(kind.title, says, source);
      const found = kind.timestampMs === undefined ? undefined : new Date(kind.timestampMs);
      assert.equal(found?.toISOString(), date, source);
      assert.match(
        kind.note,
        date === undefined ? /no time|whether it has a date|left out/ : /bits/,
      );
      return;
    }
    assert.deepEqual(reading.found.map(String), [id]);
    assert.deepEqual(reading.refused, []);
    if (numbers !== undefined) {
      assert.equal(reading.source?.layout, says);
      assert.equal(reading.source?.numbers, numbers);
    }
    assert.equal(dateIn(says, BigInt(id)), date, source);
  });
}

/**
 * @param {string} system
 * @param {bigint} id
 */
function dateIn(system, id) {
  const candidate = identify(id).find(({ preset }) => preset === system);
  return (candidate ?? Layout.parse(system).decode(id)).date.toISOString();
}

const verdicts = [
  // Twitter and Discord cut at the same places, and these fields are unusual in both.
  ["1212161512044122112", "tie", ["discord", "twitter"]],
  ["1541815603606036480", "sure", ["twitter"]],
  ["661720242585735168", "sure", ["discord"]],
  ["175928847299117063", "sure", ["discord"]],
  ["7582653507375746334", "sure", ["tiktok"]],
  // As an id of Discord's, it would be of 2027.
  ["1593572310593806338", "sure", ["twitter"]],
  ["6685980502161199104", "sure", ["linkedin"]],
  ["1668772220644", "sure", ["unix-ms"]],
  ["18446744073709551615", "none", []],
  ["5", "none", []],
  // One tweet is from after 2022-09, and one from before.
  ["1585841080431321088\n1541815603606036480", "sure", ["twitter"]],
  ["661720242585735168\n1541815603606036480", "tie", ["twitter", "discord"]],
];

for (const [text, kind, names] of /** @type {[string, string, string[]][]} */ (verdicts)) {
  test(`${text.replace("\n", " and ")}: ${kind}`, () => {
    const ids = readPaste(text, "", "").found.filter((one) => typeof one === "bigint");
    const verdict = verdictOfIds(BigUint64Array.from(ids));
    assert.equal(verdict.kind, kind);
    const first = kind === "sure" ? verdict.fits.slice(0, 1) : verdict.fits;
    assert.deepEqual(
      first.map(({ preset }) => preset),
      names,
    );
    assert.ok(presets().some((name) => name === verdict.layout));
  });
}

test("the times of the lines settle a tie, if one system alone has the same dates", () => {
  const ids = BigUint64Array.of(1_212_161_512_044_122_112n, 1_212_161_516_238_426_112n);
  const lines = (/** @type {number} */ ms) => Float64Array.of(ms, ms + 1000);
  const ofTwitter = verdictOfIds(ids, lines(Date.UTC(2020, 0, 1, 0, 1)));
  assert.deepEqual([ofTwitter.kind, ofTwitter.layout], ["timed", "twitter"]);
  const ofDiscord = verdictOfIds(ids, lines(Date.UTC(2024, 1, 27, 22, 18)));
  assert.deepEqual([ofDiscord.kind, ofDiscord.layout], ["timed", "discord"]);
  // When the lines are weeks later they do not help, though Discord's date is further away.
  const later = lines(Date.UTC(2020, 1, 1));
  for (const times of [undefined, later, Float64Array.of(NaN, NaN)]) {
    assert.equal(verdictOfIds(ids, times).kind, "tie");
  }
});

test("systems that give the same date are one reading, whose shares are added", () => {
  const { fits } = verdictOfIds(BigUint64Array.of(1_593_572_310_593_806_338n));
  assert.deepEqual(
    [fits[0].title, ...fits[0].also],
    ["Twitter", "bwmarrin/snowflake", "Meituan Leaf"],
  );
  const shares = identify("1593572310593806338").filter(
    ({ date }) => date.toISOString() === "2022-11-18T11:50:20.644Z",
  );
  const sum = shares.reduce((total, { share }) => total + share, 0);
  assert.equal(fits[0].share, sum);
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
  const reading = readPaste(lines.join("\n"), "", "");
  assert.deepEqual(reading.columns, [
    { name: "order id", count: 50 },
    { name: "user id", count: 50 },
    { name: "time", count: 50 },
  ]);
  assert.equal(reading.how, "Read as 50 ids in decimal, from a log (order id)");
  assert.equal(reading.found[49], TWEET + 49n * 1000n * 4_194_304n);
  assert.equal(reading.refusedCount, 0);
  assert.equal(reading.times?.get(1), Date.UTC(2022, 10, 18, 11, 50, 20, 700));
  const users = readPaste(lines.join("\n"), "", "user id");
  assert.deepEqual(users.found.slice(0, 2), [USER, USER + 1n]);
  const times = readPaste(lines.join("\n"), "", "time");
  assert.equal(times.how, "Read as 50 dates, from a log (time): the smallest id of that moment");
});

const [A, B] = [TWEET, 1_541_815_603_606_036_480n];

/**
 * Texts of two ids, and where the ids stand.
 *
 * @type {[text: string, how: string, lines: number[]][]}
 */
const lists = [
  [`${A}\n${B}\n`, "2 ids in decimal", [1, 2]],
  [`${A}, ${B}`, "2 ids in decimal", [1, 1]],
  [
    `name,user_id,age\n"Ann, B",${A},31\nBob,"${B}",9\n`,
    "2 ids in decimal, from CSV (user_id)",
    [2, 3],
  ],
  [`id\tname\n${A}\tAnn\n${B}\tBob`, "2 ids in decimal, from CSV (id)", [2, 3]],
  [`id,parent_id\n${A},1\n${B},2\n`, "2 ids in decimal, from CSV (id)", [2, 3]],
  // Numbers in JSON are not rounded.
  [
    `[{"name": "Ann 1", "id": ${A}},\n {"name": "Bob", "id": "${B}"}]`,
    "2 ids in decimal, from JSON (id)",
    [1, 2],
  ],
  [`{"id":"${A}"}\n{"id":"${B}"}`, "2 ids in decimal, from JSON (id)", [1, 2]],
  [`${A}\n0x1565a11f6217a000`, "one id in decimal and one id in hex", [1, 2]],
];

for (const [text, how, lines] of lists) {
  test(`two ids: ${text}`, () => {
    const reading = readPaste(text, "", "");
    assert.equal(reading.how, `Read as ${how}`);
    assert.deepEqual([reading.found, reading.lines], [[A, B], lines]);
  });
}

test("of two columns, the other one", () => {
  const { found } = readPaste(`id,parent_id\n${A},1\n${B},2\n`, "", "parent_id");
  assert.deepEqual(found, [1n, 2n]);
});

const columns = [
  ["order_id=1593572310593806338 and userId=1593572310593806339 ok", ["order id", "user id"]],
  [
    "parent=1593572310593806338 parent=1593572310593806339 a\nparent=1593572310593806338 b",
    ["parent id", "parent id 2"],
  ],
  ["took /users/1593572310593806338/posts/1593572310593806339 away", ["user id", "post id"]],
  ["seen at /status/1593572310593806338 by ord_1593572310593806339", ["status id", "ord id"]],
  [`a "userId": "1593572310593806338", b #1593572310593806339 c`, ["user id", "b id"]],
  ["(1593572310593806338) was before (1593572310593806339) it says", ["id", "before id"]],
  [
    "trace=017f22e2-79b0-7cc3-98c4-dc0c0c07398f a user=0x01830acfcb477a67 b",
    ["trace id", "user id"],
  ],
  // These are too short, too long, with a fraction, or a time.
  ["a 12345678901234 b 123456789012345678901 c 1668772220644000.5 d=1593572310593806338", ["d id"]],
  ["[1234] app: order 1593572310593806338 came", ["order id"]],
  ["ts=1668772220644000000 order=1593572310593806338 ok", ["order id", "time"]],
];

for (const [line, names] of /** @type {[string, string[]][]} */ (columns)) {
  test(`the columns of: ${line}`, () => {
    const reading = readPaste(line, "", "");
    assert.deepEqual(
      reading.columns.map(({ name }) => name),
      names,
    );
  });
}

test("published texts, each in its alphabet", () => {
  const vectors = readFileSync(new URL("../vectors.json", import.meta.url), "utf8");
  for (const { id, alphabet, text } of JSON.parse(vectors).encodings) {
    const name = /z-base-32|base58|base32/.exec(alphabet)?.[0];
    const encoding = /lowercase first/.test(alphabet) ? `${name}-flickr` : `${name}`;
    const reading = readPaste(text, encoding, "");
    assert.deepEqual([reading.encoding, reading.found], [encoding, [BigInt(id)]], text);
  }
});

test("the ids of one sentence are a list", () => {
  const ids = [TWEET, TWEET + 1n, TWEET + 2n];
  const reading = readPaste(`please look at ids ${ids[0]}, ${ids[1]} and ${ids[2]}`, "", "");
  assert.deepEqual(reading.found, ids);
  assert.equal(reading.how, "Read as 3 ids in decimal");
});

const times = [
  ["2022-11-18T11:50:20.644Z x", "2022-11-18T11:50:20.644Z"],
  ["[2022-11-18 11:50:20,644] x", "2022-11-18T11:50:20.644Z"],
  ["2022/11/18 11:50:20 x", "2022-11-18T11:50:20.000Z"],
  ["2022-11-18T12:50:20.644123+01:00 x", "2022-11-18T11:50:20.644Z"],
  ['::1 - - [18/Nov/2022:06:50:20 -0500] "GET /"', "2022-11-18T11:50:20.000Z"],
  ["1668772220.644 x", "2022-11-18T11:50:20.644Z"],
  ['{"ts":1668772220644,"x":1}', "2022-11-18T11:50:20.644Z"],
  ["time=1668772220644000 x", "2022-11-18T11:50:20.644Z"],
  ["Nov 18 11:50:20 host app[1]: no year", undefined],
  ["2022-13-18 11:50:20 x", undefined],
  ["order 1668772220644", undefined],
];

for (const [line, time] of /** @type {[string, string | undefined][]} */ (times)) {
  test(`the time of: ${line}`, () => {
    const found = timeOfLine(line);
    assert.equal(found && new Date(found.ms).toISOString(), time);
  });
}

test("only times are compared with the ids", () => {
  // 19 digits may be ns since 1970, but not in a column of users.
  const users = readPaste(log(3).join("\n"), "", "");
  assert.equal(users.times?.get(2), Date.UTC(2022, 10, 18, 11, 50, 21, 700));
  const numbers = readPaste(
    `id,created_at\n${TWEET},1668772221\n${TWEET + 1n},1668772222\n`,
    "",
    "",
  );
  assert.deepEqual(
    [...(numbers.times ?? [])],
    [
      [2, 1_668_772_221_000],
      [3, 1_668_772_222_000],
    ],
  );
  const amounts = readPaste(`id,amount\n${TWEET},1668772221\n${TWEET + 1n},1668772222\n`, "", "");
  assert.equal(amounts.times, undefined);
});

test("words that are no ids are counted, and the first 100 are explained", () => {
  const text = `${TWEET}\n${Array.from({ length: 1000 }, (_, i) => `x${i}y`).join("\n")}`;
  const reading = readPaste(text, "decimal", "");
  assert.deepEqual(reading.found, [TWEET]);
  assert.equal(reading.refusedCount, 1000);
  assert.equal(reading.refused.length, 100);
  const large = readPaste("18446744073709551616\n".repeat(200), "decimal", "");
  assert.deepEqual([large.refusedCount, large.refused.length], [200, 100]);
});

test("a column of numbers in threes is no CSV", () => {
  const reading = readPaste("1,593,572,310,593,806,338\n1,541,815,603,606,036,480\n", "", "");
  assert.deepEqual(reading.found, [TWEET, 1_541_815_603_606_036_480n]);
  const rows = readPaste("1,593,572\n1,541,815\n", "", "");
  assert.equal(rows.columns.length, 3);
});

test("13 characters are a TID only with a date on which there was Bluesky", () => {
  // The limits are 2022-01-01 and one day from now, and each text is one ms beyond.
  for (const text of ["3iojbvzms2222", "3n2wt5ad22222"]) {
    const [kind] = readPaste(text, "", "").kinds;
    assert.equal(kind?.title, "TID of Bluesky", text);
  }
  for (const text of ["3iojbvzmr2s22", "3n2wt5ad2zc22", "2222222222222"]) {
    assert.deepEqual(readPaste(text, "", "").kinds, [], text);
  }
});

test("how long after its id a line was written", () => {
  const lags = lagsOf(
    [1, 2, 3, 4],
    new Map([
      [1, 1500],
      [2, 1900],
      [4, 5000],
    ]),
    Float64Array.of(1000, 2000, 3000, NaN),
  );
  assert.deepEqual([...lags], [500, -100, NaN, NaN]);
  assert.deepEqual(lagSummary(lags), { count: 2, least: -100, median: -100, most: 500 });
  assert.equal(lagSummary(Float64Array.of(NaN)), undefined);
  const steps = lagsOverTime(Float64Array.of(1000, 1001, 1999), Float64Array.of(5, 1, 7), 2);
  assert.deepEqual(steps, [
    { ms: 1000, lines: 2, least: 1, median: 1, most: 5 },
    { ms: 1500, lines: 1, least: 7, median: 7, most: 7 },
  ]);
});

test("a CSV of ids, of which one does not fit", () => {
  const columnsOfIds = Layout.preset("twitter").decodeMany([TWEET, 2n ** 63n]);
  assert.equal(
    csvOf(columnsOfIds, [1, 3], undefined).join(""),
    "line,id,date,unix_ms,node,sequence,tag\n" +
      `1,${TWEET},2022-11-18T11:50:20.644Z,1668772220644,378,2,0\n` +
      "3,9223372036854775808,,,,,\n",
  );
  const [header, rows] = csvOf(columnsOfIds, [1, 3], Float64Array.of(56, NaN));
  assert.match(header, /,tag,logged_after_ms\n$/);
  assert.match(rows, /,0,56\n3,/);
});
