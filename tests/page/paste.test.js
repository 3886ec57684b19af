// Pasted texts, and the page's words about unreadable ones.

import assert from "node:assert/strict";
import { test } from "node:test";
import { format } from "edgeflake";
import { answer, open, paste, stage, texts } from "./harness/stage.js";

const TWITTER_ID = "1541815603606036480";
const TWEET = "1593572310593806338";

const found = stage();

const written = [
  ["decimal", TWITTER_ID],
  ["decimal", ` "${TWITTER_ID}", `],
  ["decimal", `${TWITTER_ID}n`],
  ["decimal", `id: ${TWITTER_ID}`],
  ["decimal", `user_${TWITTER_ID}`],
  ["signed-decimal", `-${TWITTER_ID}`, `${2n ** 64n - BigInt(TWITTER_ID)}`],
  ["hex", `0x${format(TWITTER_ID, "hex")}`],
  ["hex", "0x1565A11F6217A000"],
  ["hex", format(TWITTER_ID, "hex")],
  ["hex", "0b12345678901234", `${0x0b12345678901234n}`],
  ["binary", format(TWITTER_ID, "binary")],
  ["binary", `0b${format(TWITTER_ID, "binary").replace(/^0+/, "")}`],
  ["base32", format(TWITTER_ID, "base32")],
  ["z-base-32", format(TWITTER_ID, "z-base-32")],
  ["base36", format(TWITTER_ID, "base36")],
  ["base58", format(TWITTER_ID, "base58")],
  ["base58-flickr", format(TWITTER_ID, "base58-flickr")],
  ["base62", format(TWITTER_ID, "base62")],
  ["base62", `order_${format(TWITTER_ID, "base62")}`],
  ["base64url", format(TWITTER_ID, "base64url")],
];

test("an id in any encoding, with what people write around it", async () => {
  const page = await open(found);
  for (const [encoding, text, id = TWITTER_ID] of written) {
    await page.fill("#text", text);
    const how = `Read as one id in ${encoding}`;
    if ((await page.textContent("#read-as")) !== how) {
      await page.click(`#other-encodings button[value="${encoding}"]`);
    }
    assert.equal(await page.inputValue("#encoding-decimal"), id, text);
    assert.equal(await page.textContent("#read-as"), how, text);
  }
});

const dates = [
  ["2018-01-15", "2018-01-15T00:00:00.000Z"],
  ["2018-01-15 15:00:39", "2018-01-15T15:00:39.000Z"],
  ["2018-01-15T16:00:39.123+01:00", "2018-01-15T15:00:39.123Z"],
  ["15 Jan 2018 15:00 GMT", "2018-01-15T15:00:00.000Z"],
];

test("a date is the smallest id of its moment", async () => {
  const page = await open(found);
  await page.selectOption("#preset", "twitter");
  for (const [text, time] of dates) {
    await page.fill("#text", text);
    assert.deepEqual(await answer(page), { time, node: "0", sequence: "0" }, text);
    const how = "Read as one date: the smallest id of that moment";
    assert.equal(await page.textContent("#read-as"), how);
  }
});

const refusals = [
  ["", ""],
  ["   \n ", ""],
  ["hello world!", "an id in decimal has h at position 0: 0-9 are allowed"],
  ["[]", "there is no id in it"],
  [
    "18446744073709551616",
    "an id in decimal exceeds its range at position 19: 0 to 2^64 - 1 are allowed",
  ],
  [
    "1.541815603606036e18",
    "1.541815603606036e18 was rounded: its last digits are lost, so copy the id as text",
  ],
  ["\u0000\ud800 %%% 💥", undefined],
  ["<img src=x onerror=alert(1)>", undefined],
];

test("unreadable text is explained until it is readable", async () => {
  const page = await open(found);
  for (const [text, error] of refusals) {
    await page.fill("#text", text ?? "");
    assert.ok(await page.isHidden("#answer"), text);
    const shown = await page.textContent("#text-error");
    if (error === undefined) assert.notEqual(shown, "", text);
    else assert.equal(shown, error, text);
    await page.fill("#text", TWEET);
    assert.ok(await page.isVisible("#answer"));
    assert.equal(await page.textContent("#text-error"), "");
  }
});

test("each line that is no id is named with its reason, markup as text", async () => {
  const page = await open(found);
  const markup = '<img/src=x/onerror="document.title=1">';
  await paste(page, `${TWEET}\n12x4\n${TWITTER_ID}\n${markup}`);
  assert.equal(await page.textContent("#refused-title"), "2 not read");
  const [first, second] = await texts(page, "#refused li");
  assert.equal(first, 'line 2, "12x4": an id in decimal has x at position 2: 0-9 are allowed');
  assert.match(second, /^line 4, "<img\/src/);
  assert.equal(await page.locator("main img").count(), 0);
  assert.equal(await page.locator("#table-rows button").count(), 2);
});

test("a date that the layout does not have is named with its line", async () => {
  const page = await open(found);
  await page.selectOption("#preset", "twitter");
  const before = "2010-11-04T01:42:54.656Z";
  await page.fill("#text", `2010-11-04T01:42:54.657Z\n${before}`);
  assert.equal((await answer(page)).time, "2010-11-04T01:42:54.657Z");
  assert.ok(await page.isHidden("#many"));
  assert.match((await texts(page, "#refused li"))[0], new RegExp(`^line 2, "${before}": `));
  await page.fill("#text", before);
  assert.ok(await page.isHidden("#answer"));
  assert.notEqual(await page.textContent("#text-error"), "");
});

const examples = [
  ["tweet", "Twitter", "2022-11-18T11:50:20.644Z"],
  ["Discord", "Discord", "2016-04-30T11:18:25.796Z"],
  ["Instagram", "Instagram", "2019-05-09T06:55:55.965Z"],
  ["Mastodon in hex", "Mastodon", "2022-09-04T23:22:13.703Z"],
  ["date", "Hazelcast Flake", "2026-01-16T12:00:00.000Z"],
  ["log", "Discord", "2016-04-30T11:18:25.796Z"],
];

test("examples for visitors with nothing to paste", async () => {
  const page = await open(found);
  for (const [name, system, time] of examples) {
    await page.click("#clear");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "text");
    await page.getByRole("button", { name, exact: true }).click();
    assert.equal(await page.textContent("#system"), system);
    assert.equal((await answer(page)).time, time);
  }
});

test("typing or pasting into the input replaces an example, and nothing else", async () => {
  const page = await open(found);
  await page.evaluate((id) => navigator.clipboard.writeText(id), TWITTER_ID);
  await page.click("#text");
  await page.keyboard.press("Control+v");
  assert.equal(await page.inputValue("#text"), TWITTER_ID);
  // An id of the visitor's own is no example, so it is edited.
  await page.click("#text");
  await page.keyboard.press("End");
  await page.keyboard.type("9");
  assert.equal(await page.inputValue("#text"), `${TWITTER_ID}9`);
  await page.getByRole("button", { name: "log", exact: true }).click();
  await page.click("#text");
  await page.keyboard.type(TWEET);
  assert.equal(await page.inputValue("#text"), TWEET);
  // A second click puts the cursor into the example, to edit it.
  await page.getByRole("button", { name: "tweet", exact: true }).click();
  await page.click("#text");
  await page.click("#text");
  await page.keyboard.press("End");
  await page.keyboard.type("?s=20");
  assert.equal(await page.inputValue("#text"), `https://x.com/i/status/${TWEET}?s=20`);
});

/** A unit that is repeated to 10 MB, and the page's words about it, or none if ids are found. */
const huge = [
  ["<b>no id</b> ", "an id in decimal has b at position 0: 0-9 are allowed", 'line 1, "<b>no": '],
  ["[{'\",", "there is no id in it", 'line 1, ",[{\'": '],
  ["\n<", "there is no id in it", 'line 2, "<": '],
  ["1,", ""],
  ["1\t2\n", ""],
  ["9".repeat(1000), "an id in decimal is too long at position 20: at most 20 digits are allowed"],
  ["(", "an id in decimal has ( at position 0: 0-9 are allowed"],
  ['"', 'an id in decimal has " at position 0: 0-9 are allowed'],
  [",", "there is no id in it"],
];

test("10 MB of anything", async () => {
  const page = await open(found);
  for (const [unit, error, refused] of huge) {
    await page.evaluate((repeated) => {
      const clipboardData = new DataTransfer();
      const size = Math.floor(10_000_000 / repeated.length);
      clipboardData.setData("text/plain", repeated.repeat(size));
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
    }, unit);
    assert.match(`${await page.textContent("#long-text-size")}`, /^[\d,]+ lines?, 10 MB$/);
    assert.equal(await page.textContent("#text-error"), error);
    assert.equal(await page.isVisible("#answer"), error === "");
    const [first] = await texts(page, "#refused li");
    assert.equal(first, refused && refused + error);
  }
  await page.click("#clear");
  await page.fill("#text", TWEET);
  assert.equal((await answer(page)).node, "378");
});
