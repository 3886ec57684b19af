// A log, in Chromium: its columns as chips, its times beside those of its ids, and the way out as CSV.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, paste, stage, texts } from "./harness/stage.js";

const found = stage();
const TWEET = 1_593_572_310_593_806_338n;
const USER = 1_541_815_603_606_036_480n;
/** The time of the tweet. */
const TWEET_MS = 1_668_772_220_644;

/**
 * Lines that were each written so much after their order was made.
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
  // The chip that was pressed still has the focus.
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
  const line = `GET /orders/${USER} took 12 ms`;
  await paste(page, `2022-06-28 16:07:41 ${line}\n2022-06-28 16:07:42 ${line}`);
  assert.equal(await page.textContent("#system"), "Twitter");
  assert.equal(await page.textContent("#share"), "its dates match the times of the lines");
  assert.ok(await page.isHidden("#tie"));
  await paste(page, `${line}\n${line}`);
  assert.ok(await page.isVisible("#tie"));
});
