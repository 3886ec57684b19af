// A log in Chromium: its columns are chips, and its times stand beside those of its ids. It is
// narrowed to a column with a layout of its own, to late lines, or to a stretch of time, and saved
// as CSV.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Layout } from "edgeflake";
import { checkAccess, drag, open, paste, stage, texts } from "./harness/stage.js";

const found = stage();
const TWEET = 1_593_572_310_593_806_338n;
const USER = 1_541_815_603_606_036_480n;
/** The time of the tweet. */
const TWEET_MS = 1_668_772_220_644;

/**
 * Makes lines that were each written about `lagMs` after their order.
 *
 * @param {number} lines
 * @param {number} lagMs
 */
function log(lines, lagMs) {
  return Array.from({ length: lines }, (_, i) => {
    const time = new Date(TWEET_MS + i * 1000 + lagMs + (i % 3) * 10).toISOString();
    const order = TWEET + BigInt(i) * 1000n * 4_194_304n;
    return `${time} INFO api GET /orders/${order} status=200 user=${USER + BigInt(i)} took=12ms`;
  }).join("\n");
}

test("a log of 10 MB stays usable, with a chip for each column, and never 200", async () => {
  const page = await open(found);
  const text = log(90_000, 200);
  assert.ok(text.length > 9_000_000);
  await paste(page, text);
  assert.equal(
    await page.textContent("#read-as"),
    "Read as 90,000 ids in decimal, from a log (order id)",
  );
  const chips = ["order id 90,000", "user id 90,000", "time 90,000"];
  assert.deepEqual(await texts(page, "#columns button"), chips);
  assert.equal(await page.textContent("#many-title"), "90,000 ids");
  assert.equal(await page.textContent("#system"), "Twitter");
  assert.equal(await page.textContent("#many-first"), "2022-11-18T11:50:20.644Z");
  assert.ok(await page.isHidden("#refused-part"));

  await page.click('#columns button[value="user id"]');
  assert.equal(await page.inputValue("#encoding-decimal"), `${USER}`);
  assert.equal(await page.getAttribute('#columns button[value="user id"]', "aria-pressed"), "true");
  // The pressed chip still has the focus.
  const focused = await page.evaluate(() => document.activeElement?.getAttribute("value"));
  assert.equal(focused, "user id");
  await page.click("#table-rows tr:nth-child(4) button");
  assert.equal(await page.textContent("#which"), "id 3 of 90,000");
  await page.click("#clear");
  assert.ok(await page.isHidden("#many"));
});

test("the times of the lines are compared with those of the ids", async () => {
  const page = await open(found);
  await paste(page, log(30, 200));
  assert.equal(
    await page.textContent("#lag-words"),
    "30 lines have times of their own. From the time of the id to that of its line: 200 ms at least, 210 ms in the median, 220 ms at most.",
  );
  assert.equal(await page.locator("#lag-plot canvas").count(), 1);
  assert.deepEqual((await texts(page, "#table-rows .lag-cell")).slice(0, 3), [
    "200 ms",
    "210 ms",
    "220 ms",
  ]);
  await page.click('thead button[value="lag"]');
  assert.equal((await texts(page, "#table-rows .lag-cell"))[1], "200 ms");

  await paste(page, log(3, -3_600_000));
  assert.match(`${await page.textContent("#lag-words")}`, /^3 lines .* −59 min 59 s in the median/);
  assert.equal((await texts(page, "#table-rows .lag-cell"))[0], "−1 h");

  // Ids alone have no other time.
  await paste(page, `${TWEET}\n${TWEET + 1n}`);
  assert.ok(await page.isHidden("#lag"));
  assert.ok(await page.isHidden(".lag-cell"));
});

test("the times of the lines settle a tie", async () => {
  const page = await open(found);
  // Of 2020-01-01 in Twitter, and of 2024-02-27 in Discord.
  const line = "GET /orders/1212161512044122112 took 12 ms";
  await paste(page, `2020-01-01 00:00:01 ${line}\n2020-01-01 00:00:02 ${line}`);
  assert.equal(await page.textContent("#system"), "Twitter");
  assert.equal(await page.textContent("#share"), "its dates match the times of the lines");
  assert.ok(await page.isHidden("#tie"));
  await paste(page, `${line}\n${line}`);
  assert.ok(await page.isVisible("#tie"));
});

const START_MS = Date.UTC(2026, 0, 1);
const LINES = 60;
/** One line in this many is late. */
const LATE = 20;

const [twitter, discord] = ["twitter", "discord"].map((name) => Layout.preset(name));

/** Orders of today, by users whose accounts are years old. Three lines are late. */
const LOG = Array.from({ length: LINES }, (_, i) => {
  const timestampMs = START_MS + i * 1000;
  const order = twitter.encode({ timestampMs, node: 3 });
  const user = discord.encode({
    timestampMs: Date.UTC(2016 + (i % 9), i % 12, 1 + (i % 28)) + i * 7919,
    node: (i * 7) % 30,
    sequence: (i * 13) % 40,
  });
  const lagMs = i % LATE === LATE - 1 ? 4000 + i * 100 : 40;
  const time = new Date(timestampMs + lagMs).toISOString();
  return `${time} INFO api GET /orders/${order} status=200 user=${user} took=12ms`;
}).join("\n");

/** @param {import("playwright-core").Page} page */
async function exported(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export")]);
  assert.equal(download.suggestedFilename(), "ids.csv");
  return (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
}

/** @param {import("playwright-core").Page} page */
async function pressed(page) {
  return page.locator('#systems [aria-pressed="true"]').getAttribute("value");
}

test("a chosen layout belongs to its column, and Discord is offered for users", async () => {
  const page = await open(found);
  await paste(page, LOG);
  assert.match(
    (await texts(page, '#systems [aria-pressed="true"]'))[0],
    /, by the times of the lines$/,
  );
  const ofOrders = await pressed(page);
  await page.click('#systems button[value="instagram"]');
  await page.click('#columns button[value="user id"]');
  // The guess for the users stands above their figures, with its share.
  const guess = await page.inputValue("#preset");
  assert.notEqual(guess, "instagram");
  assert.match((await texts(page, '#systems [aria-pressed="true"]'))[0], / \d+ %$/);
  assert.ok(await page.isVisible('#systems button[value="discord"]'));
  await page.click('#systems button[value="discord"]');
  assert.equal(await page.textContent("#system"), "Discord");
  assert.match(`${await page.textContent("#many-first")}`, /^2016-01-01T/);
  await page.click('#columns button[value="order id"]');
  assert.equal(await page.inputValue("#preset"), "instagram");
  await page.click('#columns button[value="user id"]');
  assert.equal(await pressed(page), "discord");
  // Another text has other columns, even if their names are the same.
  await paste(page, LOG.replaceAll("took=12ms", ""));
  assert.equal(await pressed(page), ofOrders);
  await page.click('#columns button[value="user id"]');
  assert.equal(await page.inputValue("#preset"), guess);
});

test("late lines are counted, listed, and shown alone", async () => {
  const page = await open(found);
  await paste(page, LOG);
  assert.equal(await page.inputValue("#late-ms"), "1000");
  assert.equal(await page.textContent("#late-count"), "3 lines");
  assert.deepEqual(await texts(page, "#late li"), [
    "Line 60 9.9 s",
    "Line 40 7.9 s",
    "Line 20 5.9 s",
  ]);
  await page.click("#late-only");
  assert.equal(await page.textContent("#table-title"), "3 of 60 ids");
  assert.equal(await page.textContent("#rows-words"), "more than 1 s late");
  const lines = "#table-rows tr:not(.spacer) td:first-child";
  assert.deepEqual(await texts(page, lines), ["20", "40", "60"]);
  await page.fill("#late-ms", "6000");
  assert.deepEqual(await texts(page, lines), ["40", "60"]);
  await page.locator("#late button").first().click();
  assert.equal(await page.textContent("#which"), "id 60 of 60");
  assert.deepEqual(await texts(page, lines), ["40", "60"]);
  await checkAccess(page);
  await page.click("#all-rows");
  assert.equal(await page.textContent("#table-title"), "All 60 ids");
  assert.ok(await page.isHidden("#all-rows"));
});

test("the CSV has the rows that are shown, and one column if that is chosen", async () => {
  const page = await open(found);
  await paste(page, LOG);
  assert.equal((await exported(page)).length, LINES + 1);
  await page.click("#late-only");
  const rows = await exported(page);
  assert.deepEqual(
    rows.map((row) => row.split(",").at(-1)),
    ["logged_after_ms", "5900", "7900", "9900"],
  );
  await page.selectOption("#export-columns", "id");
  const late = [19, 39, 59].map((i) =>
    String(twitter.encode({ timestampMs: START_MS + i * 1000, node: 3 })),
  );
  assert.deepEqual(await exported(page), ["id", ...late]);
});

for (const plot of ["#plot", "#lag-plot"]) {
  test(`${plot} describes the place below the pointer, and a drag narrows to a time range`, async () => {
    const page = await open(found, "", { width: 1440, height: 1200 });
    await paste(page, LOG);
    const over = page.locator(`${plot} .u-over`);
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    assert.ok(box);
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width / 2, y);
    const words = page.locator(`${plot} .plot-tip`);
    await words.filter({ hasText: "2026-01-01T00:00:" }).waitFor();
    const said = plot === "#plot" ? /: \d+ ids?$/ : /: 40 ms$|in the median$/;
    assert.match(`${await words.textContent()}`, said);
    await drag(page, { x: box.x + (box.width * 3) / 4, y });
    const title = `${await page.textContent("#table-title")}`;
    const shown = Number(/^(\d+) of 60 ids$/.exec(title)?.[1]);
    assert.ok(shown >= 12 && shown <= 18, title);
    assert.match(`${await page.textContent("#rows-words")}`, /^from 2026-01-01T00:00:\S+ to /);
    const dates = await texts(page, "#table-rows tr:not(.spacer) td:nth-child(3)");
    assert.ok(dates[0] >= "2026-01-01T00:00:27" && dates[0] <= "2026-01-01T00:00:33", dates[0]);
    assert.equal((await exported(page)).length, shown + 1);
    await over.dblclick();
    assert.equal(await page.textContent("#table-title"), "All 60 ids");
  });
}
