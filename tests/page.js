// The built page in headless Chromium, on a server of its own. Whatever it complains of, or asks of
// anybody else, fails the test.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { after, afterEach, before, beforeEach } from "node:test";
import axe from "axe-core";
import { chromium } from "playwright-core";

const PAGE = new URL("../build/www/", import.meta.url);
const SCREENSHOTS = new URL("screenshots/", import.meta.url);

/** @type {Record<string, string>} */
const MIME_TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * @typedef {object} Stage
 * @property {import("playwright-core").Browser} browser
 * @property {import("playwright-core").Page} page a new one for each test
 * @property {string} origin
 * @property {string[]} complaints of the page, which a test that provokes one takes away
 * @property {((path: string, init: RequestInit) => Promise<Response>) | undefined} api what answers
 *   `/v1/`; nobody without it
 */

/** Hooks of this test file; its fields are there within the tests. */
export function stage() {
  const found = /** @type {Stage} */ (/** @type {Partial<Stage>} */ ({ complaints: [] }));
  const server = createServer(async ({ url = "", method, headers }, response) => {
    if (url.startsWith("/v1/") && found.api) {
      const { authorization } = headers;
      const answer = await found.api(url, {
        method,
        headers: authorization === undefined ? {} : { authorization },
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
      return;
    }
    const path = url === "/" ? "index.html" : url.slice(1);
    try {
      const content = await readFile(new URL(path, PAGE));
      response.writeHead(200, { "content-type": MIME_TYPES[extname(path)] }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });

  before(async () => {
    await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    found.origin = `http://127.0.0.1:${address.port}/`;
    found.browser = await chromium.launch({
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
    await found.browser?.close();
    server.close();
    server.closeAllConnections();
  });

  beforeEach(async () => {
    found.page = await found.browser.newPage();
    found.complaints = [];
    found.api = undefined;
    watch(found, found.page);
  });

  afterEach(async () => {
    await found.page.context().close();
    assert.deepEqual(found.complaints, []);
  });
  return found;
}

/**
 * @param {Stage} stage
 * @param {import("playwright-core").Page} page
 */
export function watch({ complaints, origin }, page) {
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) complaints.push(`request to ${request.url()}`);
  });
}

/**
 * Opens the page, with a fragment if there is one.
 *
 * @param {Stage} stage
 * @param {string} fragment with its `#`
 */
export async function open({ page, origin }, fragment = "") {
  await page.goto(origin + fragment);
  await page.locator("#question:enabled").waitFor();
  await page.locator("#read-as, #text-error").first().waitFor({ state: "attached" });
}

/**
 * Pastes as somebody does with the keyboard, wherever the focus is.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} text
 */
export async function paste(page, text) {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
  }, text);
}

/** @param {import("playwright-core").Page} page */
export async function answer(page) {
  const [time, node, sequence] = await Promise.all(
    ["#time", "#node", "#sequence"].map((selector) => page.textContent(selector)),
  );
  return { time, node, sequence };
}

/**
 * The texts of all elements.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} selector
 */
export async function texts(page, selector) {
  return (await page.locator(selector).allTextContents()).map((text) => text.trim());
}

/**
 * Fails if axe finds a barrier.
 *
 * @param {import("playwright-core").Page} page
 */
export async function checkAccess(page) {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    // @ts-expect-error The line above has put it there.
    const result = await window.axe.run(document, {
      rules: { "target-size": { enabled: true } },
    });
    return result.violations.map((/** @type {any} */ { id, nodes }) => [
      id,
      nodes.map((/** @type {any} */ node) => `${node.html.slice(0, 160)} ${node.failureSummary}`),
    ]);
  });
  assert.deepEqual(violations, []);
}

/**
 * @param {import("playwright-core").Page} page
 * @param {string} name
 */
export async function screenshot(page, name) {
  await page.screenshot({ path: new URL(`${name}.png`, SCREENSHOTS).pathname, fullPage: true });
}
