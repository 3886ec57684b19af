import assert from "node:assert/strict";
import { test } from "node:test";
import { Layout } from "edgeflake";
import { answer, NOW_MS, open, stage, texts } from "./harness/stage.js";

const found = stage();
const TWITTER_ID = "1541815603606036480";
const OWN = "timestamp:32 tag.kind:4 node:9 sequence:8 @1600000000000 tick=1000ms";

/** @param {import("playwright-core").Page} page */
async function widths(page) {
  return page
    .locator("#layout-fields .bits-of")
    .evaluateAll((inputs) =>
      inputs.map((input) => (input instanceof HTMLInputElement ? input.value : "")).join(" "),
    );
}

test("a layout of one's own, as text", async () => {
  const { page } = found;
  await open(found, "#design&text=2097665");
  await page.fill("#layout", OWN);
  assert.equal(await page.inputValue("#preset"), "");
  assert.equal(await page.textContent("#system"), "your own layout");
  assert.deepEqual(await answer(page), {
    time: "2020-09-13T12:26:41.000Z",
    node: "2",
    sequence: "1",
  });
  assert.equal(await page.textContent("#tag"), "0");
  assert.equal(await page.locator("#strip .cell.outside").count(), 11);
  await page.fill("#layout", "timestamp:41 node @0");
  assert.match(`${await page.textContent("#layout-error")}`, /^layout string at position 13: /);
});

test("borders move by arrow keys, to one bit and no further", async () => {
  const { page } = found;
  await open(found, `#design&text=${TWITTER_ID}&layout=twitter`);
  const border = page.getByRole("separator", { name: "border between worker and sequence" });
  await border.focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await widths(page), "1 41 5 4 13");
  assert.equal(await border.getAttribute("aria-valuenow"), "4");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await widths(page), "1 41 5 6 11");
  for (let i = 0; i < 20; i++) await page.keyboard.press("ArrowRight");
  assert.equal(await widths(page), "1 41 5 16 1");
  assert.equal(await page.inputValue("#text"), TWITTER_ID);
});

test("borders move by mouse", async () => {
  const { page } = found;
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(found, `#design&text=${TWITTER_ID}&layout=twitter`);
  const border = page.getByRole("separator", { name: "border between worker and sequence" });
  await border.hover();
  await page.mouse.down();
  const box = await page.locator("#strip .cell").nth(55).boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 2, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  assert.equal(await widths(page), "1 41 5 8 9");
  await page.mouse.move(box.x - 100, box.y + box.height / 2);
  assert.equal(await widths(page), "1 41 5 8 9");
});

test("borders move by touch", async () => {
  const context = await found.browser.newContext({
    hasTouch: true,
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  await page.goto(`${found.origin}#design&text=${TWITTER_ID}&layout=twitter`);
  const border = page.getByRole("separator", { name: "border between worker and sequence" });
  await border.scrollIntoViewIfNeeded();
  const from = await border.boundingBox();
  const to = await page.locator("#strip .cell").nth(58).boundingBox();
  assert.ok(from && to);
  const session = await context.newCDPSession(page);
  /** @param {"touchStart" | "touchMove" | "touchEnd"} type @param {number} x @param {number} y */
  const touch = (type, x, y) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x, y }],
    });
  await touch("touchStart", from.x + from.width / 2, from.y + from.height / 2);
  await touch("touchMove", to.x + 2, to.y + to.height / 2);
  await touch("touchEnd", 0, 0);
  assert.equal(await widths(page), "1 41 5 11 6");
  await context.close();
});

test("fields are added, named, widened, moved and removed", async () => {
  const { page } = found;
  await open(found, `#design&text=${TWITTER_ID}&layout=twitter`);
  await page.click("#add-field");
  await page.keyboard.type("kind");
  assert.equal(
    await page.inputValue("#layout"),
    "unused:1 timestamp:40 node.datacenter:5 node.worker:5 sequence:12 tag.kind:1 " +
      "@1288834974657 tick=1ms",
  );
  const bits = page.locator("#layout-fields .bits-of");
  await bits.nth(4).fill("9");
  await bits.nth(5).fill("4");
  assert.match(await page.inputValue("#layout"), /sequence:9 tag.kind:4 /);
  await page.getByRole("button", { name: "Move kind up" }).click();
  assert.match(await page.inputValue("#layout"), /tag.kind:4 sequence:9 /);
  await page.getByRole("button", { name: "Remove datacenter" }).click();
  assert.match(await page.inputValue("#layout"), /timestamp:40 node.worker:5 tag/);
  await page.selectOption("#layout-fields select >> nth=3", "node");
  assert.match(await page.inputValue("#layout"), /node.kind:4 /);
  await bits.nth(1).fill("60");
  assert.match(`${await page.textContent("#layout-error")}`, /60 bits ends after/);
  await bits.nth(1).fill("40");
  assert.equal(await page.textContent("#layout-error"), "");
  assert.deepEqual(await texts(page, "#fields .swatch"), [
    "unused",
    "timestamp",
    "worker",
    "kind",
    "sequence",
  ]);
});

test("epoch and tick; what the layout holds follows at once", async () => {
  const { page } = found;
  await open(found, `#design&text=${TWITTER_ID}&layout=twitter`);
  await page.fill("#epoch", "2020-01-01");
  await page.fill("#tick", "10");
  const layout = Layout.parse(await page.inputValue("#layout"));
  assert.equal(layout.epochMs, Date.UTC(2020, 0, 1));
  assert.equal(layout.tickMs, 10);
  const { nodes, idsPerTick, expiresAt } = layout.info();
  assert.equal(await page.textContent("#layout-nodes"), nodes.toLocaleString("en"));
  assert.equal(await page.textContent("#layout-rate"), (idsPerTick * 100).toLocaleString("en"));
  const day = expiresAt.toISOString().slice(0, 10);
  assert.equal(await page.textContent("#layout-end"), day);
  await page.fill("#epoch", "soon");
  assert.match(`${await page.textContent("#layout-error")}`, /^the epoch "soon" is no date/);
});

test("the epoch of today is a press away", async () => {
  const { page } = found;
  await open(found, `#design&text=${TWITTER_ID}&layout=twitter`);
  await page.click("#epoch-today");
  assert.equal(await page.inputValue("#epoch"), new Date(NOW_MS).toISOString());
  assert.equal(Layout.parse(await page.inputValue("#layout")).epochMs, NOW_MS);
});

const fits = [
  ["twitter", "always", "no"],
  ["discord", "until 2084-09-06", "no"],
  ["js-safe", "always", "always"],
];

test("whether ids fit a signed 64-bit integer and a JavaScript number", async () => {
  const { page } = found;
  for (const [layout, signed, number] of fits) {
    await open(found, `#design&layout=${layout}`);
    assert.equal(await page.textContent("#layout-signed"), signed, layout);
    assert.equal(await page.textContent("#layout-number"), number, layout);
  }
});

for (const width of [390, 1440]) {
  test(`at ${width} px what moves and removes a field is at least 32 px wide and high`, async () => {
    const { page } = found;
    await page.setViewportSize({ width, height: 900 });
    await open(found, "#design");
    for (const button of await page.locator(".row-buttons button").all()) {
      const box = await button.boundingBox();
      assert.ok(box && box.width >= 32 && box.height >= 32);
    }
  });
}

const copies = [
  ["twitter", "#as-toml", '[vars]\nEDGEFLAKE_LAYOUT = "twitter"'],
  ["twitter", "#as-js", 'Layout.preset("twitter")'],
  [OWN, "#as-toml", `[vars]\nEDGEFLAKE_LAYOUT = "${OWN}"`],
  [OWN, "#as-js", `Layout.parse(\n  "${OWN}",\n)`],
  [OWN, "#as-rust", `"${OWN}".parse()?`],
];

test("the layout is copied as a layout string, variables, JavaScript and Rust", async () => {
  const { page } = found;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(found, `#design&${new URLSearchParams({ text: "1", layout: OWN })}`);
  await page.click("#layout-copy button");
  await page.locator("#status", { hasText: "layout string copied" }).waitFor({ state: "attached" });
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), OWN);
  for (const [layout, place, text] of copies) {
    await open(found, `#design&${new URLSearchParams({ text: "1", layout })}`);
    await page.click(`${place}-copy button`);
    await page.getByText("copied", { exact: false }).first().waitFor({ state: "attached" });
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(copied.includes(text), copied);
    assert.equal(copied, await page.textContent(place));
  }
});

for (const [width, columns] of [
  [390, 16],
  [800, 32],
  [1440, 64],
]) {
  test(`at ${width} px the strip has ${columns} cells a row, for keys and borders too`, async () => {
    const { page } = found;
    await page.setViewportSize({ width, height: 900 });
    await open(found, `#text=${TWITTER_ID}&layout=twitter`);
    const cells = page.locator("#strip .cell");
    await page.focus("#strip");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    const at = Math.min(63, columns);
    assert.equal(await page.getAttribute("#strip", "aria-activedescendant"), `bit-${63 - at}`);
    const first = await cells.nth(0).boundingBox();
    const below = await cells.nth(columns % 64).boundingBox();
    assert.ok(first && below);
    assert.equal(below.x, first.x);
    assert.ok(columns === 64 || below.y > first.y);
    // Each border's handle stands below the left edge of its field's first cell.
    for (const [i, at] of [1, 42, 47, 52].entries()) {
      const border = await page.getByRole("separator").nth(i).boundingBox();
      const cell = await cells.nth(at).boundingBox();
      assert.ok(border && cell);
      assert.ok(border.width >= 24 && border.height >= 24);
      assert.ok(Math.abs(border.x + border.width / 2 - cell.x) < 3, `${at}`);
      assert.ok(Math.abs(border.y - cell.y - cell.height) < 4, `${at}`);
    }
  });
}

/** The widths that one of twitter's five fields is given, and what is then left for all of them. */
const borrowed = [
  [1, 42, "1 42 4 5 12"],
  [1, 50, "1 50 1 1 11"],
  [2, 10, "1 40 10 1 12"],
  [4, 14, "1 41 5 3 14"],
  [4, 20, "1 41 1 1 20"],
];

test("a wider field takes bits from its neighbours, the nearest ones first", async () => {
  const { page } = found;
  for (const [at, bits, expected] of /** @type {[number, number, string][]} */ (borrowed)) {
    await open(found, `#design&text=${TWITTER_ID}&layout=twitter`);
    const input = page.locator("#layout-fields .bits-of").nth(at);
    // What is typed on the way to it is a width as well.
    await input.fill("60");
    await input.fill(`${bits}`);
    assert.equal(await page.textContent("#layout-error"), "", `${at} ${bits}`);
    assert.equal(await widths(page), expected);
    const fields = Layout.parse(await page.inputValue("#layout")).fields;
    assert.equal(fields.map((field) => field.bits).join(" "), expected);
  }
  // Which gave, and how many there are.
  const taken = page.locator("#bits-taken");
  assert.equal(
    await taken.textContent(),
    "sequence has taken 4 bits from datacenter and 4 bits from worker",
  );
  assert.equal(await page.textContent("#bits-total"), "63 of 64 bits used, 1 free");
  await page.click("#add-field");
  assert.equal(await taken.textContent(), "tag has taken 1 bit from timestamp");
  await page.getByRole("button", { name: "Remove tag" }).click();
  assert.equal(await taken.textContent(), "");
  assert.equal(await page.textContent("#bits-total"), "62 of 64 bits used, 2 free");
  await open(found, `#design&text=${TWITTER_ID}&layout=twitter`);
  const last = page.locator("#layout-fields .bits-of").nth(4);
  await last.fill("61");
  assert.equal(await page.textContent("#bits-total"), "113 of 64 bits used, 49 too many");
  assert.match(`${await page.textContent("#layout-error")}`, /at most 64$/);
});
