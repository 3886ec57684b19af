// Opens the page that `npm run dev` serves in headless Chromium. A test fails if the page logs a
// complaint or sends a request to another host.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";
import axe from "axe-core";
import { launchChromium } from "../../../tools/serve/chromium.js";
import { startDev } from "../../../tools/serve/dev-server.js";
import { startStaticHost } from "../../harness/static-host.js";
import { SHARED } from "./shared-server.js";

/** @import { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core" */

/**
 * The page's date in tests, 2026-11-22. It decides which systems can have made an id, and which
 * dates are in the future.
 */
export const NOW_MS = Date.UTC(2026, 10, 22);

/** Playwright's message in a context without service workers. */
const BLOCKED = "Service Worker registration blocked by Playwright";
const BUILT = new URL("../../../build/www/", import.meta.url).pathname;
const SCREENSHOTS = new URL("../screenshots/", import.meta.url);

/**
 * @typedef {object} Stage
 * @property {Page} page new for each test
 * @property {(options?: BrowserContextOptions) => Promise<Page>} newPage opens a page
 * in a context of its own
 * @property {string} origin
 * @property {string[]} complaints logged by the pages; a test that provokes a complaint removes it
 */

/**
 * Registers the hooks of a test file, and returns an object whose fields exist during the tests.
 * The page's date stays at {@link NOW_MS} unless the file uses the real time, as tests that ask the
 * server do. The tests share a browser context without a service worker, unless `isAlone` gives each
 * test a context of its own.
 *
 * @param {{ isRealTime?: boolean, isAlone?: boolean }} [options]
 */
export function stage({ isRealTime = false, isAlone = false } = {}) {
  /** @type {Browser} */
  let browser;
  /** @type {BrowserContext} */
  let shared;
  /** @type {BrowserContext[]} */
  let contexts = [];
  const found = /** @type {Stage} */ (/** @type {Partial<Stage>} */ ({ complaints: [], newPage }));
  /** @type {Awaited<ReturnType<typeof startDev>> | undefined} */
  let dev;
  let origin = process.env[SHARED];

  const permissions = ["clipboard-read", "clipboard-write"];

  /** @param {BrowserContextOptions} [options] */
  async function newPage(options) {
    const context = await browser.newContext({ permissions, ...options });
    contexts.push(context);
    return pageOf(context);
  }

  /** @param {BrowserContext} context */
  async function pageOf(context) {
    const page = await context.newPage();
    watch(found, page);
    if (!isRealTime) await page.clock.setFixedTime(NOW_MS);
    return page;
  }

  before(async () => {
    if (origin === undefined) {
      dev = await startDev();
      origin = dev.url;
    }
    browser = await launchChromium();
    // A page opens twice as fast in a context that has loaded it before.
    shared = await browser.newContext({ permissions, serviceWorkers: "block" });
  });

  after(async () => {
    await browser?.close();
    await dev?.stop();
  });

  beforeEach(async () => {
    found.origin = `${origin}`;
    found.complaints = [];
    contexts = [];
    found.page = await (isAlone ? newPage() : pageOf(shared));
  });

  afterEach(async () => {
    await found.page.close();
    for (const context of contexts) await context.close();
    assert.deepEqual(found.complaints, []);
  });
  return found;
}

/** @param {Stage} stage @param {Page} page */
function watch(stage, page) {
  const { complaints } = stage;
  page.on("console", (message) => {
    // Without a network, Chromium does not ask the service worker for the tab's icon.
    const isOfIcon = message.location().url.endsWith("/icon.svg");
    if (!isOfIcon && message.text() !== BLOCKED) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(stage.origin)) complaints.push(`request to ${request.url()}`);
  });
}

/**
 * Opens the page in a window of this size, with a fragment if there is one.
 *
 * @param {Pick<Stage, "page" | "origin">} stage
 * @param {string} [fragment] with its `#`
 * @param {{ width?: number, height?: number }} [size]
 */
export async function open({ page, origin }, fragment = "", { width, height = 900 } = {}) {
  if (width !== undefined) await page.setViewportSize({ width, height });
  await page.goto(origin + fragment);
  await page.locator("main > .stack").waitFor();
  return page;
}

/**
 * Serves the built page from a host that only serves files, and makes it this test's origin.
 *
 * @param {Stage} stage @param {string} [directory]
 */
export async function serveFiles(stage, directory) {
  const host = await startStaticHost(BUILT, directory);
  stage.origin = host.url;
  return host;
}

/**
 * Removes the complaints. Each must be Chromium's report of an answer with this status.
 *
 * @param {Stage} stage @param {number} status
 */
export function expectStatus(stage, status) {
  const expected = stage.complaints.splice(0);
  assert.ok(expected.length > 0);
  for (const complaint of expected) {
    assert.match(complaint, new RegExp(`^Failed to load resource.* ${status} `));
  }
}

/**
 * Pastes as a visitor does by keyboard, wherever the focus is.
 *
 * @param {Page} page @param {string} text
 */
export async function paste(page, text) {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
  }, text);
}

/**
 * Presses a button, and returns what it has copied.
 *
 * @param {Page} page
 * @param {string} selector of the button
 */
export async function copied(page, selector) {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.locator(selector).first().click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== "");
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Returns the answer: the system, the date, and the value of each field. @param {Page} page */
export async function answer(page) {
  const time = page.locator("#answer #time");
  const values = await page
    .locator("#fields .field")
    .evaluateAll((fields) =>
      fields.map((field) =>
        [".swatch", ".value"].map((part) => field.querySelector(part)?.textContent),
      ),
    );
  return {
    system: await page.textContent("#answer #system"),
    time: (await time.count()) === 0 ? "" : await time.getAttribute("datetime"),
    fields: Object.fromEntries(values),
  };
}

/** Opens a folded section. @param {Page} page @param {string} id */
export async function unfold(page, id) {
  if ((await page.locator(`#${id}[open]`).count()) > 0) return;
  await page.locator(`#${id} > summary`).click();
}

/** Chooses a system as a visitor does. @param {Page} page @param {string} preset */
export async function chooseSystem(page, preset) {
  await unfold(page, "systems");
  await page.locator("#candidates").waitFor();
  const more = page.locator("#more-candidates", { hasText: "more" });
  if ((await more.count()) > 0) await more.click();
  await page.click(`#candidates button[value="${preset}"]`);
}

/** Returns the texts of all matching elements. @param {Page} page @param {string} selector */
export async function texts(page, selector) {
  return (await page.locator(selector).allTextContents()).map((text) => text.trim());
}

/**
 * Waits until an input has a value, for example after the browser has gone back.
 *
 * @param {Page} page @param {string} selector @param {string} value
 */
export async function untilValue(page, selector, value) {
  await page.waitForFunction(
    ([place, expected]) => {
      const input = document.querySelector(place);
      return input !== null && "value" in input && input.value === expected;
    },
    [selector, value],
  );
}

/** axe's rules, with one that it leaves out by default. */
const ALL = { rules: { "target-size": { enabled: true } } };
/** The rules that can give other results in another colour scheme. */
const OF_COLOURS = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };
/** The rules that can give other results at another width. */
const OF_PLACES = {
  runOnly: { type: "rule", values: ["target-size", "scrollable-region-focusable"] },
};

/**
 * The looks of the page, by name. Only in the first one are all rules of axe checked, because most
 * rules give the same result in every look.
 *
 * @type {Record<string, Parameters<Page["emulateMedia"]>[0]>}
 */
const LOOKS = {
  light: { colorScheme: "light", forcedColors: "none" },
  dark: { colorScheme: "dark", forcedColors: "none" },
  "forced-light": { colorScheme: "light", forcedColors: "active" },
  "forced-dark": { colorScheme: "dark", forcedColors: "active" },
};

/**
 * Fails if text is cut off in one of the looks, or if axe finds an accessibility problem. If the
 * variable EDGEFLAKE_PICTURES is set, it saves pictures in tests/page/screenshots.
 *
 * @param {Page} page
 * @param {string} name the name of the pictures
 */
export async function checkLooks(page, name) {
  const [first] = Object.keys(LOOKS);
  for (const [look, media] of Object.entries(LOOKS)) {
    await page.emulateMedia(media);
    // Wait for the end of all transitions, so that every element has its final colour.
    await page.evaluate(() =>
      Promise.allSettled(document.getAnimations().map((one) => one.finished)),
    );
    await checkCut(page);
    await checkAccess(page, look === first ? ALL : OF_COLOURS);
    if (!process.env.EDGEFLAKE_PICTURES) continue;
    const path = new URL(`${name}-${look}.png`, SCREENSHOTS).pathname;
    await page.screenshot({ path, fullPage: true, animations: "disabled" });
  }
}

/**
 * Fails if text is cut off, if a click target is too small, or if the keyboard cannot reach a
 * scrollable region.
 *
 * @param {Page} page
 */
export async function checkPlaces(page) {
  await checkCut(page);
  await checkAccess(page, OF_PLACES);
}

/** Fails if the page is wider than its window. @param {Page} page */
async function checkCut(page) {
  const cut = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(cut, 0, `at ${page.viewportSize()?.width} px`);
}

/** Fails if axe finds an accessibility problem. @param {Page} page @param {object} [options] */
export async function checkAccess(page, options = ALL) {
  // axe is loaded only once per page, because loading axe takes as long as checking the colours.
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (options) => {
    // @ts-expect-error The script above has defined it.
    const result = await window.axe.run(document, options);
    return result.violations.map((/** @type {any} */ { id, nodes }) => [
      id,
      nodes.map((/** @type {any} */ node) => `${node.html.slice(0, 160)} ${node.failureSummary}`),
    ]);
  }, options);
  assert.deepEqual(violations, []);
}
