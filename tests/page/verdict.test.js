// The page shows how sure it is, in Chromium: a tie, a share, no system at all, ids of other kinds,
// and the date in the forms that people copy.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PASTED } from "./harness/pasted.js";
import { answer, checkAccess, copied, open, paste, stage, texts } from "./harness/stage.js";

const TWEET = "1593572310593806338";
const TIED = "1212161512044122112";

const found = stage();

test("a tie is two tiles with both dates, until one of them is pressed", async () => {
  const page = await open(found, `#${TIED}`);
  assert.equal(
    await page.textContent("#tie-title"),
    "Discord or Twitter: each fits about as well. Which one made it?",
  );
  assert.deepEqual(await texts(page, ".tile .title"), ["Discord", "Twitter"]);
  assert.deepEqual(await texts(page, ".tile .date"), [
    "2024-02-27T22:17:05.343Z",
    "2020-01-01T00:00:00.000Z",
  ]);
  assert.deepEqual(await texts(page, ".tile .when"), [
    "2 years ago · 52 %",
    "6 years ago · 42 % with bwmarrin/snowflake, Meituan Leaf",
  ]);
  for (const hidden of ["#time", "#system"]) assert.ok(await page.isHidden(hidden), hidden);
  assert.match(`${await page.textContent("#cut-as")}`, /as Discord cuts them, until you choose\.$/);

  await page.click('.tile[value="twitter"]');
  assert.equal(await page.textContent("#system"), "Twitter");
  assert.ok(await page.isVisible("#time"));
  assert.equal((await answer(page)).time, "2020-01-01T00:00:00.000Z");
  assert.equal(await page.textContent("#share"), "");
  assert.equal(await page.textContent("#cut-as"), "");
  // The focus and the other tile stay where they were.
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("value")), "twitter");
  assert.equal(await page.getAttribute('.tile[value="twitter"]', "aria-pressed"), "true");
  await page.click('.tile[value="discord"]');
  assert.equal((await answer(page)).time, "2024-02-27T22:17:05.343Z");
  // The tie stays while the layout is edited, but a link with a layout decides it.
  await page.selectOption("#preset", "sonyflake");
  assert.ok(await page.isVisible("#tie"));
  await open(found, "#text=661720242585735168&layout=sonyflake");
  assert.ok(await page.isHidden("#tie"));
});

test("each tile of a tie has the reader's own time beside UTC", async () => {
  const page = await found.newPage({ locale: "en-GB", timezoneId: "Asia/Tokyo" });
  await open({ ...found, page }, `#${TIED}`);
  assert.deepEqual(await texts(page, ".tile .local"), [
    "here Wednesday, 28 February 2024 at 07:17:05 GMT+9",
    "here Wednesday, 1 January 2020 at 09:00:00 GMT+9",
  ]);
});

test("a tie of many is asked once, and its tiles have the dates of the row", async () => {
  const page = await open(found);
  await paste(page, `1212161516238426112\n${TIED}`);
  assert.deepEqual(await texts(page, ".tile .date"), [
    "2024-02-27T22:17:06.343Z",
    "2020-01-01T00:00:01.000Z",
  ]);
  assert.equal(await page.textContent("#which"), "id 1 of 2");
  assert.ok(await page.isVisible("#which"));
  await page.click('.tile[value="twitter"]');
  await page.click("#table-rows tr:nth-child(3) button");
  assert.equal((await answer(page)).time, "2020-01-01T00:00:00.000Z");
});

test("a sure answer carries its share; a linked or chosen system has none", async () => {
  const page = await open(found, `#${TWEET}`);
  assert.equal(await page.textContent("#system"), "Twitter");
  assert.equal(await page.textContent("#share"), "97 % likely");
  assert.ok(await page.isVisible("#share-of"));
  assert.ok(await page.isHidden("#tie"));
  await paste(page, `https://x.com/a/status/${TWEET}`);
  assert.equal(await page.textContent("#share"), "");
  await open(found, `#text=${TWEET}&layout=twitter`);
  assert.equal(await page.textContent("#share"), "");
});

for (const id of ["18446744073709551615", "18446744073709551000", "5"]) {
  test(`no known system fits ${id}, and no year is named`, async () => {
    const page = await open(found, `#${id}`);
    assert.equal(await page.textContent("#system"), "No known system fits");
    for (const hidden of ["#time", "#date", "#tie", "#warnings", "#refusal"]) {
      assert.ok(await page.isHidden(hidden), hidden);
    }
    assert.doesNotMatch(await page.innerText(".made"), /\d{3}/);
    assert.doesNotMatch(await page.innerText("#candidates"), /[+]\d{6}|%/);
    assert.equal(await page.locator('#candidates [aria-pressed="true"]').count(), 0);
    assert.equal(await page.inputValue("#from"), "2026-11-22");
    // The reader may know better, and choose a system.
    await page.click("#more-candidates");
    await page.click('#candidates button[value="mastodon"]');
    assert.equal(await page.textContent("#system"), "Mastodon");
    assert.ok(await page.isVisible("#time"));
  });
}

test("Unix time is a date without fields", async () => {
  const page = await open(found);
  for (const [number, title, time] of [
    ["1668772220", "Unix time in s", "2022-11-18T11:50:20.000Z"],
    ["1668772220644", "Unix time in ms", "2022-11-18T11:50:20.644Z"],
    ["1668772220644000", "Unix time in µs", "2022-11-18T11:50:20.644Z"],
    ["1668772220644000000", "Unix time in ns", "2022-11-18T11:50:20.644Z"],
  ]) {
    await paste(page, number);
    assert.equal(await page.textContent("#system"), title);
    assert.equal(await page.textContent("#time"), time);
    for (const hidden of ["#figures", "#date"]) assert.ok(await page.isHidden(hidden), hidden);
  }
});

test("all of pasted.txt, in the page", async () => {
  const page = await open(found);
  for (const { text, says, id, date, source } of PASTED) {
    await paste(page, text);
    if (id === undefined) {
      assert.ok(await page.isHidden("#answer"), text);
      assert.equal(await page.textContent("#kind-title"), says, text);
      if (date) assert.equal(await page.textContent("#kind-time"), date, `${text}: ${source}`);
      else assert.ok(await page.isHidden("#kind-time"), text);
      continue;
    }
    assert.ok(await page.isHidden("#kind"), text);
    assert.equal(await page.inputValue("#encoding-decimal"), id, text);
    const isShown = (await page.isVisible("#time")) && (await page.textContent("#time")) === date;
    const isTile = (await texts(page, ".tile:visible .date")).includes(`${date}`);
    const candidate = page.locator(`#candidates button[value="${says}"] .when`);
    const isListed = (await candidate.count()) > 0 && `${await candidate.textContent()}`;
    assert.ok(isShown || isTile || `${isListed}`.startsWith(`${date}`), `${text}: ${source}`);
  }
});

test("an id of another kind has its own fields", async () => {
  const page = await open(found);
  await paste(page, "a28cad70-0d73-11ea-aaef-0800200c9a66");
  assert.equal(await page.textContent("#read-as"), "Read as one UUID version 1");
  assert.equal(await page.textContent("#kind-note"), "128 bits, not a snowflake.");
  assert.deepEqual(await texts(page, "#kind-parts tr:nth-child(3) :is(th, td)"), [
    "node",
    "48",
    "08:00:20:0c:9a:66",
    "the MAC address of the machine",
  ]);
  // A range and the roles of fields belong to snowflakes.
  const others = ["#answer", "#candidates-card", "#many", "#text-error", "#range-card", "#roles"];
  for (const hidden of others) {
    assert.ok(await page.isHidden(hidden), hidden);
  }
  await paste(page, "919108f7-52d1-4320-9bac-f847db4148a8");
  assert.equal(await page.textContent("#kind-note"), "128 bits, random: carries no time.");
  assert.ok(await page.isHidden("#kind-made"));
});

test("any one of many ids of another kind", async () => {
  const page = await open(found);
  await paste(
    page,
    "id,name\n01ARYZ6S41TSV4RRFFQ69G5FAV,a\n017F22E2-79B0-7CC3-98C4-DC0C0C07398F,b\n",
  );
  assert.equal(
    await page.textContent("#read-as"),
    "Read as one ULID and one UUID version 7, from CSV (id)",
  );
  assert.equal(await page.textContent("#kind-which"), "id 1 of 2");
  await page.click("#kind-list button:nth-child(2)");
  assert.equal(await page.textContent("#kind-title"), "UUID version 7");
  assert.equal(await page.textContent("#kind-time"), "2022-02-22T19:22:22.000Z");
});

test("13 characters may be a TID or an id in base36, and either can be had", async () => {
  const page = await open(found);
  await paste(page, "3laulgolrfz2f");
  assert.equal(await page.textContent("#kind-title"), "TID of Bluesky");
  await page.click('#other-encodings button[value="base36"]');
  assert.equal(await page.textContent("#read-as"), "Read as one id in base36");
  assert.ok(await page.isHidden("#kind"));
});

test("a date in the forms that people copy", async () => {
  const page = await open(found, `#${TWEET}`);
  const local = await page.evaluate(() =>
    new Date(1_668_772_220_644).toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" }),
  );
  for (const [name, text] of [
    ["ISO", "2022-11-18T11:50:20.644Z"],
    ["local", local],
    ["Unix s", "1668772220"],
    ["Unix ms", "1668772220644"],
    ["<t:…:R>", "<t:1668772220:R>"],
  ]) {
    await page.locator("#copies button", { hasText: name }).first().click();
    assert.equal(await copied(page, ""), text, name);
  }
  await paste(page, "017F22E2-79B0-7CC3-98C4-DC0C0C07398F");
  await page.locator("#kind-copies button", { hasText: "<t:…:R>" }).click();
  assert.equal(await copied(page, ""), "<t:1645557742:R>");
});

test("the other forms for Discord are a menu, with previews", async () => {
  const page = await open(found, `#${TWEET}`);
  const opener = page.locator("#copies").getByRole("button", { name: "Other forms for Discord" });
  const menu = page.locator("#copies .menu");
  assert.ok(await menu.isHidden());
  await opener.press("Enter");
  assert.equal(
    await menu.locator("span").first().textContent(),
    "Friday, November 18, 2022 at 11:50 AM",
  );
  for (const style of ["F", "f", "D", "d", "T", "t"]) {
    const name = `<t:…:${style}>`;
    await menu.locator("button", { has: page.getByText(name, { exact: true }) }).click();
    assert.equal(await copied(page, `${name} for Discord`), `<t:1668772220:${style}>`);
  }
  await checkAccess(page);
  await page.keyboard.press("Escape");
  assert.ok(await menu.isHidden());
});

test("the thing that has the id, if its system numbers few kinds of things", async () => {
  const page = await open(found);
  for (const [text, made] of [
    ["https://discord.com/channels/1/2/175928847299117063", "Message made 10 years ago"],
    ["<@175928847299117063>", "Account made 10 years ago"],
    [TWEET, "Post or account made 4 years ago"],
    ["https://www.tiktok.com/@mrbeast/video/7582653507375746334", "Video made 345 days ago"],
    ["https://www.instagram.com/p/BxO4TgyFlEM/", "Post made 7 years ago"],
    ["6685980502161199104", "Post made 6 years ago"],
  ]) {
    await paste(page, text);
    assert.ok((await page.textContent("#local-time"))?.startsWith(`${made} · here `), text);
  }
  await page.selectOption("#preset", "sonyflake");
  assert.match(`${await page.textContent("#local-time")}`, /^(in )?\d+ years/);
});
