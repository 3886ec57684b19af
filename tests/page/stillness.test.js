// The strip does not move while it is used.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, stage } from "./harness/stage.js";

const found = stage();
const TWEET = "1593572310593806338";

/** @param {import("playwright-core").Page} page */
async function topOfStrip(page) {
  return page.locator("#strip").evaluate((strip) => strip.getBoundingClientRect().top);
}

for (const width of [390, 800, 1440]) {
  test(`at ${width} px a dragged border stays below the pointer, whatever is said about it`, async () => {
    const page = await open(found, `#${TWEET}`, { width });
    const top = await topOfStrip(page);
    const border = page.getByRole("separator", { name: "border between timestamp and datacenter" });
    const warnings = page.locator("#warnings li");
    assert.equal(await warnings.count(), 0);
    const cells = page.locator("#strip .cell");
    await border.hover();
    await page.mouse.down();
    for (const at of [41, 40, 38, 36]) {
      const box = await cells.nth(at).boundingBox();
      assert.ok(box);
      await page.mouse.move(box.x + 1, box.y + box.height / 2);
      assert.equal(await topOfStrip(page), top);
      assert.equal(
        await page.inputValue('#fields [aria-label="value of timestamp"]'),
        `${BigInt(TWEET) >> BigInt(64 - at)}`,
      );
    }
    await page.mouse.up();
    const dropped = await page.inputValue("#layout");
    await page.getByRole("separator").last().hover();
    assert.equal(await page.inputValue("#layout"), dropped);
    // This warning made the strip jump when it was above.
    assert.ok((await warnings.count()) > 0);
    const [warning, strip] = await Promise.all(
      [warnings.first(), page.locator("#strip")].map((one) => one.boundingBox()),
    );
    assert.ok(warning && strip && warning.y > strip.y + strip.height);
  });

  test(`at ${width} px the same bit is pressed twice, also one that the layout refuses`, async () => {
    const { page } = found;
    await page.setViewportSize({ width, height: 900 });
    for (const fragment of [`#${TWEET}`, "#text=0x161d7a7a1997a002&encoding=hex&layout=twitter"]) {
      await page.goto("about:blank");
      await open(found, fragment);
      const before = await page.inputValue("#text");
      for (const at of [0, 1, 5, 63]) {
        const box = await page.locator("#strip .cell").nth(at).boundingBox();
        assert.ok(box);
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const top = await topOfStrip(page);
        await page.mouse.click(x, y);
        assert.notEqual(await page.inputValue("#text"), before);
        assert.equal(await topOfStrip(page), top);
        await page.mouse.click(x, y);
        assert.equal(await page.inputValue("#text"), before, `bit ${at}`);
      }
    }
  });
}

for (const width of [390, 1440]) {
  test(`at ${width} px the page does not move while it opens`, async () => {
    const { page } = found;
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
    // The network is so slow that the page is drawn before its script has run.
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await open(found);
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    const moved = await page.evaluate(() => Number(document.documentElement.dataset.moved ?? 0));
    // https://web.dev/articles/cls calls less than 0.1 good.
    assert.ok(moved < 0.05, `${moved}`);
  });
}
