import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { encode, identify, Layout, presets } from "edgeflake";
import { answer, open, paste, stage, texts, watch } from "./page.js";

/**
 * @type {{ vectors: {
 *   preset: string | null, layout?: string, id: string,
 *   timestamp_ms: number, node?: number, sequence?: number
 * }[] }}
 */
const { vectors } = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8"));

const HAZELCAST_ID = "5300086112257234";
const TWITTER_ID = "1541815603606036480";
const TWEET = "1593572310593806338";

const found = stage();

test("it opens with an example", async () => {
  await open(found);
  const decoded = { time: "2022-11-18T11:50:20.644Z", node: "378", sequence: "2" };
  assert.deepEqual(await answer(found.page), decoded);
  assert.equal(await found.page.textContent("#system"), "Twitter");
});

test("all published ids, each in its system", async () => {
  const { page } = found;
  await open(found);
  for (const { preset, id, timestamp_ms, node, sequence } of vectors) {
    if (preset === null || !presets().includes(preset)) continue;
    await page.selectOption("#preset", preset);
    await page.fill("#text", id);
    const shown = await answer(page);
    assert.equal(shown.time, new Date(timestamp_ms).toISOString(), `${preset} ${id}`);
    if (node !== undefined) assert.equal(shown.node, `${node}`, `${preset} ${id}`);
    if (sequence !== undefined) assert.equal(shown.sequence, `${sequence}`, `${preset} ${id}`);
  }
});

const written = [
  ["decimal", TWITTER_ID],
  ["decimal", ` "${TWITTER_ID}", `],
  ["decimal", `${TWITTER_ID}n`],
  ["decimal", `id: ${TWITTER_ID}`],
  ["decimal", `user_${TWITTER_ID}`],
  ["decimal", `<@!${TWITTER_ID}>`],
  ["decimal", `https://x.com/somebody/status/${TWITTER_ID}?s=20`],
  ["hex", `0x${encode(TWITTER_ID, "hex")}`],
  ["hex", "0x1565A11F6217A000"],
  ["hex", encode(TWITTER_ID, "hex")],
  ["binary", encode(TWITTER_ID, "binary")],
  ["binary", `0b${encode(TWITTER_ID, "binary").replace(/^0+/, "")}`],
  ["base32", encode(TWITTER_ID, "base32")],
  ["base36", encode(TWITTER_ID, "base36")],
  ["base58", encode(TWITTER_ID, "base58")],
  ["base62", encode(TWITTER_ID, "base62")],
  ["base62", `order_${encode(TWITTER_ID, "base62")}`],
  ["base64url", `https://www.instagram.com/p/${encode(TWITTER_ID, "base64url")}/`],
];

test("an id in any text form, with what people write around it", async () => {
  const { page } = found;
  await open(found);
  for (const [form, text] of written) {
    await page.fill("#text", text);
    if (!(await page.textContent("#read-as"))?.endsWith(` in ${form}`)) {
      await page.click(`#other-forms button[value="${form}"]`);
    }
    assert.equal(await page.inputValue("#form-decimal"), TWITTER_ID, text);
    assert.equal(await page.textContent("#read-as"), `Read as one id in ${form}`, text);
  }
});

const dates = [
  ["2018-01-15", "2018-01-15T00:00:00.000Z"],
  ["2018-01-15 15:00:39", "2018-01-15T15:00:39.000Z"],
  ["2018-01-15T16:00:39.123+01:00", "2018-01-15T15:00:39.123Z"],
  ["15 Jan 2018 15:00 GMT", "2018-01-15T15:00:00.000Z"],
];

test("a date is the smallest id of its moment", async () => {
  const { page } = found;
  await open(found);
  await page.selectOption("#preset", "twitter");
  for (const [text, time] of dates) {
    await page.fill("#text", text);
    assert.deepEqual(await answer(page), { time, node: "0", sequence: "0" }, text);
    const how = "Read as one date: the smallest id of that moment";
    assert.equal(await page.textContent("#read-as"), how);
  }
});

const collections = [
  ["a line each", `${TWEET}\n${TWITTER_ID}\n`, "Read as 2 ids in decimal", ["1", "2"]],
  ["commas", `${TWEET}, ${TWITTER_ID}`, "Read as 2 ids in decimal", ["1", "1"]],
  [
    "CSV",
    `name,user_id,age\n"Ann, B",${TWEET},31\nBob,"${TWITTER_ID}",9\n`,
    "Read as 2 ids in decimal, from CSV (user_id)",
    ["2", "3"],
  ],
  [
    "JSON, whose numbers are not rounded",
    `[{"name": "Ann 1", "id": ${TWEET}},\n {"name": "Bob", "id": "${TWITTER_ID}"}]`,
    "Read as 2 ids in decimal, from JSON (id)",
    ["1", "2"],
  ],
  [
    "JSON, a line each",
    `{"id":"${TWEET}"}\n{"id":"${TWITTER_ID}"}`,
    "Read as 2 ids in decimal, from JSON (id)",
    ["1", "2"],
  ],
  ["two forms", `${TWEET}\n0x1565a11f6217a000`, "Read as 2 ids in decimal", ["1", "2"]],
];

for (const [name, text, how, lines] of /** @type {[string, string, string, string[]][]} */ (
  collections
)) {
  test(`many ids: ${name}`, async () => {
    const { page } = found;
    await open(found);
    await paste(page, text);
    assert.equal(await page.textContent("#read-as"), how);
    assert.deepEqual(await texts(page, "#table-rows button"), [TWEET, TWITTER_ID]);
    assert.deepEqual(await texts(page, "#table-rows td:first-child"), lines);
  });
}

const refusals = [
  ["", ""],
  ["   \n ", ""],
  ["hello world!", "an id in decimal has h at position 0: 0-9 are allowed"],
  ["[]", "there is no id in it"],
  ["18446744073709551616", "an id in decimal exceeds 64 bits at position 19"],
  [
    "1.541815603606036e18",
    "1.541815603606036e18 was rounded: its last digits are lost, copy the id as text",
  ],
  ["\u0000\ud800 %%% 💥", undefined],
  ["<img src=x onerror=alert(1)>", undefined],
];

test("what cannot be read is explained, until it can", async () => {
  const { page } = found;
  await open(found);
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
  const { page } = found;
  await open(found);
  const markup = '<img/src=x/onerror="document.title=1">';
  await paste(page, `${TWEET}\n12x4\n${TWITTER_ID}\n${markup}`);
  assert.equal(await page.textContent("#refused-title"), "2 not read");
  const [first, second] = await texts(page, "#refused li");
  assert.equal(first, 'line 2, "12x4": an id in decimal has x at position 2: 0-9 are allowed');
  assert.match(second, /^line 4, "<img\/src/);
  assert.equal(await page.locator("main img").count(), 0);
  assert.equal(await page.locator("#table-rows button").count(), 2);
});

test("10 MB of anything", async () => {
  const { page } = found;
  await open(found);
  for (const unit of ["<b>no id</b> ", "[{'\",", "1,", "1\t2\n", "9".repeat(1000), "(", '"', ","]) {
    await page.evaluate((repeated) => {
      const clipboardData = new DataTransfer();
      const size = Math.floor(10_000_000 / repeated.length);
      clipboardData.setData("text/plain", repeated.repeat(size));
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
    }, unit);
    assert.match(`${await page.textContent("#long-text-start")}`, /^\d+,\d+,\d+ characters: /);
  }
  await page.click("#clear");
  await page.fill("#text", TWEET);
  assert.equal((await answer(page)).node, "378");
});

test("candidates with date and reason, one click to switch", async () => {
  const { page } = found;
  await open(found, `#${TWITTER_ID}`);
  const expected = identify(TWITTER_ID);
  assert.deepEqual(
    await texts(page, "#candidates .title"),
    expected.map(({ title }) => title),
  );
  assert.deepEqual(
    await texts(page, "#candidates .reasons"),
    expected.map(({ reasons }) => reasons),
  );
  for (const { preset, title, decoded } of expected.slice(0, 4)) {
    await page.click(`#candidates button[value="${preset}"]`);
    assert.equal(await page.textContent("#system"), title);
    assert.equal((await answer(page)).time, decoded.date.toISOString());
    const pressed = page.locator('#candidates [aria-pressed="true"]');
    assert.equal(await pressed.getAttribute("value"), preset);
  }
  await page.click("#more-candidates");
  assert.equal(await page.locator("#candidates li:visible").count(), expected.length);
  await page.click("#likeliest");
  assert.equal(await page.textContent("#system"), expected[0].title);
});

test("the strip shows the fields; each bit flips, by mouse and keys", async () => {
  const { page } = found;
  await open(found, `#${TWITTER_ID}`);
  await page.selectOption("#preset", "twitter");
  const digits = encode(TWITTER_ID, "binary");
  assert.equal((await texts(page, "#strip .cell")).join(""), digits);
  for (const [role, bits] of [
    ["unused", 1],
    ["timestamp", 41],
    ["node", 10],
    ["sequence", 12],
  ]) {
    assert.equal(await page.locator(`#strip .cell.${role}`).count(), bits);
  }

  const last = page.locator("#strip .cell").nth(63);
  await last.hover();
  const detail = "sequence, 12 bits: 0, its place among the 4096 of its millisecond";
  assert.equal(await page.textContent("#strip-detail"), detail);
  await last.click();
  assert.equal((await answer(page)).sequence, "1");
  assert.equal(await page.inputValue("#form-decimal"), `${BigInt(TWITTER_ID) + 1n}`);

  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Space");
  assert.equal((await answer(page)).sequence, "3");
  await page.keyboard.press("Home");
  assert.match(`${await page.textContent("#strip-detail")}`, /^unused, 1 bit: 0, always 0/);
  await page.keyboard.press("Enter");
  assert.match(`${await page.textContent("#refusal")}`, /^This is no id of the layout: bits 0x8/);
  assert.match(`${await page.textContent("#strip-detail")}`, /must be 0 in this layout/);
});

const edits = [
  ['#fields tr:has-text("worker") input', "5", (1541815603606036480n - (26n - 5n) * 4096n) | 0n],
  ["#date", "2022-06-28T16:07:40.106Z", 1541815603606036480n + 4194304n],
  ["#form-hex", "1565a11f6217a001", 1541815603606036481n],
  ["#form-base62", encode(TWITTER_ID, "base62"), BigInt(TWITTER_ID)],
  ["#form-signed-decimal", "1541815603606036482", 1541815603606036482n],
];

for (const [selector, value, id] of /** @type {[string, string, bigint][]} */ (edits)) {
  test(`an edit in ${selector} changes all others`, async () => {
    const { page } = found;
    await open(found, `#text=${TWITTER_ID}&layout=twitter`);
    await page.fill(selector, value);
    const { date, node, sequence } = Layout.preset("twitter").decode(id);
    const shown = { time: date.toISOString(), node: `${node}`, sequence: `${sequence}` };
    assert.deepEqual(await answer(page), shown);
    assert.equal((await texts(page, "#strip .cell")).join(""), encode(id, "binary"));
    assert.equal(await page.inputValue("#text"), `${id}`);
  });
}

test("a value that does not fit is refused beside it", async () => {
  const { page } = found;
  await open(found, `#text=${TWITTER_ID}&layout=twitter`);
  const worker = page.locator('#fields tr:has-text("worker") input');
  await worker.fill("31");
  assert.equal(await page.textContent("#fields-error"), "");
  await worker.fill("32");
  assert.equal(
    await page.textContent("#fields-error"),
    "worker 32 is too large: at most 31 is allowed",
  );
  await worker.blur();
  assert.equal(await worker.inputValue(), "31");
});

const warnings = [
  ["1541815603606036000", "twitter", /JavaScript number/],
  ["9223372036854775808", "discord", /sign bit/],
  ["9223372036854775807", "twitter", /future/],
  ["5", "linkedin", /before the system/],
  ["2305843009213693951", "resource-type", /ran out/],
];

test("warnings in plain words", async () => {
  const { page } = found;
  for (const [id, preset, pattern] of /** @type {[string, string, RegExp][]} */ (warnings)) {
    await open(found, `#text=${id}&layout=${preset}`);
    const now = / it is .*/;
    const shown = (await texts(page, "#warnings li")).map((message) => message.replace(now, ""));
    const expected = Layout.preset(preset).decode(id).warnings;
    assert.deepEqual(
      shown,
      expected.map(({ message }) => message.replace(now, "")),
    );
    assert.ok(
      shown.some((message) => pattern.test(message)),
      `${id}: ${shown}`,
    );
  }
});

test("the fragment opens an id, also later", async () => {
  const { page, origin } = found;
  await open(found, `#${HAZELCAST_ID}`);
  assert.equal(await page.inputValue("#form-decimal"), HAZELCAST_ID);
  await page.goto(`${origin}#${TWEET}`);
  await page.getByText("2022-11-18T11:50:20.644Z").first().waitFor();
});

test("a link holds the whole state", async () => {
  const { page } = found;
  await open(found);
  const ids = Array.from({ length: 3000 }, (_, i) => `${BigInt(TWEET) + BigInt(i) ** 3n}`);
  await paste(page, ids.join("\n"));
  await page.selectOption("#preset", "discord");
  await page.fill("#difference-row", "17");
  await page.fill("#difference-other", "2000");
  await page.fill("#from", "2020-01-01");
  const shown = await answer(page);
  const difference = await page.textContent("#difference");
  await page.waitForURL(/#zip=.*from=2020-01-01/);
  const link = page.url();

  const other = await found.browser.newPage();
  watch(found, other);
  await other.goto(link);
  await other.locator("#many").waitFor();
  assert.deepEqual(await answer(other), shown);
  assert.equal(await other.textContent("#difference"), difference);
  assert.equal(await other.inputValue("#from"), "2020-01-01");
  assert.equal(await other.inputValue("#preset"), "discord");
  await other.close();
});

test("a link that was cut short opens all the same", async () => {
  for (const fragment of ["#zip=abc", "#text=1&layout=nothing", "#%E0%A4%A", "#text=&row=9e9"]) {
    await open(found, fragment);
    assert.ok(await found.page.isVisible("#text"), fragment);
  }
});

test("offline after the first load", async () => {
  const { page, origin } = found;
  await open(found);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.context().setOffline(true);
  await page.goto(`${origin}#${TWITTER_ID}`);
  await page.reload();
  await page.locator("#answer").waitFor();
  assert.equal(await page.inputValue("#form-decimal"), TWITTER_ID);
});

test("without scripts it says what an id holds, and what it needs", async () => {
  const context = await found.browser.newContext({ javaScriptEnabled: false });
  const still = await context.newPage();
  await still.goto(found.origin);
  const text = await still.innerText("body");
  assert.match(text, /Counts the ids that one node makes within one tick/);
  assert.match(text, /takes JavaScript, which is off/);
  await context.close();
});
