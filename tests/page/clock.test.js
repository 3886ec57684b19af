// The playground: leases and ids on clocks that the visitor breaks. In most tests time passes in
// steps, which is the mode for reduced motion, so that nothing depends on the speed of drawing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAccess, checkLooks, drag, open, stage, texts } from "./harness/stage.js";

const found = stage({ isRealTime: true });

const A = '[data-process="0"]';
const B = '[data-process="1"]';

/** @typedef {import("playwright-core").Page} Page */

/** Opens the playground, in which time stands still. @param {object} [media] */
async function openClock(media = {}) {
  const { page } = found;
  await page.emulateMedia({ reducedMotion: "reduce", ...media });
  await page.goto(`${found.origin}#clock`);
  await page.locator("#clock-play").waitFor();
  return page;
}

/** @param {Page} page @param {number} seconds */
async function step(page, seconds) {
  for (let i = 0; i < seconds; i++) await page.click("#clock-step");
}

/** Presses a button of a clock. @param {Page} page @param {string} card @param {string} value */
async function turn(page, card, value) {
  await page.click(`${card} button[value="${value}"]`);
}

/** Returns the number of duplicates that is shown. @param {Page} page */
async function duplicates(page) {
  const [classic, edgeflake] = await texts(page, ".clock-score strong");
  return { classic: Number(classic), edgeflake: Number(edgeflake) };
}

/**
 * Returns a row of costs: with edgeflake, and with the classic way.
 *
 * @param {Page} page
 * @param {string} key
 */
async function cost(page, key) {
  return texts(page, `[data-cost="${key}"] td`);
}

/**
 * Returns the number before these words in a card.
 *
 * @param {Page} page
 * @param {string} card
 * @param {string} what
 */
async function figure(page, card, what) {
  const text = `${await page.textContent(`${card} .clock-figures`)}`;
  const [, number] = text.match(new RegExp(`([\\d,]+) ${what}`)) ?? assert.fail(text);
  return Number(number.replaceAll(",", ""));
}

test("it is loaded when it is first used, and not before", async () => {
  const { page } = found;
  /** @type {string[]} */
  const loaded = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await open(found);
  const ofPlayground = () => loaded.filter((path) => path.startsWith("/clock/"));
  assert.deepEqual(ofPlayground(), []);
  await page.click("#parts >> text=Clock");
  await page.locator("#clock-canvas").waitFor();
  assert.notEqual(ofPlayground().length, 0);
});

test("after its first use it works offline", async () => {
  const page = await open(found);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await openClock();
  await page.context().setOffline(true);
  await page.reload();
  await page.locator("#clock-canvas").waitFor();
});

test("when it cannot be loaded, it says what to do, and then it loads", async () => {
  const { page } = found;
  await page.route("**/edgeflake_clock_bg.wasm", (route) => route.abort());
  await page.goto(`${found.origin}#clock`);
  await page.getByText("The playground could not be loaded").waitFor();
  found.complaints.splice(0);
  await page.unroute("**/edgeflake_clock_bg.wasm");
  await page.click("#parts >> text=Decode");
  await page.click("#parts >> text=Clock");
  await page.locator("#clock-canvas").waitFor();
  assert.ok(await page.getByText("The playground could not be loaded").isHidden());
});

test("a clock 5 s back: classic snowflake repeats ids, edgeflake continues in order", async () => {
  const page = await openClock();
  const about = `${await page.textContent(".clock-about")}`.replaceAll(/\s+/g, " ");
  assert.match(about, /a lease lasts 20 s and ids may run 6 s ahead of a clock/);
  assert.ok(await page.isHidden("#clock-score-classic"));
  await page.check("#clock-classic");
  assert.deepEqual(await duplicates(page), { classic: 0, edgeflake: 0 });
  await turn(page, A, "-5000");
  assert.equal(await page.textContent(`${A} .clock-offset`), "5.0 s behind");
  assert.equal(await page.textContent("#clock-said"), "The clock of A is 5.0 s behind.");
  await step(page, 2);
  assert.match(
    `${await page.textContent(`${A} .clock-doing`)}`,
    /^Goes on after its newest id, in order, \d\.\d s ahead of its clock\.$/,
  );
  await step(page, 4);
  const { classic, edgeflake } = await duplicates(page);
  assert.ok(classic > 5, `${classic}`);
  assert.equal(edgeflake, 0);
  // Only the order suffers, and no request waits.
  assert.match((await cost(page, "latestMs"))[0], /^\d\.\d s$/);
  assert.equal((await cost(page, "failed"))[0], "0");
  assert.match((await cost(page, "longestMs"))[0], /^[1-9]\d ms$/);
  assert.match(
    `${await page.textContent("#clock-summary")}`,
    new RegExp(
      `edgeflake has issued [\\d,]+ ids, no two of them equal\\. 3 rectangles were granted, and no ` +
        `two overlap\\..*The classic snowflake issued [\\d,]+ ids, ${classic} of them duplicates\\.`,
    ),
  );
});

for (const [value, off] of [
  ["3600000", "1 h ahead"],
  ["-3600000", "1 h behind"],
]) {
  test(`a clock ${off}: its process gets no id, the others do, until it is corrected`, async () => {
    const page = await openClock();
    await turn(page, B, value);
    assert.equal(await page.textContent(`${B} .clock-offset`), off);
    await step(page, 7);
    const said = `${await page.textContent(`${B} .clock-doing`)}`;
    assert.match(
      said,
      /^No ids: clocks disagree by \d+ ms: .*at most 10000 ms are allowed, so set/,
    );
    const [stopped, went] = [await figure(page, B, "ids"), await figure(page, A, "ids")];
    assert.ok((await figure(page, B, "got no id")) > 0);
    await step(page, 2);
    assert.equal(await figure(page, B, "ids"), stopped);
    assert.ok((await figure(page, A, "ids")) > went);
    await turn(page, B, "right");
    await step(page, 5);
    assert.ok((await figure(page, B, "ids")) > stopped);
    assert.match(`${await page.textContent(`${B} .clock-doing`)}`, /^Issues from its rectangle/);
    assert.deepEqual((await duplicates(page)).edgeflake, 0);
  });
}

test("a clock that stands still: ids come from the old rectangle, until it runs", async () => {
  const page = await openClock();
  const freeze = page.locator(`${A} button[value="freeze"]`);
  await freeze.click();
  assert.deepEqual(
    [await freeze.textContent(), await freeze.getAttribute("aria-pressed")],
    ["Go on", "true"],
  );
  const reading = await page.textContent(`${A} .clock-reading`);
  const before = await figure(page, A, "ids");
  await step(page, 25);
  assert.equal(await page.textContent(`${A} .clock-reading`), reading);
  assert.match(
    `${await page.textContent(`${A} .clock-doing`)}`,
    /^Goes on in its old rectangle, which no other issuer has\. It ended .* ago\.$/,
  );
  assert.ok((await figure(page, A, "ids")) > before + 1_000);
  await freeze.click();
  assert.equal(await page.textContent(`${A} .clock-offset`), "25.0 s behind");
});

test("one node for two processes: duplicates on correct clocks, but none with leases", async () => {
  const page = await openClock();
  assert.ok(await page.isHidden("#clock-share-row"));
  await page.check("#clock-classic");
  await page.check("#clock-share");
  await step(page, 10);
  const { classic, edgeflake } = await duplicates(page);
  assert.ok(classic > 5, `${classic}`);
  assert.equal(edgeflake, 0);
  await page.click("#clock-again");
  assert.deepEqual((await duplicates(page)).edgeflake, 0);
  assert.equal(await page.textContent(`${A} .clock-reading`), "12:00:12.0");
});

test("the hand of a clock can be dragged, without opening a dot", async () => {
  const page = await openClock();
  const canvas = page.locator("#clock-canvas");
  const { x: left = 0, y: top = 0, width = 0 } = (await canvas.boundingBox()) ?? {};
  // The present is a little right of the middle, and the first lane begins below its title.
  const [x, y] = [left + 64 + (width - 64) * 0.54, top + 28 + 26];
  await page.mouse.move(x, y);
  assert.equal(await canvas.evaluate(({ style }) => style.cursor), "ew-resize");
  await drag(page, { x: x - 100, y });
  const off = `${await page.textContent(`${A} .clock-offset`)}`;
  const [, seconds] = off.match(/^(\d\.\d) s behind$/) ?? assert.fail(off);
  // The picture is 48 s wide.
  assert.ok(Math.abs(Number(seconds) - (100 * 48) / (width - 64)) < 0.2, off);
  assert.equal(await page.textContent("#clock-said"), `The clock of A is ${off}.`);
  assert.equal(await page.textContent("#clock-chosen"), "");
});

test("a pressed dot is shown in the strip", async () => {
  const page = await openClock();
  await page.check("#clock-classic");
  const canvas = page.locator("#clock-canvas");
  const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
  for (const [way, share] of /** @type {const} */ ([
    ["edgeflake", 0.12],
    ["classic", 0.72],
  ])) {
    await canvas.click({ position: { x: width * 0.45, y: height * share } });
    const chosen = `${await page.textContent("#clock-chosen")}`;
    const [, id, kind, node, time, sequence] =
      chosen.match(/^(\d+): (\w+), from [ABC], node (\d), ([\d:.]+), sequence (\d+)\. Its bits/) ??
      assert.fail(chosen);
    assert.equal(kind, way);
    await page.locator("#time").getByText(`2026-01-16T${time}Z`).waitFor();
    assert.equal(await page.textContent("#node"), node);
    assert.equal(await page.textContent("#sequence"), sequence);
    await page.waitForFunction((text) => location.hash.includes(text), id);
    assert.ok(
      await page
        .locator("#strip")
        .evaluate((strip) => strip.getBoundingClientRect().bottom <= innerHeight),
    );
    const system = way === "classic" ? "nodejs-snowflake" : "edgeflake";
    assert.equal(await page.textContent("#system"), system);
    await canvas.scrollIntoViewIfNeeded();
  }
});

test("the keyboard goes from id to id, and opens one", async () => {
  const page = await openClock();
  const id = async () => `${await page.textContent("#clock-chosen")}`.split(":")[0];
  await page.focus("#clock-canvas");
  await page.keyboard.press("ArrowLeft");
  const newest = await id();
  await page.keyboard.press("ArrowLeft");
  const earlier = await id();
  assert.ok(BigInt(earlier) < BigInt(newest), `${earlier} is not before ${newest}`);
  await page.keyboard.press("ArrowRight");
  assert.equal(await id(), newest);
  const node = async () => /node (\d)/.exec(`${await page.textContent("#clock-chosen")}`)?.[1];
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await node(), "1");
  await page.keyboard.press("ArrowDown");
  assert.equal(await node(), "2");
  const chosen = await id();
  await page.keyboard.press("Enter");
  await page.waitForFunction((text) => location.hash.includes(text), chosen);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "clock-canvas");
});

test("with reduced motion, time passes in steps, and only then", async () => {
  const page = await openClock();
  assert.equal(await page.textContent("#clock-play"), "Play");
  const reading = () => page.textContent(`${A} .clock-reading`);
  assert.equal(await reading(), "12:00:12.0");
  await page.evaluate(async () => {
    for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
  });
  assert.equal(await reading(), "12:00:12.0");
  await step(page, 1);
  assert.equal(await reading(), "12:00:13.0");
  assert.match(`${await page.textContent("#clock-said")}`, /^12:00:13\. edgeflake has issued /);
});

test("otherwise time passes while the picture is visible, and can be paused", async () => {
  const page = await openClock({ reducedMotion: "no-preference" });
  const reading = () => page.textContent(`${A} .clock-reading`);
  await page.waitForFunction(
    (selector) => `${document.querySelector(selector)?.textContent}` > "12:00:13",
    `${A} .clock-reading`,
  );
  await page.click("#clock-play");
  const paused = await reading();
  await page.evaluate(async () => {
    for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
  });
  assert.equal(await reading(), paused);
  await page.click("#clock-play");
  await page.waitForFunction(
    ([selector, before]) => `${document.querySelector(selector)?.textContent}` > before,
    [`${A} .clock-reading`, `${paused}`],
  );
});

/**
 * Counts the pixels of the canvas in a colour of its style.
 *
 * @param {Page} page
 * @param {string} name
 */
async function drawn(page, name) {
  return page.locator("#clock-canvas").evaluate((element, variable) => {
    const canvas = /** @type {HTMLCanvasElement} */ (element);
    // This reads a copy because Chromium complains about a canvas that is read often.
    const context = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    context?.drawImage(canvas, 0, 0);
    const data = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const colour = getComputedStyle(canvas).getPropertyValue(variable).match(/\d+/g) ?? [];
    const [red, green, blue] = colour.map(Number);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      const far = [data[i] - red, data[i + 1] - green, data[i + 2] - blue].map(Math.abs);
      if (data[i + 3] === 255 && Math.max(...far) < 24) count++;
    }
    return count;
  }, `--clock-${name}`);
}

test("each process is drawn in its colour, and duplicates in red", async () => {
  const page = await openClock();
  await page.check("#clock-classic");
  for (const name of ["a", "b", "c"]) assert.ok((await drawn(page, name)) > 500, name);
  assert.equal(await drawn(page, "error"), 0);
  await turn(page, A, "-5000");
  await step(page, 6);
  assert.ok((await drawn(page, "error")) > 100);
});

/** @type {[name: string, run: (page: Page) => Promise<void>][]} */
const states = [
  ["rest", async () => {}],
  [
    "back",
    async (page) => {
      await turn(page, A, "-5000");
      await step(page, 3);
    },
  ],
  [
    "ahead",
    async (page) => {
      await turn(page, B, "3600000");
      await step(page, 8);
    },
  ],
  [
    "opened",
    async (page) => {
      await page.focus("#clock-canvas");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Enter");
      await page.locator("#strip").waitFor();
    },
  ],
  [
    "classic",
    async (page) => {
      await page.check("#clock-classic");
      await turn(page, A, "-5000");
      await step(page, 6);
      await page.click(".clock-about summary");
    },
  ],
];

for (const [name, run] of states) {
  for (const width of [390, 1440]) {
    test(`${name}, ${width} px`, async () => {
      const { page } = found;
      await page.setViewportSize({ width, height: 900 });
      await openClock();
      await run(page);
      await checkLooks(page, `clock-${name}-${width}`);
    });
  }
}

test("at 200 % nothing is cut off", async () => {
  const { page } = found;
  await page.setViewportSize({ width: 640, height: 450 });
  await openClock();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  await page.check("#clock-classic");
  const cut = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(cut, 0);
  await checkAccess(page);
});
