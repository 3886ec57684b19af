// Checks the main states of the page in each colour scheme, on a phone and on a wide screen.
// Nothing may be cut off or move, axe may find no accessibility problem, and the focus must move in
// reading order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { format, Layout } from "edgeflake";
import { checkLooks, checkPlaces, open, paste, stage, unfold } from "./harness/stage.js";

const found = stage();

const twitter = Layout.preset("twitter");
const many = Array.from({ length: 5000 }, (_, i) =>
  twitter.encode({
    // The times come in bursts, so that the plot has peaks.
    timestampMs: Date.UTC(2024, 0, 1) + i * 1000 + ((i * i * 7919) % 300_000),
    node: (i * i) % 23,
    sequence: i % 3,
  }),
).join("\n");

const log = Array.from({ length: 300 }, (_, i) => {
  const timestampMs = Date.UTC(2024, 0, 1) + i * 1000;
  const [order, user] = [3, 7].map((node) => twitter.encode({ timestampMs, node }));
  const time = new Date(timestampMs + 40 + ((i * i) % 13)).toISOString();
  return `${time} INFO api GET /orders/${order} status=200 user=${user} took=12ms`;
}).join("\n");

/** @type {[name: string, fragment: string, pasted: string][]} */
const states = [
  ["example", "", ""],
  ["three", "", "1593572310593806338\n0x1565a11f6217a000\nnot-an-id\n175928847299117063"],
  ["many", "#text=1&layout=twitter", many],
  ["own", "#text=2097665&layout=timestamp:32 tag.kind:4 node:9 sequence:8 @1600000000000", ""],
  ["refused", `#text=${format(2n ** 63n, "decimal")}&layout=twitter`, ""],
  ["warned", "#text=18446744073709551615&layout=discord", ""],
  ["empty", "#text=", ""],
  ["unread", "#text=what!", ""],
  ["tie", "#1212161512044122112", ""],
  ["none", "#18446744073709551615", ""],
  ["uuid", "#017F22E2-79B0-7CC3-98C4-DC0C0C07398F", ""],
  ["public", "#ord_kJYnezlDLK7oQV", ""],
  ["log", "", log],
  ["design", "#design&text=1593572310593806338&layout=twitter", ""],
  ["none-many", "#many&text=1593572310593806338", ""],
  ["problem", "#zip=abc", ""],
];

for (const [name, fragment, pasted] of states) {
  test(`${name}, at each width`, async () => {
    for (const [width, narrow] of [
      [1440, 720],
      [390, 320],
    ]) {
      const page = await open(found, fragment, { width });
      if (pasted) await paste(page, pasted);
      await page.locator("main > .stack").waitFor();
      await checkLooks(page, `${name}-${width}`);
      await page.setViewportSize({ width: narrow, height: 900 });
      await checkPlaces(page);
    }
  });
}

/** @type {[part: string, fragment: string, pasted: string][]} */
const orders = [
  ["decode", "", ""],
  ["a tie", "#1212161512044122112", ""],
  // The table shows six lines without scrolling.
  ["many", "", log.split("\n").slice(0, 6).join("\n")],
  ["design", "#design&text=1593572310593806338&layout=twitter", ""],
  ["live", "#live", ""],
];

for (const [part, fragment, pasted] of orders) {
  for (const width of [390, 1440]) {
    test(`the keyboard goes where the eye goes: ${part}, ${width} px`, async () => {
      const { page } = found;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ reducedMotion: "reduce" });
      await open(found, fragment);
      if (pasted) await paste(page, pasted);
      await page.locator("main > .stack").waitFor();
      const places = await tabbed(page);
      assert.ok(places.length >= 10, `${places.map(({ name }) => name)}`);
      for (const [i, place] of places.entries()) {
        assert.ok(place.isSeen, `${place.name} is not visible`);
        if (i === 0) continue;
        const before = places[i - 1];
        // The focus may move up only when it goes to the next column on the right.
        const isUp = place.bottom <= before.top && place.left < before.right;
        assert.ok(!isUp, `${place.name} is above ${before.name}`);
      }
    });
  }
}

/**
 * Returns all elements that Tab reaches, in order, with their places on the page.
 *
 * @param {import("playwright-core").Page} page
 */
async function tabbed(page) {
  const found = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const place = await page.evaluate(() => {
      const { activeElement } = document;
      if (!activeElement || activeElement === document.body) return undefined;
      const isAgain = activeElement.hasAttribute("data-tabbed");
      activeElement.setAttribute("data-tabbed", "");
      // A file input is invisible; people see its label.
      const [label] = activeElement instanceof HTMLInputElement ? (activeElement.labels ?? []) : [];
      const seen = activeElement.classList.contains("unseen") ? label : activeElement;
      const { top, bottom, left, right } = seen.getBoundingClientRect();
      return {
        isAgain,
        name: `${activeElement.id || activeElement.textContent?.trim().slice(0, 40)}`,
        top: top + scrollY,
        bottom: bottom + scrollY,
        left,
        right,
        isSeen: seen.checkVisibility() && right > left && bottom > top,
      };
    });
    if (!place || place.isAgain) return found;
    found.push(place);
  }
}

test("the first view of a wide screen has at most eleven controls", async () => {
  const page = await open(found, "", { width: 1440 });
  const controls = await page.evaluate(() =>
    [...document.querySelectorAll("a, button, input, select, textarea, summary, [tabindex='0']")]
      .filter((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return one.checkVisibility() && top >= 0 && bottom <= innerHeight;
      })
      .map((one) => one.textContent || one.id),
  );
  assert.ok(controls.length <= 11, `${controls}`);
});

test("on a phone the answer is in the first screen, and Decode is short", async () => {
  const page = await open(found, "", { width: 390, height: 844 });
  for (const selector of ["#text", "#system", "#time > :first-child", "#local-time", "#strip"]) {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 844, selector);
  }
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height <= 2000, `${height}`);
});

test("the answer stays in view while one scrolls", async () => {
  const page = await open(found, "", { width: 390, height: 600 });
  assert.equal(await page.locator(".in-view").count(), 0);
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight }));
  const line = page.locator(".in-view");
  await line.waitFor();
  assert.match(`${await line.textContent()}`, /^Twitter2022-11-18 11:50:20.644 UTC/);
});

test("the first Tab reaches a link that skips to the answer", async () => {
  const page = await open(found);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
  // The page does not read the fragment `#main` as its state.
  assert.equal(await page.textContent("#system"), "Twitter");
});

test("Enter presses what a mouse presses, and leaves the focus where it was", async () => {
  const page = await open(found, "#many");
  await paste(page, `1593572310593806338\n175928847299117063\n${format(1n << 60n, "base58")}`);
  await unfold(page, "systems");
  for (const selector of [
    'thead button[value="id"]',
    "#table-rows button >> nth=1",
    "#candidates button >> nth=1",
    "#more-candidates",
  ]) {
    const button = page.locator(selector);
    await button.press("Enter");
    const isFocused = await button.evaluate((one) => one === document.activeElement);
    assert.ok(isFocused, selector);
  }
});

for (const look of /** @type {const} */ ([
  { forcedColors: "active", colorScheme: "light" },
  { forcedColors: "active", colorScheme: "dark" },
  { media: "print", colorScheme: "dark" },
])) {
  test(`the fields have colours of their own: ${JSON.stringify(look)}`, async () => {
    const { page } = found;
    await page.emulateMedia(look);
    await open(found);
    // Timestamp, datacenter, worker and sequence have a colour each.
    const colours = await page
      .locator("#strip .cell.one")
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).backgroundColor));
    assert.equal(new Set(colours).size, 4);
    // Paper is white, so a printed page has the colours of the light scheme.
    if ("media" in look) assert.equal(colours[0], "rgb(47, 87, 212)");
  });
}

test("enlarged or narrow, nothing breaks inside a word", async () => {
  const { page } = found;
  const layout = "timestamp:40 node:13 sequence:10 @0 tick=1ms";
  for (const width of [720, 320]) {
    await page.setViewportSize({ width, height: 450 });
    for (const [part, text] of [
      ["", "1593572310593806338"],
      ["design&", "1593572310593806338"],
      ["many&", "1593572310593806338\n175928847299117063"],
    ]) {
      const query = new URLSearchParams({ text: `${text}`, layout });
      await open(found, `#${part}${query}`);
      const broken = await page.evaluate(() =>
        [
          ...document.querySelectorAll(
            "h1, h2, h3, dt, dd, .swatch, .value, time span, td, th, .button",
          ),
        ]
          .filter(
            (place) =>
              place.childElementCount === 0 &&
              place.checkVisibility() &&
              /^\S+$/.test(place.textContent ?? ""),
          )
          .filter((place) => {
            const range = document.createRange();
            range.selectNodeContents(place);
            const tops = [...range.getClientRects()].filter(({ width: w }) => w > 0);
            return new Set(tops.map(({ top }) => Math.round(top))).size > 1;
          })
          .map((place) => place.outerHTML.slice(0, 200)),
      );
      assert.deepEqual(broken, [], `${width} ${part}`);
      const cut = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(cut, 0, `${width} ${part}`);
    }
  }
});

for (const width of [390, 1440]) {
  test(`at ${width} px the page does not move while it opens`, async () => {
    // A new browser context has nothing in its cache.
    const page = await found.newPage();
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(() => {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value } = /** @type {PerformanceEntry & { value: number }} */ (entry);
          document.documentElement.dataset.moved = String(
            Number(document.documentElement.dataset.moved ?? 0) + value,
          );
        }
      });
      observer.observe({ type: "layout-shift", buffered: true });
    });
    // Slow down the CPU, so that the page is drawn before its script runs.
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await open({ page, origin: found.origin });
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    const moved = await page.evaluate(() => Number(document.documentElement.dataset.moved ?? 0));
    // https://web.dev/articles/cls calls less than 0.1 good.
    assert.ok(moved < 0.05, `${moved}`);
  });
}
