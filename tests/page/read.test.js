// Tests how texts are read and judged, without a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, mock, test } from "node:test";
import { identify, Layout, presets } from "edgeflake";
import { lagsOf } from "../../www/parts/statistics.ts";
import { timeOfLine } from "../../www/read/log.ts";
import { loadCipher } from "../../www/read/public.ts";
import { read } from "../../www/read/read.ts";
import { csvOf, tableOf } from "../../www/read/table.ts";
import { answersOf, verdictOf } from "../../www/verdict.ts";
import { PASTED, VERDICTS } from "./harness/pasted.js";

/** The tests run at 2026-11-22, which decides which dates are plausible. */
const NOW_MS = Date.UTC(2026, 10, 22);

before(() => mock.timers.enable({ apis: ["Date"], now: NOW_MS }));
after(() => mock.timers.reset());

/** @param {string} text @param {{ encoding?: string, column?: string, key?: string }} [wish] */
function readPaste(text, { encoding = "", column = "", key = "" } = {}) {
  return read({ text, encoding, column, key }, NOW_MS);
}

test("there is a row for each preset, and each names its source", () => {
  for (const { text, source } of PASTED) assert.match(source, /\w{3}/, text);
  const found = new Set(PASTED.map(({ says }) => says));
  assert.deepEqual(
    presets().filter((preset) => !found.has(preset)),
    [],
  );
});

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
        date === undefined ? /no time|whether it has a date|left out/ : /not a snowflake|count µs/,
      );
      return;
    }
    assert.deepEqual([...reading.ids].map(String), [id]);
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

for (const { name, text, how, verdict, why } of VERDICTS) {
  test(`the verdict on ${name}`, () => {
    const reading = readPaste(text);
    assert.equal(reading.how, `Read as ${how}`);
    assert.equal(reading.refusedCount, 0);
    const found = verdictOf(reading);
    const named = answersOf(found).map(({ preset }) => preset);
    assert.deepEqual([[found.kind, ...named].join(" "), found.why], [verdict, why]);
    assert.ok(presets().includes(found.layout));
  });
}

const [A, B, C] = ["80351110224678912", "175928847299117063", "197038439483310086"];
const UUID = "017F22E2-79B0-7CC3-98C4-DC0C0C07398F";

/** Each row has a text, and its columns with ids, except for the column "all ids". */
const columns = [
  [`[{"id":${A},"user":{"id":${B}}}]`, "id, user.id"],
  [`{"data":{"items":[{"id":${A}}]},"guild":{"owner_id":${B}}}`, "data.items.id, guild.owner_id"],
  [
    `INSERT INTO a.users (id, name, team_id) VALUES (${A}, 'x', ${B});\nINSERT INTO posts (id) VALUES (${C});`,
    "users.id, users.team_id, posts.id",
  ],
  [
    `Error: order ${A} lost\n at x (a.js:1) user=${B}\n by request ${UUID}`,
    "order id, user id, request id",
  ],
  [`id;name;created\n${A};ann;2020-01-01\n${B};bob;2020-01-02`, "id"],
  [`order_id=${A} and userId=${B} ok`, "order id, user id"],
  [`parent=${A} parent=${B} a\nparent=${A} b`, "parent id, parent id 2"],
  [`took /users/${A}/posts/${B} away`, "user id, post id"],
  [`seen at /status/${A} by ord_${B}`, "status id, ord id"],
  [`a "userId": "${A}", b #${B} c`, "user id, b id"],
  [`(${A}) was before (${B}) it says`, "id, before id"],
  [`trace=${UUID.toLowerCase()} a user=0x01830acfcb477a67 b`, "trace id, user id"],
  // Only the last number is an id. The others are too short, too long or a time, or have a
  // fraction.
  [`a 12345678901234 b 123456789012345678901 c 1668772220644000.5 d=${A}`, "d id"],
  [`[1234] app: order ${A} came`, "order id"],
  [`ts=1668772220644000000 order=${A} ok`, "order id"],
];

for (const [text = "", names] of columns) {
  test(`the columns with ids of: ${text.slice(0, 60)}`, () => {
    const found = readPaste(text).columns.map(({ name }) => name);
    assert.equal(found.filter((name) => name !== "all ids").join(", "), names);
  });
}

const SHA1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
const others = [
  ["cus_NffrFeUfNV2Hib", "customer id of Stripe", "cus_NffrFeUfNV2Hib"],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N", "JSON Web Token", "eyJhbGc …"],
  ["sk_live_abcdefghijklmnop1234", "API key of Stripe", "sk_live_ …"],
  ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "access token of GitHub", "ghp_ …"],
  [SHA1, "SHA-1 hash, such as a commit of Git", SHA1],
  ["ann@example.com", "email address", "ann@example.com"],
  ["192.168.100.200", "IP address", "192.168.100.200"],
];

for (const [text = "", title, shown] of others) {
  test(`what is no id is named: ${title}`, () => {
    const { kinds, ids, how } = readPaste(text);
    assert.equal(how, `Read as one ${title}`);
    const found = kinds.map((kind) => [kind.title, kind.text]);
    assert.deepEqual(found, [[title, shown]]);
    assert.equal(ids.length, 0);
  });
}

const KEY = "k:000102030405060708090a0b0c0d0e0f";
const [OPAQUE, SECOND_OPAQUE, PLAIN] = [
  "ord_kJYnezlDLK7oQV",
  "ord_kLFEgvJqlode6U",
  "ord_1ptWyK4WgZU",
];
const LOCKED = "public id of edgeflake";
const WRONG = "the id has wrong check digits: it was mistyped or guessed, or needs another key";

/**
 * Each row has a text with public ids, how it is read without the key and with it, and why an id is
 * refused.
 *
 * @type {[text: string, how: string, withKey?: string, refusal?: string][]}
 */
const publicIds = [
  [PLAIN, "one id in base62, from a public id of edgeflake without a key"],
  [`"${OPAQUE}",`, `one ${LOCKED}`, "one public id"],
  [`https://shop.example/orders/${OPAQUE}`, `one ${LOCKED}`, "one public id"],
  ["cus_kJIuhML6Nmy7", `one ${LOCKED}`, "one public id"],
  [
    `id,name\n${OPAQUE},ann\n${SECOND_OPAQUE},bob`,
    `2 × ${LOCKED}, from CSV (id)`,
    "2 public ids, from CSV (id)",
  ],
  [
    `{"order":"${OPAQUE}","n":1}\n{"order":"${SECOND_OPAQUE}","n":2}`,
    `2 × ${LOCKED}, from JSON (order)`,
    "2 public ids, from JSON (order)",
  ],
  [
    `2026-01-01T00:00:00Z GET /orders/${OPAQUE} 200\n2026-01-01T00:00:01Z GET /health 200`,
    `one ${LOCKED}, from a log (order id)`,
    "one public id, from a log (order id)",
  ],
  ["ord_kJYnezlDLK7oQ0", `one ${LOCKED}`, "", WRONG],
  [
    "ord_xJYnezlDLK7oQV",
    `one ${LOCKED}`,
    "",
    "the id needs key x, which is not given: add it as the second key",
  ],
  [`${OPAQUE}\nord_k6DNSDXPVJWKSP`, `2 × ${LOCKED}`, "one public id", WRONG],
  ["img_20240101ABCD", "one id in hex"],
  // This text is as long, but its number is larger than 2^64 - 1.
  ["cus_kzzzzzzzzzzzQV", "one customer id of Stripe"],
];

for (const [text, how, withKey, refusal] of publicIds) {
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

/**
 * Each row has a text with two ids, how it is read, and the lines of the ids.
 *
 * @type {[text: string, how: string, lines: number[]][]}
 */
const lists = [
  [`${TWEET}\n${SECOND}\n`, "2 ids in decimal", [1, 2]],
  [`${TWEET}, ${SECOND}`, "2 ids in decimal", [1, 1]],
  [`please look at ids ${TWEET} and ${SECOND}`, "2 ids in decimal", [1, 1]],
  [
    `a,user_id\n"Ann, B",${TWEET}\nBob,"${SECOND}"\n`,
    "2 ids in decimal, from CSV (user_id)",
    [2, 3],
  ],
  [`id\tname\n${TWEET}\tAnn\n${SECOND}\tBob`, "2 ids in decimal, from CSV (id)", [2, 3]],
  [`id,parent_id\n${TWEET},1\n${SECOND},2\n`, "2 ids in decimal, from CSV (id)", [2, 3]],
  // Numbers in JSON are not rounded.
  [
    `[{"n": "A 1", "id": ${TWEET}},\n {"id": "${SECOND}"}]`,
    "2 ids in decimal, from JSON (id)",
    [1, 2],
  ],
  [`{"id":"${TWEET}"}\n{"id":"${SECOND}"}`, "2 ids in decimal, from JSON (id)", [1, 2]],
  [`${TWEET}\n0x1565a11f6217a000`, "one id in decimal and one id in hex", [1, 2]],
];

for (const [text, how, lines] of lists) {
  test(`two ids: ${text}`, () => {
    const reading = readPaste(text);
    assert.equal(reading.how, `Read as ${how}`);
    assert.deepEqual([[...reading.ids], [...reading.lines]], [[TWEET, SECOND], lines]);
  });
}

test("of two columns, the other one", () => {
  const { ids } = readPaste(`id,parent_id\n${TWEET},1\n${SECOND},2\n`, { column: "parent_id" });
  assert.deepEqual([...ids], [1n, 2n]);
});

test("published texts, each in its alphabet", () => {
  const vectors = readFileSync(new URL("../vectors.json", import.meta.url), "utf8");
  for (const { id, alphabet, text } of JSON.parse(vectors).encodings) {
    const name = /z-base-32|base58|base32/.exec(alphabet)?.[0];
    const encoding = /lowercase first/.test(alphabet) ? `${name}-flickr` : `${name}`;
    const reading = readPaste(text, { encoding });
    assert.deepEqual([reading.encoding, ...reading.ids], [encoding, BigInt(id)], text);
  }
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
  // The allowed dates go from 2022-01-01 to one day from now. Each of these ids is 1 ms outside.
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
  assert.deepEqual({ ...found, lags: [] }, { lags: [], count: 2, least: 56, median: 56, most: 56 });
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
