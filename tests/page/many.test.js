// Tests in Chromium how the page shows many ids: their statistics, plots, table and file, the times
// of their lines, and the range for a query.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Layout } from "edgeflake";
import { PublicIds } from "edgeflake/public";
import {
  answer,
  checkAccess,
  chooseSystem,
  copied,
  open,
  paste,
  stage,
  texts,
  unfold,
} from "./harness/stage.js";

/** @import { Page } from "playwright-core" */

const found = stage();
const [twitter, discord] = ["twitter", "discord"].map((name) => Layout.preset(name));
const START_MS = Date.UTC(2024, 0, 1);

/** @param {[ms: number, node: number, sequence: number][]} parts */
function ids(parts) {
  return parts.map(([ms, node, sequence]) =>
    String(twitter?.encode({ timestampMs: START_MS + ms, node, sequence })),
  );
}

const few = ids(
  ["0 1 0", "0 1 1", "0 2 0", "5000 1 0", "4000 2 0", "4000 2 0", "90000 3 0"].map((parts) => {
    const [ms = 0, node = 0, sequence = 0] = parts.split(" ").map(Number);
    return [ms, node, sequence];
  }),
);

/** @param {Page} page @param {string[]} all */
async function pasteIds(page, all) {
  await paste(page, all.join("\n"));
  await page.locator("#many").waitFor();
  await chooseSystem(page, "twitter");
}

/** Returns the texts of a column of the table. @param {Page} page @param {string} name */
async function column(page, name) {
  return texts(page, `#table-rows .${name}-cell`);
}

test("the figures of many ids", async () => {
  const page = await open(found);
  await pasteIds(page, few);
  const shown = ["title", "first", "last", "length", "nodes", "duplicates", "backwards"].map((id) =>
    page.textContent(`#many-${id}`),
  );
  const dates = ["2024-01-01 00:00:00", "2024-01-01 00:01:30", "1 min 30 s"];
  assert.deepEqual(await Promise.all(shown), ["7 ids", ...dates, "3", "1", "1"]);
  assert.match(
    `${await page.getAttribute("#plot", "aria-label")}`,
    /^ids over time, from 2024-01-01T00:00:00.000Z to 2024-01-01T00:01:30.000Z$/,
  );
  assert.equal(await page.locator("#plot canvas").count(), 1);
  await unfold(page, "irregular");
  assert.deepEqual(await texts(page, "#duplicates li"), ["Line 6 repeats line 5"]);
  assert.deepEqual(await texts(page, "#backwards li"), ["Line 5 is smaller than line 4"]);
  await page.click("#duplicates button");
  assert.equal(await page.textContent("#which"), "id 6 of 7");
});

test("until something is pasted, it shows an example with all that it finds", async () => {
  const page = await open(found, "#many");
  assert.match(`${await page.inputValue("#text")}`, /^2026-01-16T12:00:00/);
  const figures = ["title", "nodes", "duplicates", "backwards"].map((id) =>
    page.textContent(`#many-${id}`),
  );
  assert.deepEqual(await Promise.all(figures), ["151 ids", "3", "1", "5"]);
  assert.equal(await page.textContent("#answer #system"), "Discord");
  await page.locator("#parts").getByRole("link", { name: "Decode" }).click();
  assert.match(`${await page.inputValue("#text")}`, /x\.com/);
  await open(found, "#many&text=1");
  await page.getByRole("button", { name: "Try it with a log" }).click();
  await page.locator("#many-title", { hasText: "151 ids" }).waitFor();
});

test("the table sorts both ways, and a row is taken apart", async () => {
  const text = [String(2n ** 63n), ...few].join("\n");
  const page = await open(found, `#${new URLSearchParams({ text, layout: "twitter" })}`);
  await page.locator("#many").waitFor();
  assert.equal(await page.textContent("#many-title"), "8 ids, and 1 do not fit");
  const dates = twitter?.decodeMany(few.map(BigInt)).timestampMs ?? [];
  const sorted = few.toSorted((a, b) => Number(BigInt(a) - BigInt(b)));
  for (const [by, first] of [
    ["id", sorted[0]],
    ["node", few[0]],
    ["date", sorted[0]],
  ]) {
    const header = page.locator(`thead th:has(button[value="${by}"])`);
    await header.locator("button").click();
    assert.equal((await column(page, "id"))[0], first, by);
    assert.equal(await header.getAttribute("aria-sort"), "ascending");
    await header.locator("button").click();
    assert.equal(await header.getAttribute("aria-sort"), "descending");
  }
  // An id that the layout refuses comes last.
  await page.click('thead button[value="date"]');
  assert.equal((await column(page, "date")).at(-1), "no id of this layout");
  await page.locator("#table-rows button", { hasText: few[3] ?? "" }).click();
  const { time, fields } = await answer(page);
  assert.equal(time, new Date(dates[3] ?? 0).toISOString());
  assert.equal(fields.sequence, "0");
  assert.equal(await page.textContent("#which"), "id 5 of 8");
  await page.locator("#strip").press("Space");
  assert.equal(await page.textContent("#changed"), "changed");
});

test("200,000 ids are read beside the page, and only the visible rows exist", async () => {
  const page = await open(found);
  const count = 200_000;
  const all = ids(Array.from({ length: count }, (_, i) => [i * 20, i % 7, i % 3]));
  await paste(page, all.join("\n"));
  await page.locator("#many-title", { hasText: "200,000 ids" }).waitFor();
  assert.equal(await page.getAttribute("#table table", "aria-rowcount"), `${count + 1}`);
  assert.ok((await page.locator("#table-rows tr").count()) < 60);
  await page.locator("#table").evaluate((table) => {
    table.scrollTop = table.scrollHeight;
  });
  await page.getByText(all[count - 1] ?? "", { exact: true }).waitFor();
  assert.ok((await page.locator("#table-rows tr").count()) < 60);
  // The address does not contain the text.
  await page.waitForFunction(() => location.hash === "");
  assert.match(`${await page.textContent("#link-note")}`, /too long for a link/);
});

test("public ids of a long text are decoded beside the page, once it has their key", async () => {
  const key = "k:000102030405060708090a0b0c0d0e0f";
  const orders = new PublicIds({ prefix: "ord", key });
  const all = ids(Array.from({ length: 15_000 }, (_, i) => [i * 20, i % 7, 0]));
  const page = await open(found);
  await paste(page, ["order", ...all.map((id) => orders.format(BigInt(id)))].join("\n"));
  await page.locator("#kind-note").waitFor();
  await page.fill("#public-key", key);
  await page.locator("#many-title", { hasText: "15,000 ids" }).waitFor();
  assert.equal(
    await page.textContent("#read-as"),
    "Read as 15,000 public ids, from a table (order). It is too long for a link",
  );
  assert.equal((await column(page, "id"))[0], all[0]);
  assert.equal(await page.textContent("#many-first"), "2024-01-01 00:00:00");
});

test("the range of two dates, as SQL", async () => {
  const { page } = found;
  for (const [preset, from, until, fromMs, untilMs] of /** @type {const} */ ([
    ["twitter", "2024-01-01", "2024-01-02", START_MS, START_MS + 86_400_000],
    ["twitter", "1704067200000", "1704067200001", START_MS, START_MS + 1],
    ["sonyflake", `${START_MS + 5}`, "2024-01-01T02:00+01:00", START_MS + 5, START_MS + 3_600_000],
  ])) {
    await open(found, `#${new URLSearchParams({ text: "1", layout: preset, from, until })}`);
    await unfold(page, "range");
    const { min, max } = Layout.preset(preset).range(fromMs, untilMs);
    const sql = await copied(page, '[aria-label="Copy SQL"]');
    assert.equal(sql, `SELECT * FROM events WHERE id BETWEEN ${min} AND ${max};`);
  }
  for (const [from, until, refused] of /** @type {const} */ ([
    ["2024-01-02", "2024-01-01", /./],
    ["yesterday", "2024-01-01", /^from "yesterday" is no date/],
  ])) {
    await page.fill("#from", from);
    await page.fill("#until", until);
    assert.match(`${await page.textContent("#range-error")}`, refused);
    assert.equal(await page.locator("#sql").count(), 0);
  }
});

const LINES = 60;
/** One in this many lines is late. */
const LATE = 20;

/**
 * A log of the orders of one minute, by users whose accounts are years old. Three lines are late.
 */
const LOG = Array.from({ length: LINES }, (_, i) => {
  const timestampMs = START_MS + i * 1000;
  const order = twitter?.encode({ timestampMs, node: 3 });
  const user = discord?.encode({
    timestampMs: Date.UTC(2016 + (i % 7), i % 12, 1 + (i % 28)) + i * 7919,
    node: (i * 7) % 30,
    sequence: (i * 13) % 40,
  });
  const lagMs = i % LATE === LATE - 1 ? 4000 + i * 100 : 40;
  const time = new Date(timestampMs + lagMs).toISOString();
  return `${time} INFO api GET /orders/${order} status=200 user=${user} took=12ms`;
}).join("\n");

/** @param {Page} page */
async function pasteLog(page) {
  await paste(page, LOG);
  await page.locator("#many-delay").waitFor();
}

/** @param {Page} page */
async function exported(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export")]);
  assert.equal(download.suggestedFilename(), "ids.csv");
  return (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
}

test("a date in the future is marked", async () => {
  const page = await open(found);
  await pasteIds(
    page,
    ids([
      [0, 1, 0],
      [Date.UTC(2070, 0, 1) - START_MS, 1, 0],
    ]),
  );
  assert.deepEqual(await column(page, "date"), [
    "2024-01-01 00:00:00.000",
    "2070-01-01 00:00:00.000, in the future",
  ]);
});

test("another column has its own system, and lines say how long after their ids they were written", async () => {
  const page = await open(found);
  await pasteLog(page);
  assert.match(`${await page.textContent("#share")}`, /its dates match the times of the lines/);
  assert.equal(
    await page.textContent("#many-delay + .aside"),
    "half of the lines came within about 40 ms of their id",
  );
  await page.click('thead button[value="lag"]');
  await page.click('thead button[value="lag"]');
  assert.deepEqual((await column(page, "row")).slice(0, 3), ["60", "40", "20"]);
  assert.deepEqual((await column(page, "lag")).slice(0, 3), ["9.9 s", "7.9 s", "5.9 s"]);
  await checkAccess(page);
  await chooseSystem(page, "instagram");
  await page.selectOption("#columns", "user id");
  assert.equal(await page.textContent("#answer #system"), "Discord");
  assert.match(`${await page.textContent("#many-first")}`, /^2016-01-01/);
});

test("the plot describes the place below the pointer, and a drag narrows it and the table", async () => {
  const page = await open(found, "", { width: 1440, height: 1200 });
  await pasteLog(page);
  const over = page.locator("#plot .u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  assert.ok(box);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 2, y);
  const words = page.locator("#plot .plot-tip");
  await words.filter({ hasText: "2024-01-01T00:00:" }).waitFor();
  assert.match(`${await words.textContent()}`, /: \d+ ids?$/);
  await page.mouse.down();
  await page.mouse.move(box.x + (box.width * 3) / 4, y, { steps: 6 });
  await page.mouse.up();
  const title = `${await page.textContent("#table-title")}`;
  const shown = Number(/^(\d+) of 60 ids$/.exec(title)?.[1]);
  assert.ok(shown >= 12 && shown <= 18, title);
  assert.match(`${await page.textContent("#rows-words")}`, /^from 2024-01-01T00:00:\S+ to /);
  assert.equal((await exported(page)).length, shown + 1);
  await over.dblclick();
  assert.equal(await page.textContent("#table-title"), "All 60 ids");
});

test("the file keeps the other columns of the CSV", async () => {
  const page = await open(found);
  const [first, second] = few;
  const [name, note] = ['"Doe, Ann"', '"says ""hi""!"'];
  await paste(page, `user,id,note\n${name},${first},${note}\nBob,${second},\n`);
  await page.locator("#many").waitFor();
  const [header, ...rows] = await exported(page);
  assert.match(`${header}`, /^line,id,.*,tag,user,pasted_id,note$/);
  assert.ok(rows[0]?.startsWith(`2,${first},`) && rows[1]?.startsWith(`3,${second},`));
  assert.ok(rows[0]?.endsWith(`,${name},${first},${note}`), rows[0]);
  assert.ok(rows[1]?.endsWith(`,Bob,${second},`), rows[1]);
});

test("if words name several systems, each id has the date of its own", async () => {
  const page = await open(found);
  const [tweet, user] = ["1594690168498692096", "80351110224678912"];
  await paste(page, `the tweet ${tweet} is by the Discord user ${user}`);
  await page.locator("#many-title", { hasText: "2 ids" }).waitFor();
  assert.match(`${await page.textContent("#many .of")}`, /several systems/);
  assert.deepEqual(await column(page, "system"), ["Twitter", "Discord"]);
  const dates = [twitter?.decode(tweet), discord?.decode(user)].map((id) =>
    id?.date.toISOString().replace("T", " ").replace("Z", ""),
  );
  assert.deepEqual(await column(page, "date"), dates);
  const [header, , last] = await exported(page);
  assert.match(`${header} ${last}`, /,tag,system .*,Discord$/);
  await page.click(`#table-rows button:has-text("${user}")`);
  assert.equal((await answer(page)).system, "Discord");
  await chooseSystem(page, "twitter");
  assert.deepEqual(await column(page, "system"), []);
  await page.click("#likeliest");
  assert.deepEqual(await column(page, "system"), ["Twitter", "Discord"]);
});

test("each line that is no id is named with its reason, markup as text", async () => {
  const page = await open(found);
  const markup = '<img/src=x/onerror="document.title=1">';
  await paste(page, `${few[0]}\n12x4\n${few[3]}\n${markup}`);
  await page.click("#not-read > summary");
  assert.match(`${await page.textContent("#not-read > summary")}`, /2 not read/);
  const [first, second] = await texts(page, "#not-read li");
  assert.equal(first, 'line 2, "12x4": an id in decimal has "x" at position 2: 0-9 are allowed');
  assert.match(`${second}`, /^line 4, "<img\/src/);
  assert.equal(await page.locator("main img").count(), 0);
});

test("a text of more than 8,000 characters has no link, and comes from a file", async () => {
  const page = await open(found);
  const all = Array.from({ length: 3000 }, (_, i) => `${BigInt(few[0] ?? 0) + BigInt(i) ** 3n}`);
  const buffer = Buffer.from(all.join("\n"));
  await page.setInputFiles("#file", { name: "ids.txt", mimeType: "text/plain", buffer });
  await page.locator("#many-title", { hasText: "3,000 ids" }).waitFor();
  await page.locator(".share").getByRole("button", { name: "Copy a link" }).click();
  await page
    .locator("#status", { hasText: "this is too long for a link: at most 8,000" })
    .waitFor();
});
