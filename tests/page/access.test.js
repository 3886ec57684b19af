// The page is usable by keyboard, by ear, in a reader's own colours, on paper and enlarged.

import assert from "node:assert/strict";
import { test } from "node:test";
import { format } from "edgeflake";
import { open, paste, stage } from "./harness/stage.js";

const found = stage();
const TWEET = "1593572310593806338";

/** @param {import("playwright-core").Page} page */
async function isFocusLost(page) {
  // When the browser draws, it takes the focus from removed elements.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  return page.evaluate(() => document.activeElement === document.body);
}

test("Enter presses what a mouse presses, and leaves the focus where it was", async () => {
  const page = await open(found);
  for (const name of ["tweet", "Discord", "Instagram", "Mastodon in hex", "date", "log"]) {
    const chip = page.locator("#examples").getByRole("button", { name, exact: true });
    await chip.press("Enter");
    assert.ok(await chip.evaluate((button) => button === document.activeElement), name);
  }
  // The last example was the log.
  await page.press('thead button[value="id"]', "Enter");
  const row = page.locator("#table-rows button").first();
  assert.equal(await row.textContent(), "86913608335773696");
  await row.press("Enter");
  assert.equal(await page.textContent("#which"), "id 2 of 3");
  assert.ok(await row.evaluate((button) => button === document.activeElement));
  await page.fill("#text", format(TWEET, "base58"));
  await page.locator("#other-encodings button").first().press("Enter");
  assert.equal(await isFocusLost(page), false);
  await page.locator('#candidates button[value="discord"]').press("Enter");
  await page.locator("#likeliest").press("Enter");
  assert.equal(await isFocusLost(page), false);
  await page.locator("#undo").press("Enter");
  assert.equal(await isFocusLost(page), false);
});

test("the date and the system are announced when they change", async () => {
  const page = await open(found);
  for (const selector of ["#time", "#system"]) {
    const region = page.locator(`${selector}:is([aria-live=polite], [aria-live=polite] *)`);
    assert.equal(await region.count(), 1, selector);
  }
  await paste(page, "175928847299117063");
  assert.equal(await page.textContent("[aria-live=polite] #time"), "2016-04-30T11:18:25.796Z");
});

/** @param {import("playwright-core").Page} page */
async function coloursOfOnes(page) {
  return page.locator("#strip .cell.one").evaluateAll((cells) => {
    const colours = cells.map((cell) => getComputedStyle(cell).backgroundColor);
    return new Set(colours).size;
  });
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`in a reader's own colours the fields differ, ${colorScheme}`, async () => {
    const { page } = found;
    await page.emulateMedia({ forcedColors: "active", colorScheme });
    await open(found, `#${TWEET}`);
    // Timestamp, datacenter, worker and sequence each have a 1.
    assert.equal(await coloursOfOnes(page), 4);
    const zero = await page
      .locator("#strip .cell:not(.one)")
      .first()
      .evaluate((cell) => getComputedStyle(cell).backgroundColor);
    const page_ = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(zero, page_);
  });
}

test("on paper the strip has its colours", async () => {
  const { page } = found;
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await open(found, `#${TWEET}`);
  assert.equal(await coloursOfOnes(page), 4);
  const style = await page
    .locator("#strip .cell.one")
    .first()
    .evaluate((cell) => {
      const { printColorAdjust, backgroundColor } = getComputedStyle(cell);
      return { printColorAdjust, backgroundColor };
    });
  assert.equal(style.printColorAdjust, "exact");
  // Paper is white, so it has the colours of the light scheme.
  assert.equal(style.backgroundColor, "rgb(31, 95, 214)");
  assert.ok(await page.isHidden("#parts"));
});

test("enlarged to 200 %, no figure is broken", async () => {
  const { page } = found;
  const most = "timestamp:40 node:13 sequence:10 @0 tick=1ms";
  for (const width of [720, 640, 320]) {
    await page.setViewportSize({ width, height: 450 });
    for (const [part, text] of [
      ["", TWEET],
      ["design&", TWEET],
      ["many&", `${TWEET}\n175928847299117063`],
    ]) {
      await open(
        found,
        `#${part}${new URLSearchParams({ text, layout: most, pinned: "timestamp:41 node:10 sequence:12 @0" })}`,
      );
      const broken = await page.evaluate(() =>
        [...document.querySelectorAll("dd, #time, td:not(:has(*)), td > :first-child:is(span)")]
          .filter((place) => place.checkVisibility() && /^\S+$/.test(place.textContent ?? ""))
          .filter((place) => {
            const range = document.createRange();
            range.selectNodeContents(place);
            const tops = [...range.getClientRects()]
              .filter(({ width: w }) => w > 0)
              .map(({ top }) => top);
            return new Set(tops).size > 1;
          })
          .map((place) => place.textContent),
      );
      assert.deepEqual(broken, [], `${width} ${part}`);
      const cut = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(cut, 0, `${width} ${part}`);
    }
  }
});
