// Tests that visitors can design layouts by capacity or field by field, and copy them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Layout } from "edgeflake";
import { layoutFor, withField } from "../../www/parts/widths.ts";
import { checkAccess, copied, NOW_MS, open, stage, untilValue } from "./harness/stage.js";

/** @import { Page } from "playwright-core" */

const found = stage();
const TWITTER_ID = "1541815603606036480";
const OWN = "timestamp:32 tag.kind:4 node:9 sequence:8 @1600000000000 tick=1000ms";
const TWITTER = `#design&text=${TWITTER_ID}&layout=twitter`;

/** @param {Page} page */
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
  assert.equal(await page.textContent("#shown-date"), "2020-09-13T12:26:41.000Z");
  assert.equal(await page.locator("#strip .cell.outside").count(), 11);
  await page.fill("#layout", "timestamp:41 node @0");
  assert.match(`${await page.textContent("#layout-error")}`, /^layout string at/);
  await page.locator("#parts").getByRole("link", { name: "Decode" }).click();
  assert.equal(await page.textContent("#system"), "your own layout");
  assert.equal(await page.textContent("#share"), "from Design");
  await page.click("#likeliest");
  assert.notEqual(await page.textContent("#system"), "your own layout");
  assert.equal(await page.locator("#likeliest").count(), 0);
});

test("fields are added, named, widened, moved and removed", async () => {
  const page = await open(found, TWITTER);
  await page.click("#add-field");
  // The sign bit stays unused and the time keeps its bits, so the sequence gives a bit.
  assert.equal(await widths(page), "1 41 5 5 11 1");
  assert.equal(await page.textContent("#bits-total"), "63 of 64 bits used, 1 free");
  await page.locator("#layout-fields .name-of").last().fill("kind");
  const bits = page.locator("#layout-fields .bits-of");
  await bits.nth(4).fill("9");
  await bits.nth(5).fill("3");
  assert.match(await page.inputValue("#layout"), /sequence:9 tag.kind:3 /);
  await page.getByRole("button", { name: "Move kind up" }).click();
  assert.match(await page.inputValue("#layout"), /tag.kind:3 sequence:9 /);
  await page.getByRole("button", { name: "Remove datacenter" }).click();
  assert.match(await page.inputValue("#layout"), /timestamp:41 node.worker:5 tag/);
  await page.getByLabel("role of kind").selectOption("node");
  assert.match(await page.inputValue("#layout"), /node.kind:3 /);
  for (const [width, error] of /** @type {[string, RegExp][]} */ ([
    ["70", /70 bits: give 1 to 64$/],
    ["50", /./],
  ])) {
    await bits.nth(1).fill(width);
    assert.match(`${await page.textContent("#layout-fields-error")}`, error);
  }
  assert.match(`${await page.textContent("#bits-total")}`, /^68 of 64 bits used, 4 too many$/);
  await bits.nth(1).fill("40");
  assert.equal(await page.textContent("#layout-fields-error"), "");
  await page.fill("#epoch", "2020-01-01");
  await page.fill("#tick", "10");
  const { epochMs, tickMs } = Layout.parse(await page.inputValue("#layout"));
  assert.deepEqual([epochMs, tickMs], [Date.UTC(2020, 0, 1), 10]);
  await page.fill("#epoch", "soon");
  assert.match(`${await page.textContent("#epoch-error")}`, /^the epoch "soon" is no date/);
});

test("a new field takes a free bit, if there is one", () => {
  for (const [string, expected] of [
    ["timestamp:41 node:10 sequence:12 @0", "41 10 12 1"],
    ["unused:1 timestamp:41 node:10 sequence:12 @0", "1 41 10 11 1"],
    ["unused:3 timestamp:41 node:10 sequence:10 @0", "2 41 10 10 1"],
    ["unused:1 timestamp:41 node:10 unused.low:1 sequence:11 @0", "1 41 10 11 1"],
  ]) {
    const fields = withField(Layout.parse(`${string}`).fields);
    assert.equal(fields.map(({ bits }) => bits).join(" "), expected, string);
  }
});

/**
 * Each row has the needed nodes, years and ids per second, and the widths of the fields: unused,
 * timestamp, node and sequence.
 */
const needs = [
  [5000, 30, undefined, "1 40 13 10"],
  [5000, 30, 100, "1 40 13 10"],
  [5000, 30, 1_100_000, "1 40 13 10"],
  [2, 10, 1500, "12 39 1 12"],
  [1e12, 10_000, 1, "1 22 40 1"],
  [1, 1, 1e12, "1 35 1 27"],
];

test("a layout for some needs, or the nearest that can be", () => {
  for (const [nodes, years, perSecond, expected] of /** @type {any[][]} */ (needs)) {
    const { fields } = layoutFor({ nodes, years, perSecond }, NOW_MS);
    assert.equal(fields.map(({ bits }) => bits).join(" "), expected, `${nodes} ${years}`);
  }
});

test("needs are typed, and Back takes them back", async () => {
  const page = await open(found, "#design");
  await page.fill("#needs-nodes", "5,000");
  // Typing a single number changes nothing.
  assert.match(await page.inputValue("#layout"), /^unused:1 timestamp:41 sequence:6 node:16/);
  await page.fill("#needs-years", "30");
  const layout = `unused:1 timestamp:40 node:13 sequence:10 @${NOW_MS} tick=1ms`;
  assert.equal(await page.inputValue("#layout"), layout);
  const missed = page.locator("#needs-missed");
  assert.equal(await missed.textContent(), "");
  await page.fill("#needs-perSecond", "1100000");
  assert.equal(
    await missed.textContent(),
    "63 bits do not hold all of this. The nearest layout has only 1,024,000 ids per second and node.",
  );
  await page.fill("#needs-nodes", "many");
  assert.equal(
    await page.textContent("#needs-nodes-error"),
    'nodes must be a whole number from 1 to 1,000,000,000,000, not "many"',
  );
  await checkAccess(page);
  await page.goBack();
  await untilValue(page, "#preset", "hazelcast");
});

test("what a layout holds", async () => {
  const { page } = found;
  for (const [layout, signed, number] of [
    ["twitter", "always", "no"],
    ["discord", "until 2084-09-06", "no"],
    ["js-safe", "always", "always"],
  ]) {
    await open(found, `#design&layout=${layout}`);
    const { nodes, idsPerTick, expiresAt } = Layout.preset(`${layout}`).info();
    assert.equal(await page.textContent("#layout-nodes"), nodes.toLocaleString("en"));
    const { tickMs } = Layout.preset(`${layout}`);
    const rate = ((idsPerTick * 1000) / tickMs).toLocaleString("en");
    assert.equal(await page.textContent("#layout-rate"), rate);
    assert.equal(await page.textContent("#layout-end"), expiresAt.toISOString().slice(0, 10));
    assert.equal(await page.textContent("#layout-signed"), signed, layout);
    assert.equal(await page.textContent("#layout-number"), number, layout);
  }
});

const copies = [
  ["twitter", "#as-toml", 'EDGEFLAKE_LAYOUT = "twitter"'],
  ["twitter", "#as-jsonc", '"EDGEFLAKE_LAYOUT": "twitter",'],
  ["twitter", "#as-js", 'Layout.preset("twitter")'],
  [OWN, "#as-toml", `EDGEFLAKE_LAYOUT = "${OWN}"`],
  [OWN, "#as-js", `Layout.parse(\n  "${OWN}",\n)`],
  [OWN, "#as-rust", `"${OWN}".parse()?`],
];

test("the layout is copied as the line to replace, as JavaScript and Rust", async () => {
  const { page } = found;
  for (const [layout = "", place, text = ""] of copies) {
    await open(found, `#design&${new URLSearchParams({ text: "1", layout })}`);
    const all = await copied(page, `.code:has(${place}) button`);
    assert.ok(all.includes(text), all);
    assert.equal(all, await page.textContent(`${place}`));
  }
  assert.match(await page.innerText("#code-fold"), /The first request binds the layout/);
});
