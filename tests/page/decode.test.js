// Tests in Chromium how the page shows one id: the answer, the bits, the texts, and the messages
// about texts that cannot be read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { format, identify, Layout } from "edgeflake";
import { ENCODINGS } from "../../www/read/cells.ts";
import {
  answer,
  checkLooks,
  chooseSystem,
  copied,
  NOW_MS,
  open,
  paste,
  stage,
  texts,
  unfold,
} from "./harness/stage.js";

const found = stage();
const TWITTER_ID = "1541815603606036480";
const TWEET = "1593572310593806338";
const TIED = "1212161512044122112";

test("it opens with an example", async () => {
  const page = await open(found);
  assert.deepEqual(await answer(page), {
    system: "Twitter",
    time: "2022-11-18T11:50:20.644Z",
    fields: {
      unused: "0",
      timestamp: "379937245987",
      datacenter: "11",
      worker: "26",
      sequence: "2",
    },
  });
  assert.equal(await page.textContent("#share"), "because this is a link to Twitter");
  assert.match(`${await page.textContent("#local-time")}`, /^Post made 4 years ago/);
  assert.equal(await copied(page, '#answer [aria-label="Copy date"]'), "2022-11-18T11:50:20.644Z");
});

const UUID = "017F22E2-79B0-7CC3-98C4-DC0C0C07398F";

/**
 * Each row has a pasted text, the heading of the answer, the words beside it, and the first system
 * of the ranking.
 *
 * @type {[name: string, text: string, system: string, share: string, first?: string][]}
 */
const verdicts = [
  ["one id", TWITTER_ID, "Twitter", "9\\d % likely; or bwmarrin.*, with the same date", "Twitter"],
  ["a tie", TIED, "Discord or Twitter\\?", "Each fits about as well.*", "Discord"],
  ["nothing known", "18446744073709551615", "No known system fits", ""],
  ["a small negative number", "-5", "Probably no id", ""],
  ["words", "hello ∑ nonsense", "Probably no id", ""],
  ["Unix time", "1668772220644", "Unix time in ms", "(?:> )?\\d+ % likely", "Unix time in ms"],
];

for (const [name, text, system, share, first] of verdicts) {
  test(`each place shows the same verdict on ${name}`, async () => {
    const page = await open(found);
    await paste(page, text);
    assert.match(`${await page.textContent("#answer #system")}`, new RegExp(`^${system}$`));
    assert.match(`${await page.textContent("#answer #share")}`.trim(), new RegExp(`^${share}$`));
    await unfold(page, "systems");
    if (first) assert.equal((await texts(page, "#candidates button"))[0], first);
    const [percent] = /\d+ %/.exec(`${await page.textContent("#share")}`) ?? [];
    if (percent) assert.ok((await texts(page, "#candidates .part"))[0]?.endsWith(percent));
    const pressed = await texts(page, '#candidates [aria-pressed="true"]');
    const isNone = share === "" || name === "Unix time";
    assert.deepEqual(pressed.slice(0, 1), isNone ? pressed.slice(0, 1) : [first]);
    if (share === "") {
      assert.equal(await page.locator("#answer #time").count(), 0);
      assert.doesNotMatch(await page.innerText("#candidates"), /[+]\d{6}/);
      assert.equal(await page.isVisible("#strip"), name === "nothing known");
    }
  });
}

test("a tie is tiles with both dates, until one of them is pressed", async () => {
  const page = await found.newPage({ locale: "en-GB", timezoneId: "Asia/Tokyo" });
  await open({ ...found, page }, `#${TIED}`);
  assert.deepEqual(await texts(page, ".tile .date"), [
    "2024-02-27 22:17:05.343 UTC",
    "2020-01-01 00:00:00.000 UTC",
  ]);
  assert.match(
    (await texts(page, ".tile"))[0] ?? "",
    /your time: Wednesday, 28 February 2024 at 07:17/,
  );
  await page.click('.tile[value="twitter"]');
  assert.equal((await answer(page)).time, "2020-01-01T00:00:00.000Z");
  assert.equal(await page.textContent("#share"), "as chosen");
  await page.goBack();
  await page.locator("#tie").waitFor();
});

test("candidates have dates and reasons, and one click chooses them", async () => {
  const page = await open(found, `#${TWEET}`);
  await unfold(page, "systems");
  const expected = identify(TWEET, { nowMs: NOW_MS });
  const titles = Array.from(expected, ({ title }) => title);
  assert.deepEqual((await texts(page, "#candidates button")).toSorted(), titles.toSorted());
  // Twitter and two more systems give the same date, so the page shows them as one candidate.
  const [twitter, , , other] = expected;
  assert.deepEqual((await texts(page, "#candidates .reasons")).slice(0, 2), [
    twitter?.reasons,
    other?.reasons,
  ]);
  for (const { preset, title, date } of expected.slice(0, 4)) {
    await page.click(`#candidates button[value="${preset}"]`);
    const { system, time } = await answer(page);
    assert.deepEqual([system, time], [title, date.toISOString()]);
  }
  await page.click("#more-candidates");
  assert.equal(await page.locator("#candidates button:visible").count(), expected.length);
  await page.click("#likeliest");
  assert.equal((await answer(page)).system, expected[0]?.title);
});

test("a bit is chosen by mouse or keys, flips by keys, and its field is named", async () => {
  const page = await open(found, `#text=${TWITTER_ID}&layout=twitter`);
  assert.equal((await texts(page, "#strip .cell")).join(""), format(TWITTER_ID, "binary"));
  const last = page.locator("#strip .cell").nth(63);
  await last.hover({ force: true });
  const detail = page.locator("#strip-detail");
  const words = "sequence, 12 bits: 0, its place among the 4,096 of its millisecond";
  assert.equal(await detail.textContent(), words);
  assert.match(`${await page.locator("#fields .lit").textContent()}`, /^sequence/);
  await last.click({ force: true });
  assert.equal(await page.locator("#changed").count(), 0);
  await page.keyboard.press("Space");
  assert.equal((await answer(page)).fields.sequence, "1");
  assert.equal(await page.textContent("#id"), `${BigInt(TWITTER_ID) + 1n}`);
  assert.equal(await page.textContent("#changed"), "changed");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Space");
  assert.equal((await answer(page)).fields.sequence, "3");
  await page.keyboard.press("Home");
  assert.match(`${await detail.textContent()}`, /^unused, 1 bit: 0, always 0/);
  await page.keyboard.press("Enter");
  assert.match(
    `${await page.textContent("#refusal")}`,
    /^This is no id of the layout: the layout does not use bits 0x8/,
  );
  assert.match(`${await detail.textContent()}`, /must be 0 in this layout/);
  await page.locator("#strip").blur();
  assert.equal(await detail.textContent(), "");
});

for (const width of [390, 800, 1440]) {
  test(`at ${width} px the strip has rows for keys, and stays in its place`, async () => {
    const page = await open(found, `#text=${TWITTER_ID}&layout=twitter`, { width });
    const cells = page.locator("#strip .cell");
    const columns = { 390: 16, 800: 32, 1440: 64 }[width] ?? 0;
    await page.focus("#strip");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    const at = Math.min(63, columns);
    assert.equal(await page.getAttribute("#strip", "aria-activedescendant"), `bit-${63 - at}`);
    const top = async () => (await page.locator("#strip").boundingBox())?.y;
    const before = await top();
    for (const bit of [1, 5, 63]) {
      const { x = 0, y = 0 } = (await cells.nth(bit).boundingBox()) ?? {};
      await page.mouse.click(x + 5, y + 5);
      assert.equal(await page.getAttribute("#strip", "aria-activedescendant"), `bit-${63 - bit}`);
      await page.keyboard.press("Space");
      assert.equal(await top(), before);
    }
  });
}

const OTHER_ID = BigInt(TWITTER_ID) + 4194304n + 2n;
const edits = [
  ["UTC", "2022-06-28T16:07:40.106Z", BigInt(TWITTER_ID) + 4194304n],
  ["hex", `0x${format(OTHER_ID, "hex")}`, OTHER_ID],
  ...ENCODINGS.map((encoding) => [encoding, format(OTHER_ID, encoding), OTHER_ID]),
];

test("an edit of any text changes all others, and is copied", async () => {
  const page = await open(found, `#text=${TWITTER_ID}&layout=twitter`);
  await unfold(page, "texts");
  await page.locator("#texts details > summary").click();
  for (const [label, value, id] of /** @type {[string, string, bigint][]} */ (edits)) {
    await page.getByLabel(label, { exact: true }).fill(value);
    const { date } = Layout.preset("twitter").decode(id);
    assert.equal((await answer(page)).time, date.toISOString(), label);
    assert.equal((await texts(page, "#strip .cell")).join(""), format(id, "binary"));
    assert.equal(await page.textContent("#id"), `${id}`);
    await page.getByLabel("decimal", { exact: true }).fill(TWITTER_ID);
  }
  const base62 = await copied(page, '[aria-label="Copy base62"]');
  assert.equal(base62, format(TWITTER_ID, "base62"));
  const hex = page.getByLabel("hex", { exact: true });
  await hex.fill("0x1g");
  const error = page.locator("#encoding-hex-error");
  assert.match(`${await error.textContent()}`, /^an id in hex has "g" at position 1/);
  await hex.blur();
  assert.equal(await hex.inputValue(), format(TWITTER_ID, "hex"));
});

test("a node of two fields says of which", async () => {
  const page = await open(found, "#text=1461691455897731072&layout=discord");
  const { fields } = await answer(page);
  assert.deepEqual([fields.worker, fields.process], ["1", "0"]);
  const said = await texts(page, "#fields .node .meaning");
  assert.deepEqual(said, ["with process: node 32", "with worker: node 32"]);
});

test("a warning, in plain words", async () => {
  const page = await open(found, "#text=1541815603606036000&layout=twitter");
  assert.match((await texts(page, "#warnings li")).join(), /JavaScript may have rounded/);
});

test("ids of other kinds are listed by kind", async () => {
  const page = await open(found);
  await paste(page, "a28cad70-0d73-11ea-aaef-0800200c9a66");
  assert.equal(await page.textContent("#kind-note"), "128 bits, not a snowflake.");
  await paste(page, UUID);
  assert.deepEqual(await texts(page, "#kind .name"), [
    "time 48 bits",
    "version 4 bits",
    "random 12 bits",
    "variant 2 bits",
    "random 62 bits",
  ]);
  const values = ["1645557742000", "7", "0xcc3", "2", "0x18c4dc0c0c07398f"];
  assert.deepEqual(await texts(page, "#kind .value"), values);
  const digits = (await texts(page, "#kind .cell")).join("");
  assert.equal(BigInt(`0b${digits}`), BigInt(`0x${UUID.replaceAll("-", "")}`));
  await paste(page, `id,name\n01ARYZ6S41TSV4RRFFQ69G5FAV,a\n${UUID},b\n${UUID},c\n`);
  assert.equal(await page.textContent("#kind-which"), "id 1 of 3");
  assert.deepEqual(await texts(page, "#kind h3"), ["ULID · 1 id", "UUID version 7 · 2 ids"]);
  await page.locator(".kind-row", { hasText: "2022" }).first().click();
  assert.equal(await page.textContent("#kind-title"), "UUID version 7");
  await paste(page, "sk_live_abcdefghijklmnop1234");
  assert.equal(await page.textContent("#kind-title"), "API key of Stripe");
  assert.match(await page.innerText("#kind"), /sk_live_ …/);
});

test("a public id says whose it is, and is decoded by a key, which no link and no storage has", async () => {
  const key = "k:000102030405060708090a0b0c0d0e0f";
  const page = await open(found);
  await paste(page, `ord_${format(TWITTER_ID, "base62")}`);
  const plain = "Read as one id in base62, from a public id of edgeflake without a key";
  assert.equal(await page.textContent("#read-as"), plain);
  assert.equal(await page.textContent("#id"), TWITTER_ID);
  await paste(page, "ord_kJYnezlDLK7oQV");
  assert.equal(await page.textContent("#kind-title"), "public id of edgeflake");
  const opaque = 'opaque: without key "k" it shows neither its time nor its node.';
  assert.equal(await page.textContent("#kind-note"), opaque);
  assert.equal(await page.locator("#answer").count(), 0);
  await page.fill("#public-key", key.slice(0, -1));
  await page.locator("#public-error:not(:empty)").waitFor();
  assert.match(`${await page.textContent("#public-error")}`, /^key k is not 16 bytes in hex/);
  await page.fill("#public-key", key);
  await page.locator("#answer").waitFor();
  assert.equal(await page.textContent("#read-as"), "Read as one public id");
  assert.equal(await page.textContent("#public-error"), "");
  assert.deepEqual(await answer(page).then(({ system, time }) => [system, time]), [
    "Twitter",
    "2022-06-28T16:07:40.105Z",
  ]);
  await checkLooks(page, "public-decoded");
  const stored = await page.evaluate(() =>
    JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }]),
  );
  const link = await copied(page, ".share button");
  for (const text of [stored, link]) {
    assert.match(text, /#ord_kJYnezlDLK7oQV/);
    assert.ok(!text.includes(key.slice(2)));
  }
  // After the page is loaded again, it has no key.
  await page.reload();
  await page.locator("#kind").waitFor();
  assert.equal(await page.inputValue("#public-key"), "");
});

test("an id in another encoding, which is chosen", async () => {
  const page = await open(found);
  await page.fill("#text", format(TWITTER_ID, "base58-flickr"));
  await page.click('#other-encodings [aria-label="Read it as base58-flickr"]');
  assert.equal(await page.textContent("#id"), TWITTER_ID);
  assert.equal(await page.textContent("#read-as"), "Read as one id in base58-flickr");
});

test("a date is the smallest id of its moment", async () => {
  const page = await open(found, `#text=${TWEET}&layout=twitter`);
  for (const [text, time] of [
    ["2018-01-15", "2018-01-15T00:00:00.000Z"],
    ["2018-01-15T16:00:39.123+01:00", "2018-01-15T15:00:39.123Z"],
    ["15 Jan 2018 15:00 GMT", "2018-01-15T15:00:00.000Z"],
  ]) {
    await page.fill("#text", `${text}`);
    const { time: shown, fields } = await answer(page);
    assert.deepEqual([shown, fields.worker, fields.sequence], [time, "0", "0"], text);
    const how = "Read as one date: the smallest id of that moment";
    assert.equal(await page.textContent("#read-as"), how);
  }
  await page.fill("#text", "2010-11-04T01:42:54.656Z");
  assert.equal(await page.locator("#answer").count(), 0);
  assert.notEqual(await page.textContent("#text-error"), "");
});

const NO_ID = "there is no id in it: paste one, or press an example";

/** Each row has a text, and the beginning of the message about it. */
const refusals = [
  ["   \n ", ""],
  ["hello world!", NO_ID],
  ["18446744073709551616", "this number is too large: the largest id is 18446744073709551615"],
  ["2".repeat(25), "this number has 25 digits: an id has at most 20"],
  ["1.541815603606036e18", "1.541815603606036e18 was rounded: its last digits are lost, "],
  ["\u0000\ud800 %%% 💥", NO_ID],
  ["<img src=x onerror=alert(1)>", NO_ID],
];

test("unreadable text is explained until it is readable", async () => {
  const page = await open(found);
  for (const [text = "", error = ""] of refusals) {
    await page.fill("#text", text);
    assert.equal(await page.locator("#answer").count(), 0, text);
    const shown = `${await page.textContent("#text-error")}`;
    assert.ok(error ? shown.startsWith(error) : shown === "", `${text}: ${shown}`);
    await page.fill("#text", TWEET);
    assert.ok(await page.isVisible("#answer"));
    assert.equal(await page.textContent("#text-error"), "");
  }
});

const examples = [
  ["a tweet", "Twitter", "2022-11-18T11:50:20.644Z"],
  ["Discord", "Discord", "2016-04-30T11:18:25.796Z"],
  ["Instagram", "Instagram", "2019-05-09T06:55:55.965Z"],
  ["Mastodon in hex", "Mastodon", "2022-09-04T23:22:13.703Z"],
  ["a date", "A date", "2026-01-16T12:00:00.000Z"],
  ["a log", "Discord", "2026-01-16T12:00:00.000Z"],
];

test("examples for visitors with nothing to paste", async () => {
  const page = await open(found, `#${TWEET}`);
  for (const [name, system, time] of examples) {
    await page.fill("#text", TWEET);
    await page.click("#clear");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "text");
    await page.getByRole("button", { name, exact: true }).click();
    const { system: shown, time: date } = await answer(page);
    assert.deepEqual([shown, date], [system, time]);
  }
});

test("typing or pasting into the box replaces an example, and nothing else", async () => {
  const page = await open(found);
  await page.evaluate((id) => navigator.clipboard.writeText(id), TWITTER_ID);
  await page.click("#text");
  await page.keyboard.press("Control+v");
  assert.equal(await page.inputValue("#text"), TWITTER_ID);
  // An id that the visitor pasted is not an example, so it can be edited.
  await page.click("#text");
  await page.keyboard.press("End");
  await page.keyboard.type("9");
  assert.equal(await page.inputValue("#text"), `${TWITTER_ID}9`);
});

/** Texts that are repeated up to 10 MB: those with ids, and those without. */
const WITH_IDS = ["1,", "1\t2\n"];
const NO_IDS = ["<b>no id</b> ", "[{'\",", "\n<", "(", '"', "-", ",", "INSERT INTO a VALUES ("];
/** @type {[unit: string, error: string][]} */
const huge = [
  ...WITH_IDS.map((unit) => /** @type {[string, string]} */ ([unit, ""])),
  ...NO_IDS.map((unit) => /** @type {[string, string]} */ ([unit, NO_ID])),
  ["9".repeat(1000), "this number has 10000000 digits: an id has at most 20"],
];

test("10 MB of anything is read beside the page", async () => {
  const page = await open(found);
  for (const [unit, error] of huge) {
    await page.evaluate(async (repeated) => {
      const isReading = new Promise((resolve) => {
        new MutationObserver(() => {
          if (document.querySelector("#read-as")?.textContent === "Reading …") resolve(true);
        }).observe(document.body, { childList: true, characterData: true, subtree: true });
      });
      const clipboardData = new DataTransfer();
      const size = Math.floor(10_000_000 / repeated.length);
      clipboardData.setData("text/plain", repeated.repeat(size));
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
      await isReading;
    }, unit);
    assert.match(`${await page.textContent("#long-text")}`, / lines?, 10.0 MB$/);
    await page.locator("#read-as", { hasNotText: "Reading" }).waitFor({ state: "attached" });
    assert.equal(await page.textContent("#text-error"), error, unit);
    assert.equal(await page.isVisible("#answer"), error === "");
  }
  await page.click("#clear");
  await page.fill("#text", TWEET);
  await chooseSystem(page, "twitter");
  assert.equal((await answer(page)).fields.worker, "26");
});
