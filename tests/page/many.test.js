import assert from "node:assert/strict";
import { test } from "node:test";
import { Layout, presets } from "edgeflake";
import { answer, open, paste, stage, texts } from "./harness/stage.js";

const found = stage();
const twitter = Layout.preset("twitter");
const START_MS = Date.UTC(2024, 0, 1);

/**
 * Ids of the preset twitter.
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

test("what many ids say together", async () => {
  const { page } = found;
  await open(found);
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
  const { page } = found;
  await open(found);
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
    const { page } = found;
    await open(found);
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
  const { page } = found;
  await open(found);
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

test("of 100,000 rows those in sight are there, to the last", async () => {
  const { page } = found;
  await open(found);
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
  const { page } = found;
  await open(found);
  await pasteIds(page, [String(2n ** 63n), ...few]);
  assert.equal(await page.textContent("#many-title"), "8 ids, of which 1 do not fit");
  await page.click('thead button[value="date"]');
  const rows = await texts(page, "#table-rows tr:not(.spacer) td:nth-child(3)");
  assert.equal(rows.at(-1), "no id of this layout");
});

test("a file, by its button", async () => {
  const { page } = found;
  await open(found);
  await page.setInputFiles("#file", {
    name: "ids.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`id,name\n${few.map((id, i) => `${id},n${i}`).join("\n")}\n`),
  });
  await page.locator("#many").waitFor();
  assert.equal(await page.textContent("#read-as"), "Read as 7 ids in decimal, from CSV (id)");
});

const ranges = [
  ["twitter", "2024-01-01", "2024-01-02", ""],
  ["twitter", "1704067200000", "1704067200001", "5"],
  ["sonyflake", "2024-01-01T00:00:00.005Z", "2024-01-01T01:00:00+01:00", ""],
  ["twitter", "2024-01-02", "2024-01-01", ""],
  ["twitter", "yesterday", "2024-01-01", ""],
  ["twitter", "2024-01-01", "2024-01-02", "1024"],
];

test("the range of two dates, as SQL", async () => {
  const { page } = found;
  await open(found);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  for (const [preset, from, until, node] of ranges) {
    await page.selectOption("#preset", preset);
    await page.fill("#from", from);
    await page.fill("#until", until);
    await page.fill("#range-node", node);
    let range;
    try {
      const [fromMs, untilMs] = [from, until].map((text) =>
        /^\d+$/.test(text) ? Number(text) : Date.parse(text),
      );
      const options = node === "" ? {} : { node: Number(node) };
      range = Layout.preset(preset).range(fromMs, untilMs, options);
    } catch {
      assert.notEqual(await page.textContent("#range-error"), "", `${from} ${until} ${node}`);
      assert.equal(await page.textContent("#sql"), "");
      assert.ok(await page.isHidden("#range-ids"));
      continue;
    }
    assert.equal(await page.textContent("#range-error"), "");
    const sql = `SELECT * FROM events WHERE id BETWEEN ${range.min} AND ${range.max};`;
    assert.ok((await page.textContent("#sql"))?.startsWith(sql), `${from} ${until}`);
    assert.equal(await page.inputValue("#range-min"), `${range.min}`);
    assert.equal(await page.inputValue("#range-max"), `${range.max}`);
    await page.click("#sql-copy button");
    await page.locator("#status", { hasText: "SQL copied" }).waitFor({ state: "attached" });
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await page.textContent("#sql"));
  }
});

test("the ids of each preset decode as the package says", async () => {
  const { page } = found;
  await open(found);
  await paste(page, few.join("\n"));
  for (const preset of presets()) {
    await page.selectOption("#preset", preset);
    const { timestampMs } = Layout.preset(preset).decodeMany(few);
    const dates = Array.from(timestampMs, (ms) =>
      Number.isNaN(ms) ? "no id of this layout" : new Date(ms).toISOString(),
    );
    assert.deepEqual(
      await texts(page, "#table-rows tr:not(.spacer) td:nth-child(3)"),
      dates,
      preset,
    );
  }
});
