import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { chromium } from "playwright-core";

const PAGE = new URL("../build/www/", import.meta.url);

/** @type {Record<string, string>} */
const MIME_TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * @type {{ vectors: {
 *   preset: string | null, id: string, timestamp_ms: number, node: number, sequence: number
 * }[] }}
 */
const { vectors } = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8"));

const HAZELCAST_ID = "5300086112257234";
const TWITTER_ID = "1541815603606036480";

const server = createServer(async (request, response) => {
  const path = request.url === "/" ? "index.html" : `${request.url}`.slice(1);
  try {
    const content = await readFile(new URL(path, PAGE));
    response.writeHead(200, { "content-type": MIME_TYPES[extname(path)] }).end(content);
  } catch {
    response.writeHead(404).end();
  }
});

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {import("playwright-core").Page} */
let page;
/** @type {string} */
let origin;
/** @type {string[]} */
let complaints;

before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  origin = `http://127.0.0.1:${address.port}/`;
  browser = await chromium.launch({
    executablePath: process.env.EDGEFLAKE_CHROMIUM ?? "/usr/bin/chromium",
    // Without a sandbox, as root in CI, and without Chromium's own calls home.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
});

after(async () => {
  await browser?.close();
  server.close();
});

beforeEach(async () => {
  page = await browser.newPage();
  complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) complaints.push(`request to ${request.url()}`);
  });
});

afterEach(async () => {
  await page.close();
  assert.deepEqual(complaints, []);
});

/** @param {string} fragment */
async function open(fragment = "") {
  await page.goto(origin + fragment);
  await page.locator("#answer").waitFor();
}

async function answer() {
  const [time, node, sequence] = await Promise.all(
    ["#time", "#node", "#sequence"].map((selector) => page.textContent(selector)),
  );
  return { time, node, sequence };
}

test("it opens with an example", async () => {
  await open();
  const decoded = { time: "2018-01-15T15:00:39.000Z", node: "1234", sequence: "0" };
  assert.deepEqual(await answer(), decoded);
});

for (const preset of ["hazelcast", "twitter"]) {
  test(`published ids of ${preset}`, async () => {
    await open();
    await page.selectOption("#preset", preset);
    for (const { id, timestamp_ms, node, sequence } of vectors.filter(
      (vector) => vector.preset === preset,
    )) {
      await page.fill("#id", ` ${id} `);
      const time = new Date(timestamp_ms).toISOString();
      assert.deepEqual(await answer(), { time, node: `${node}`, sequence: `${sequence}` });
    }
  });
}

test("another layout reads the same id otherwise", async () => {
  await open(`#${HAZELCAST_ID}`);
  assert.equal((await answer()).node, "1234");
  await page.selectOption("#preset", "twitter");
  const decoded = { time: "2010-11-18T16:43:33.657Z", node: "0", sequence: "1234" };
  assert.deepEqual(await answer(), decoded);
});

test("the strip and the table show the fields", async () => {
  await open(`#${TWITTER_ID}`);
  await page.selectOption("#preset", "twitter");
  assert.equal(await page.textContent("#strip"), BigInt(TWITTER_ID).toString(2).padStart(64, "0"));
  const rows = await page
    .locator("#fields tr")
    .evaluateAll((lines) =>
      lines.map((line) => Array.from(line.children, (cell) => cell.textContent)),
    );
  assert.deepEqual(rows, [
    ["unused", "1", "0"],
    ["timestamp", "41", "367597485448"],
    ["datacenter node", "5", "11"],
    ["worker node", "5", "26"],
    ["sequence", "12", "0"],
  ]);
});

test("a layout of one's own", async () => {
  await open();
  await page.fill(
    "#layout",
    "timestamp:32 tag.kind:4 node:9 sequence:8 @1600000000000 tick=1000ms",
  );
  assert.equal(await page.inputValue("#preset"), "");
  await page.fill("#id", "2097665");
  const decoded = { time: "2020-09-13T12:26:41.000Z", node: "2", sequence: "1" };
  assert.deepEqual(await answer(), decoded);
  assert.equal((await page.textContent("#strip"))?.length, 64);
});

test("what cannot be read is explained beside it, until it can", async () => {
  await open();
  await page.fill("#id", "12x4");
  assert.ok(await page.isHidden("#answer"));
  assert.equal(
    await page.textContent("#id-error"),
    "an id in decimal has x at position 2: 0-9 are allowed",
  );
  assert.equal(await page.getAttribute("#id", "aria-invalid"), "true");

  await page.fill("#id", HAZELCAST_ID);
  assert.ok(await page.isVisible("#answer"));
  assert.equal(await page.textContent("#id-error"), "");

  await page.fill("#layout", "timestamp:41 node @0");
  assert.ok(await page.isHidden("#answer"));
  assert.match(`${await page.textContent("#layout-error")}`, /^layout text at position 13: /);
});

test("the fragment opens an id, also later", async () => {
  await open("#1234");
  const first = { time: "2018-01-01T00:00:00.000Z", node: "1234", sequence: "0" };
  assert.deepEqual(await answer(), first);

  await page.goto(`${origin}#${HAZELCAST_ID}`);
  await page.getByText("2018-01-15T15:00:39.000Z").waitFor();
});

test("without scripts it says what an id holds, and what it needs", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const still = await context.newPage();
  await still.goto(origin);
  const text = await still.innerText("body");
  assert.match(text, /Counts the ids that one node makes within one tick/);
  assert.match(text, /takes JavaScript, which is off/);
  await context.close();
});
