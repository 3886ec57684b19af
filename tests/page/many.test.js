import assert from "node:assert/strict";
import { test } from "node:test";
import { Layout } from "edgeflake";
import { answer, copied, open, paste, stage, texts } from "./harness/stage.js";

const found = stage();
const twitter = Layout.preset("twitter");
const START_MS = Date.UTC(2024, 0, 1);

/**
 * Makes ids of the preset twitter.
 *
 * @param {[ms: number, node: number, sequence: number][]} parts
 */
function ids(parts) {
  return parts.map(([ms, node, sequence]) =>
    String(twitter.encode({ timestampMs: START_MS + ms, node, sequence })),
  );
}

const few = ids([
  [0, 1, 0],
  [0, 1, 1],
  [0, 2, 0],
  [5000, 1, 0],
  [4000, 2, 0],
  [4000, 2, 0],
  [90_000, 3, 0],
]);

/** @param {import("playwright-core").Page} page @param {string[]} all */
async function pasteIds(page, all) {
  await paste(page, all.join("\n"));
  await page.selectOption("#preset", "twitter");
}

test("the summary of many ids", async () => {
  const page = await open(found);
  await pasteIds(page, few);
  const expected = {
    "#many-title": "7 ids",
    "#many-first": "2024-01-01T00:00:00.000Z",
    "#many-last": "2024-01-01T00:01:30.000Z",
    "#many-length": "1 min 30 s",
    "#many-most": "3 ids",
    "#many-busiest": "2024-01-01T00:00:00.000Z",
    "#many-ticks": "4",
    "#many-nodes": "3",
    "#many-duplicates": "1",
    "#many-backwards": "1",
  };
  for (const [selector, text] of Object.entries(expected)) {
    assert.equal(await page.textContent(selector), text, selector);
  }
  assert.deepEqual(await texts(page, "#nodes li"), ["node 13 ids", "node 23 ids", "node 31 id"]);
  assert.equal((await texts(page, "#gaps li"))[0], "2024-01-01T00:00:05.000Z1 min 25 s");
  assert.deepEqual(await texts(page, "#duplicates li"), ["Line 6 repeats line 5"]);
  assert.deepEqual(await texts(page, "#backwards li"), ["Line 5 is smaller than line 4"]);
  await page.click("#duplicates button");
  assert.equal(await page.textContent("#which"), "id 6 of 7");
  assert.match(
    `${await page.getAttribute("#plot", "aria-label")}`,
    /^ids over time, from 2024-01-01T00:00:00.000Z to 2024-01-01T00:01:30.000Z, at most 3 in/,
  );
  assert.equal(await page.locator("#plot canvas").count(), 1);
});

test("the difference of any two", async () => {
  const page = await open(found);
  await pasteIds(page, few);
  await page.fill("#difference-row", "1");
  await page.fill("#difference-other", "4");
  const numbers = (BigInt(few[3]) - BigInt(few[0])).toLocaleString("en");
  assert.equal(
    await page.textContent("#difference"),
    `${few[3]} is 5 s later, of the same node; the numbers are ${numbers} apart.`,
  );
  await page.fill("#difference-other", "3");
  assert.match(
    `${await page.textContent("#difference")}`,
    /is in the same tick, of node 2, not 1; /,
  );
});

const orders = [
  ["id", (/** @type {string} */ a, /** @type {string} */ b) => Number(BigInt(a) - BigInt(b))],
  [
    "node",
    (/** @type {string} */ a, /** @type {string} */ b) =>
      twitter.decode(a).node - twitter.decode(b).node,
  ],
];

for (const [by, compare] of /** @type {[string, (a: string, b: string) => number][]} */ (orders)) {
  test(`the table sorts by ${by}, both ways`, async () => {
    const page = await open(found);
    await pasteIds(page, few);
    const header = page.locator(`thead th:has(button[value="${by}"])`);
    await header.locator("button").click();
    assert.deepEqual(await texts(page, "#table-rows button"), few.toSorted(compare));
    assert.equal(await header.getAttribute("aria-sort"), "ascending");
    await header.locator("button").click();
    assert.deepEqual(await texts(page, "#table-rows button"), few.toSorted(compare).reverse());
    assert.equal(await header.getAttribute("aria-sort"), "descending");
  });
}

test("a row of the table is taken apart", async () => {
  const page = await open(found);
  await pasteIds(page, few);
  await page.click("#table-rows tr:nth-child(5) button");
  assert.deepEqual(await answer(page), {
    time: "2024-01-01T00:00:05.000Z",
    node: "1",
    sequence: "0",
  });
  assert.equal(await page.textContent("#which"), "id 4 of 7");
  await page.locator("#strip .cell").nth(63).click();
  assert.equal(await page.textContent("#which"), "id 4 of 7, changed");
  assert.equal((await answer(page)).sequence, "1");
});

test("of 100,000 rows only the visible ones exist, to the last row", async () => {
  const page = await open(found);
  const count = 100_000;
  const all = ids(Array.from({ length: count }, (_, i) => [i * 20, i % 7, i % 3]));
  await pasteIds(page, all);
  assert.equal(await page.textContent("#many-title"), "100,000 ids");
  assert.equal(await page.getAttribute("#ids-table", "aria-rowcount"), `${count + 1}`);
  assert.ok((await page.locator("#table-rows tr").count()) < 60);
  await page.locator("#table").evaluate((table) => {
    table.scrollTop = table.scrollHeight;
  });
  await page.getByText(all[count - 1], { exact: true }).waitFor();
  assert.ok((await page.locator("#table-rows tr").count()) < 60);
});

test("ids that the layout refuses are counted, and stand last", async () => {
  const page = await open(found);
  await pasteIds(page, [String(2n ** 63n), ...few]);
  assert.equal(await page.textContent("#many-title"), "8 ids, of which 1 do not fit");
  await page.click('thead button[value="date"]');
  const rows = await texts(page, "#table-rows tr:not(.spacer) td:nth-child(3)");
  assert.equal(rows.at(-1), "no id of this layout");
});

/** @type {[preset: string, from: string, until: string, node: string, fromMs: number, untilMs: number][]} */
const ranges = [
  ["twitter", "2024-01-01", "2024-01-02", "", START_MS, START_MS + 86_400_000],
  ["twitter", "1704067200000", "1704067200001", "5", START_MS, START_MS + 1],
  ["twitter", "2024-01-01", "2024-01-02", "1023", START_MS, START_MS + 86_400_000],
  [
    "sonyflake",
    "2024-01-01T00:00:00.005Z",
    "2024-01-01T02:00:00+01:00",
    "",
    START_MS + 5,
    START_MS + 3_600_000,
  ],
];

/** @param {import("playwright-core").Page} page @param {string[]} texts */
async function fillRange(page, ...texts) {
  for (const [i, place] of ["#from", "#until", "#range-node"].entries()) {
    await page.fill(place, `${texts[i]}`);
  }
}

test("the range of two dates, as SQL", async () => {
  const page = await open(found);
  for (const [preset, from, until, node, fromMs, untilMs] of ranges) {
    await page.selectOption("#preset", preset);
    await fillRange(page, from, until, node);
    const options = node === "" ? {} : { node: Number(node) };
    const { min, max } = Layout.preset(preset).range(fromMs, untilMs, options);
    assert.equal(await page.textContent("#range-error"), "");
    assert.equal(await page.inputValue("#range-min"), `${min}`);
    assert.equal(await page.inputValue("#range-max"), `${max}`);
    await page.click("#sql-copy button");
    const sql = await copied(page, "SQL");
    assert.ok(sql.startsWith(`SELECT * FROM events WHERE id BETWEEN ${min} AND ${max};`), sql);
    assert.equal(sql, await page.textContent("#sql"));
  }
  await page.selectOption("#preset", "twitter");
  for (const [from, until, node, refused] of /** @type {[string, string, string, RegExp][]} */ ([
    ["2024-01-02", "2024-01-01", "", /./],
    ["yesterday", "2024-01-01", "", /./],
    ["2024-01-01", "2024-01-02", "1024", /^node 1024 is too large: at most 1023 is allowed$/],
    ...["x", "1.5", "-1", "1e3"].map((node) => {
      const refused = `^node "${node}" is no node: an integer from 0 to 1023 is allowed$`;
      return ["2024-01-01", "2024-01-02", node, new RegExp(refused)];
    }),
  ])) {
    await fillRange(page, from, until, node);
    assert.match(`${await page.textContent("#range-error")}`, refused);
    assert.equal(await page.textContent("#sql"), "");
    assert.ok(await page.isHidden("#range-ids"));
  }
});
