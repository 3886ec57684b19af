// Measures the longest tasks of the page with many lines. Each line has a time and an id. The times
// ascend, but the ids are in no order.

import { Layout } from "edgeflake";

export const ROWS = 200_000;
/** All tasks of a change end within this time after the change, in ms. */
const PAUSE_MS = 500;

const PASTED = "pasted";

/** Changes that concern all rows, each with the element to click. @type {[string, string][]} */
const CHANGES = [
  ["sorted by id", 'thead button[value="id"]'],
  ["a bit changed", "#strip .cell:nth-child(60)"],
  ["Design opened", '#parts a[href^="#design"]'],
  ["Many opened", '#parts a[href^="#many"]'],
  ["systems shown", "#systems > summary"],
  ["another system", '#candidates button[value="discord"]'],
];

/**
 * Pastes the lines and makes the changes. Returns the longest task of each change in ms, or 0 if no
 * task took 50 ms or more.
 *
 * @param {import("playwright-core").Page} page @returns {Promise<[name: string, ms: number][]>}
 */
export async function longTasks(page) {
  const found = [];
  const observed = await page.evaluateHandle(observe, `time,id\n${lines()}`);
  for (const [name, selector] of [[PASTED, "body"], ...CHANGES]) {
    await observed.evaluate(({ clipboardData, tasks }, selector) => {
      tasks.length = 0;
      const place = /** @type {HTMLElement} */ (document.querySelector(selector));
      if (selector !== "body") place.click();
      else place.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, selector);
    if (name === PASTED) await page.locator("#plot canvas").waitFor();
    await page.waitForTimeout(PAUSE_MS);
    const longest = await observed.evaluate(({ tasks }) => Math.max(0, ...tasks));
    found.push(/** @type {[string, number]} */ ([name, longest]));
  }
  return found;
}

/**
 * Runs in the page. Passing the text to the page takes long, so the text is passed before the first
 * measurement.
 *
 * @param {string} text
 */
function observe(text) {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  /** @type {number[]} */
  const tasks = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  });
  observer.observe({ type: "longtask" });
  return { clipboardData, tasks, observer };
}

function lines() {
  const layout = Layout.preset("twitter");
  const startMs = Date.UTC(2024, 0, 1);
  return Array.from({ length: ROWS }, (_, i) => {
    const id = layout.encode({ timestampMs: startMs + ((i * 7919) % ROWS) * 20 });
    return `${new Date(startMs + i * 20 + 40).toISOString()},${id}`;
  }).join("\n");
}
