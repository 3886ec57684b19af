// The page that `npm run dev` serves, in headless Chromium. Whatever it complains of, or asks of
// any other host, fails the test.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";
import axe from "axe-core";
import { launchChromium } from "../../../tools/serve/chromium.js";
import { startDev } from "../../../tools/serve/dev-server.js";
import { SHARED } from "./shared-server.js";

/** 2026-11-22: which systems can have made an id, and which dates are in the future, depend on it. */
export const NOW_MS = Date.UTC(2026, 10, 22);

const SCREENSHOTS = new URL("../screenshots/", import.meta.url);

/**
 * @typedef {object} Stage
 * @property {import("playwright-core").Browser} browser
 * @property {import("playwright-core").Page} page a new one for each test
 * @property {string} origin
 * @property {string[]} complaints of the page, which a test that provokes one takes away
 */

/**
 * Hooks of this test file; its fields are there within the tests. The page's date stands at
 * {@link NOW_MS} unless the file runs with the clock of the machine, as what asks the server does.
 *
 * @param {{ args?: string[], isRealTime?: boolean }} [options] `args` of the dev server
 */
export function stage({ args, isRealTime = false } = {}) {
  const found = /** @type {Stage} */ (/** @type {Partial<Stage>} */ ({ complaints: [] }));
  /** @type {Awaited<ReturnType<typeof startDev>> | undefined} */
  let dev;
  let origin = args === undefined ? process.env[SHARED] : undefined;

  before(async () => {
    if (origin === undefined) {
      dev = await startDev(args);
      origin = dev.url;
    }
    found.browser = await launchChromium();
  });

  after(async () => {
    await found.browser?.close();
    await dev?.stop();
  });

  beforeEach(async () => {
    found.origin = `${origin}`;
    found.page = await found.browser.newPage();
    found.complaints = [];
    watch(found, found.page);
    if (!isRealTime) await found.page.clock.setFixedTime(NOW_MS);
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
export function watch(stage, page) {
  const { complaints } = stage;
  page.on("console", (message) => {
    // Offline, Chromium does not ask the page's own worker for the icon of the tab.
    if (!message.location().url.endsWith("/icon.svg")) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(stage.origin)) complaints.push(`request to ${request.url()}`);
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
  await page.locator("#question:enabled").waitFor({ state: "attached" });
  await page.locator("#read-as, #text-error").first().waitFor({ state: "attached" });
}

/**
 * Pastes as a visitor does with the keyboard, wherever the focus is.
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
 * Waits until an input has a value, as after the browser has gone back.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} selector
 * @param {string} value
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

/**
 * Has the page look as in these media, once no colour is on its way to another one.
 *
 * @param {import("playwright-core").Page} page
 * @param {Parameters<import("playwright-core").Page["emulateMedia"]>[0]} media
 */
export async function emulate(page, media) {
  await page.emulateMedia(media);
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map((one) => one.finished)),
  );
}

/** The rules of axe that depend on colours; all others find the same in another colour scheme. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * Fails if axe finds a barrier.
 *
 * @param {import("playwright-core").Page} page
 * @param {"all" | "colours"} [rules] only those of colours for a page that was checked in another scheme
 */
export async function checkAccess(page, rules = "all") {
  // It takes as long as the rules of colours do.
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axe.source);
  const options =
    rules === "all"
      ? { rules: { "target-size": { enabled: true } } }
      : { runOnly: { type: "rule", values: OF_COLOURS } };
  const violations = await page.evaluate(async (options) => {
    // @ts-expect-error The line above has put it there.
    const result = await window.axe.run(document, options);
    return result.violations.map((/** @type {any} */ { id, nodes }) => [
      id,
      nodes.map((/** @type {any} */ node) => `${node.html.slice(0, 160)} ${node.failureSummary}`),
    ]);
  }, options);
  assert.deepEqual(violations, []);
}

/**
 * A picture to look at, where the variable EDGEFLAKE_PICTURES asks for them.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} name
 */
export async function screenshot(page, name) {
  if (!process.env.EDGEFLAKE_PICTURES) return;
  const path = new URL(`${name}.png`, SCREENSHOTS).pathname;
  await page.screenshot({ path, fullPage: true, animations: "disabled" });
}
