import assert from "node:assert/strict";
import { test } from "node:test";
import { format, identify, Layout } from "edgeflake";
import { ENCODINGS } from "../../www/encodings.js";
import { answer, copied, NOW_MS, open, paste, serveFiles, stage, texts } from "./harness/stage.js";

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

test("candidates with date and reason, one click to switch", async () => {
  const page = await open(found, `#${TWEET}`);
  const expected = identify(TWEET, { nowMs: NOW_MS });
  assert.deepEqual(
    await texts(page, "#candidates .title"),
    expected.map(({ title }) => title),
  );
  assert.deepEqual(
    await texts(page, "#candidates .reasons"),
    expected.map(({ reasons }) => reasons),
  );
  for (const { preset, title, date } of expected.slice(0, 4)) {
    await page.click(`#candidates button[value="${preset}"]`);
    assert.equal(await page.textContent("#system"), title);
    assert.equal((await answer(page)).time, date.toISOString());
    const pressed = page.locator('#candidates [aria-pressed="true"]');
    assert.equal(await pressed.getAttribute("value"), preset);
  }
  await page.click("#more-candidates");
  assert.equal(await page.locator("#candidates li:visible").count(), expected.length);
  await page.click("#likeliest");
  assert.equal(await page.textContent("#system"), expected[0].title);
});

test("the strip shows the fields; each bit flips, by mouse and keys", async () => {
  const page = await open(found, `#${TWITTER_ID}`);
  await page.selectOption("#preset", "twitter");
  const digits = format(TWITTER_ID, "binary");
  assert.equal((await texts(page, "#strip .cell")).join(""), digits);
  for (const [role, bits] of [
    ["unused", 1],
    ["timestamp", 41],
    ["node", 10],
    ["sequence", 12],
  ]) {
    assert.equal(await page.locator(`#strip .cell.${role}`).count(), bits);
  }

  assert.equal(await page.locator("#zoom .joint").count(), 5);
  const last = page.locator("#strip .cell").nth(63);
  await last.hover();
  const detail = "sequence, 12 bits: 0, its place among the 4,096 of its millisecond";
  assert.equal(await page.textContent("#strip-detail"), detail);
  await last.click();
  assert.equal((await answer(page)).sequence, "1");
  assert.equal(await page.inputValue("#encoding-decimal"), `${BigInt(TWITTER_ID) + 1n}`);

  // The strip continues to describe the bit under the mouse, and the focus once the mouse has left.
  assert.match(`${await page.textContent("#strip-detail")}`, /^sequence, 12 bits: 1, /);
  await page.hover("#time");
  assert.match(`${await page.textContent("#strip-detail")}`, /^sequence, 12 bits: 1, /);
  // A refusal moves the strip, so the mouse must be elsewhere.
  await page.mouse.move(0, 0);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Space");
  assert.equal((await answer(page)).sequence, "3");
  await page.keyboard.press("Home");
  assert.match(`${await page.textContent("#strip-detail")}`, /^unused, 1 bit: 0, always 0/);
  await page.keyboard.press("Enter");
  assert.match(`${await page.textContent("#refusal")}`, /^This is no id of the layout: bits 0x8/);
  assert.match(`${await page.textContent("#strip-detail")}`, /must be 0 in this layout/);
  await page.focus("#date");
  assert.equal(await page.textContent("#strip-detail"), "");
});

test("a touch on a bit names its field", async () => {
  const page = await found.newPage({ hasTouch: true, viewport: { width: 390, height: 844 } });
  await open({ ...found, page }, `#text=${TWITTER_ID}&layout=twitter`);
  await page.locator("#strip .cell").nth(63).tap();
  assert.match(`${await page.textContent("#strip-detail")}`, /^sequence, 12 bits: 1, /);
});

const OTHER_ID = BigInt(TWITTER_ID) + 4194304n + 2n;
const edits = [
  ['#fields li:has-text("worker") input', "5", BigInt(TWITTER_ID) - (26n - 5n) * 4096n],
  ["#date", "2022-06-28T16:07:40.106Z", BigInt(TWITTER_ID) + 4194304n],
  ["#encoding-hex", `0x${format(OTHER_ID, "hex")}`, OTHER_ID],
  ...ENCODINGS.map((encoding) => [`#encoding-${encoding}`, format(OTHER_ID, encoding), OTHER_ID]),
];

for (const [selector, value, id] of /** @type {[string, string, bigint][]} */ (edits)) {
  test(`an edit in ${selector} changes all others`, async () => {
    const page = await open(found, `#text=${TWITTER_ID}&layout=twitter`);
    await page.fill(selector, value);
    const { date, node, sequence } = Layout.preset("twitter").decode(id);
    const shown = { time: date.toISOString(), node: `${node}`, sequence: `${sequence}` };
    assert.deepEqual(await answer(page), shown);
    assert.equal((await texts(page, "#strip .cell")).join(""), format(id, "binary"));
    assert.equal(await page.inputValue("#text"), `${id}`);
  });
}

test("a value that does not fit is refused beside it", async () => {
  const page = await open(found, `#text=${TWITTER_ID}&layout=twitter`);
  const worker = page.locator('#fields li:has-text("worker") input');
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

test("a layout about to run out", async () => {
  const { page } = found;
  const dayMs = 86_400_000;
  const epochMs = NOW_MS - 2 ** 35 + 30 * dayMs;
  await open(
    found,
    `#${new URLSearchParams({ text: "1", layout: `timestamp:35 node:8 @${epochMs}` })}`,
  );
  const end = new Date(epochMs + 2 ** 35).toISOString().slice(0, 10);
  const shown = await texts(page, "#warnings li");
  assert.ok(
    shown.some((message) => message.includes(end)),
    `${shown}`,
  );
});

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

test("nothing from elsewhere, a strict policy, no tracking, nothing sent", async () => {
  const { page, origin } = found;
  const policy = (await fetch(origin)).headers.get("content-security-policy")?.split("; ");
  assert.ok(policy?.includes("default-src 'none'"));
  assert.ok(policy?.includes("script-src 'self' 'wasm-unsafe-eval'"));
  assert.deepEqual(
    policy?.filter((directive) => /unsafe|https?:|\*/.test(directive)),
    ["script-src 'self' 'wasm-unsafe-eval'"],
  );
  await open(found);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForLoadState("networkidle");
  /** @type {string[]} */
  const requests = [];
  // Chromium itself asks for the icon of the tab at each address in the history.
  page.context().on("request", (request) => {
    if (!request.url().endsWith("/icon.svg")) requests.push(request.url());
  });
  await paste(page, TWITTER_ID);
  await page.selectOption("#preset", "discord");
  await page.waitForURL(/layout=discord/);
  assert.deepEqual(requests, []);
  assert.deepEqual(await page.context().cookies(), []);
  assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
});

test("any static host serves it, in a directory too", async () => {
  const host = await serveFiles(found, "/ids/");
  await open(found, `#${TWITTER_ID}`);
  assert.equal((await answer(found.page)).node, "378");
  await found.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  host.close();
});

test("the fragment opens an id, at the start and later", async () => {
  const page = await open(found, `#${HAZELCAST_ID}`);
  assert.equal(await page.inputValue("#encoding-decimal"), HAZELCAST_ID);
  await page.goto(`${found.origin}#${TWEET}`);
  await page.getByText("2022-11-18T11:50:20.644Z").first().waitFor();
});

test("a link holds the whole state", async () => {
  const page = await open(found);
  const ids = Array.from({ length: 400 }, (_, i) => `${BigInt(TWEET) + BigInt(i) ** 3n}`);
  await paste(page, ids.join("\n"));
  await page.selectOption("#preset", "discord");
  await page.fill("#difference-row", "17");
  await page.fill("#difference-other", "300");
  await page.fill("#from", "2020-01-01");
  const shown = await answer(page);
  const difference = await page.textContent("#difference");
  await page.waitForURL(/#zip=.*from=2020-01-01/);
  await page.click("#link-copy");
  const link = await copied(page, "link");
  assert.equal(link, page.url());

  const other = await found.newPage();
  await other.goto(link);
  await other.locator("#many").waitFor();
  assert.deepEqual(await answer(other), shown);
  assert.equal(await other.textContent("#difference"), difference);
  assert.equal(await other.inputValue("#from"), "2020-01-01");
  assert.equal(await other.inputValue("#preset"), "discord");
});

test("a link that was cut short opens all the same", async () => {
  for (const fragment of ["#zip=abc", "#text=1&layout=nothing", "#%E0%A4%A", "#text=&row=9e9"]) {
    await open(found, fragment);
    assert.ok(await found.page.isVisible("#text"), fragment);
  }
});

test("offline after the first load", async () => {
  const page = await open(found);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.context().setOffline(true);
  await page.goto(`${found.origin}#${TWITTER_ID}`);
  await page.reload();
  await page.locator("#answer").waitFor();
  assert.equal(await page.inputValue("#encoding-decimal"), TWITTER_ID);
});

test("without scripts the page explains ids, and that it needs scripts", async () => {
  const still = await found.newPage({ javaScriptEnabled: false });
  await still.goto(found.origin);
  const text = await still.innerText("body");
  assert.match(text, /Counts the ids that one node makes within one tick/);
  assert.match(text, /needs JavaScript, which is off/);
});
