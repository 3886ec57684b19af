// Visitors design layouts, and compare two of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Layout } from "edgeflake";
import { toScale } from "../../www/lifetimes.js";
import { answer, copied, NOW_MS, open, stage, texts } from "./harness/stage.js";

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
  const page = await open(found, "#design&text=2097665");
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
  const page = await open(found, `#design&text=${TWITTER_ID}&layout=twitter`);
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

test("borders move by touch", async () => {
  const page = await found.newPage({ hasTouch: true, viewport: { width: 390, height: 844 } });
  await open({ ...found, page }, `#design&text=${TWITTER_ID}&layout=twitter`);
  const border = page.getByRole("separator", { name: "border between worker and sequence" });
  await border.scrollIntoViewIfNeeded();
  const from = await border.boundingBox();
  const to = await page.locator("#strip .cell").nth(58).boundingBox();
  assert.ok(from && to);
  const session = await page.context().newCDPSession(page);
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
});

test("fields are added, named, widened, moved and removed", async () => {
  const page = await open(found, `#design&text=${TWITTER_ID}&layout=twitter`);
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

test("the layout's capacity follows the epoch and the tick at once", async () => {
  const page = await open(found, `#design&text=${TWITTER_ID}&layout=twitter`);
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

const copies = [
  ["twitter", "#as-toml", '[vars]\nEDGEFLAKE_LAYOUT = "twitter"'],
  ["twitter", "#as-js", 'Layout.preset("twitter")'],
  [OWN, "#as-toml", `[vars]\nEDGEFLAKE_LAYOUT = "${OWN}"`],
  [OWN, "#as-js", `Layout.parse(\n  "${OWN}",\n)`],
  [OWN, "#as-rust", `"${OWN}".parse()?`],
];

test("the layout is copied as a layout string, variables, JavaScript and Rust", async () => {
  const page = await open(found, `#design&${new URLSearchParams({ text: "1", layout: OWN })}`);
  await page.click("#layout-copy button");
  assert.equal(await copied(page, "layout string"), OWN);
  for (const [layout, place, text] of copies) {
    await open(found, `#design&${new URLSearchParams({ text: "1", layout })}`);
    await page.click(`${place}-copy button`);
    const all = await copied(page, "");
    assert.ok(all.includes(text), all);
    assert.equal(all, await page.textContent(place));
  }
});

for (const [width, columns] of [
  [390, 16],
  [800, 32],
  [1440, 64],
]) {
  test(`at ${width} px the strip has ${columns} cells a row, for keys and borders too`, async () => {
    const page = await open(found, `#text=${TWITTER_ID}&layout=twitter`, { width });
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
    // Each border's handle is at the left edge of its field's first cell.
    for (const [i, at] of [1, 42, 47, 52].entries()) {
      const border = await page.getByRole("separator").nth(i).boundingBox();
      const cell = await cells.nth(at).boundingBox();
      assert.ok(border && cell && Math.abs(border.x + border.width / 2 - cell.x) < 3, `${at}`);
    }
  });
}

/** Widths for one of twitter's five fields, and the resulting widths of all of them. */
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
    // A number on the way to it is a width as well.
    await input.fill("60");
    await input.fill(`${bits}`);
    assert.equal(await page.textContent("#layout-error"), "", `${at} ${bits}`);
    assert.equal(await widths(page), expected);
    const fields = Layout.parse(await page.inputValue("#layout")).fields;
    assert.equal(fields.map((field) => field.bits).join(" "), expected);
  }
  // The text names the fields that gave bits, and how many.
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

test("one layout is pinned as A and stands over B", async () => {
  const page = await open(found, `#design&text=${TWITTER_ID}&layout=twitter`);
  assert.ok(await page.isHidden("#comparison"));
  await page.click("#pin");
  await page.selectOption("#preset", "discord");
  assert.deepEqual(await texts(page, ".compare-name"), ["A: Twitter", "B: Discord"]);
  const rows = await texts(page, "#compare-rows tr");
  assert.deepEqual(rows, [
    "Nodes1,0241,024 the same",
    "Ids per second and node4,096,0004,096,000 the same",
    "Ids per second in all4,194,304,0004,194,304,000 the same",
    "Runs out on2080-07-102154-05-15 73 years 307 days later",
    "Fits a signed 64-bit integer" + "always" + "until 2084-09-06 different",
    "Fits a JavaScript number" + "no" + "no the same",
  ]);
  const bars = page.locator(".compare-bar");
  assert.deepEqual(await bars.evaluateAll((all) => all.map((bar) => bar.children.length)), [5, 4]);
  assert.equal(await page.locator("#lifetimes .life").count(), 2);
  assert.equal(
    await page.getAttribute("#lifetimes", "aria-label"),
    "A from 2010-11-04 until 2080-07-10; B from 2015-01-01 until 2154-05-15",
  );
  // The link contains it, and so does the history.
  await page.reload();
  await page.locator("#comparison").waitFor();
  assert.deepEqual(await texts(page, ".compare-name"), ["A: Twitter", "B: Discord"]);
  await page.click("#unpin");
  assert.ok(await page.isHidden("#comparison"));
  await page.goBack();
  await page.locator("#comparison").waitFor();
});

test("the table says how B differs, as B is changed", async () => {
  const page = await open(found, `#design&text=${TWITTER_ID}&layout=twitter`);
  await page.click("#pin");
  await page.locator("#layout-fields .bits-of").nth(2).fill("7");
  await page.fill("#tick", "2");
  const b = Layout.parse(await page.inputValue("#layout"));
  assert.equal(b.info().nodes, 1024);
  assert.deepEqual((await texts(page, "#compare-rows .differs th")).slice(0, 3), [
    "Ids per second and node",
    "Ids per second in all",
    "Runs out on",
  ]);
  const differences = await texts(page, "#compare-rows .aside");
  assert.equal(differences[0], "the same");
  assert.equal(differences[1], "2 times fewer");
  await page.selectOption("#preset", "js-safe");
  assert.equal((await texts(page, "#compare-rows .aside")).at(-1), "different");
});

test("lifetimes are to scale", () => {
  const lives = [
    { fromMs: 100, untilMs: 200 },
    { fromMs: 150, untilMs: 500 },
  ];
  assert.deepEqual(toScale(lives, 300), {
    fromMs: 100,
    untilMs: 500,
    now: 0.5,
    lives: [
      { left: 0, right: 0.25 },
      { left: 0.125, right: 1 },
    ],
  });
});
