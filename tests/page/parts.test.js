// The parts of the page, and what is seen of them first.

import assert from "node:assert/strict";
import { test } from "node:test";
import { repository } from "../../tools/build/published.js";
import { answer, open, paste, stage, texts } from "./harness/stage.js";

const found = stage();
const TWEET = "1593572310593806338";

/** A part, what of it is there, and what is not. */
const parts = [
  ["Decode", "#texts", "#layout-card"],
  ["Many", "#no-many", "#texts"],
  ["Design", "#layout-card", "#candidates-card"],
  ["Live", "#server", "#paste"],
];

test("each part is reached by a link with an address, and keeps what was pasted", async () => {
  const { page } = found;
  await open(found);
  await paste(page, TWEET);
  await page.selectOption("#preset", "discord");
  for (const [name, there, away] of parts) {
    const link = page.locator("#parts").getByRole("link", { name, exact: true });
    const address = await link.evaluate((a) => (a instanceof HTMLAnchorElement ? a.href : ""));
    await link.click();
    assert.equal(page.url(), address);
    assert.equal(await link.getAttribute("aria-current"), "page");
    assert.equal(await page.locator("#parts [aria-current]").count(), 1);
    assert.ok(await page.isVisible(there), name);
    assert.ok(await page.isHidden(away), name);
    assert.equal(await page.inputValue("#text"), TWEET);
    // The link opens the same part elsewhere.
    const other = await found.browser.newPage();
    await other.goto(address);
    await other.locator(there).waitFor();
    assert.equal(await other.inputValue("#text"), TWEET);
    assert.equal(await other.inputValue("#preset"), "discord");
    await other.close();
  }
  await page.goBack();
  assert.ok(await page.isVisible("#layout-card"));
  await page.goBack();
  assert.ok(await page.isVisible("#no-many"));
  await page.goBack();
  assert.ok(await page.isVisible("#texts"));
  assert.equal(await page.inputValue("#preset"), "discord");
});

test("the name of a part alone is an address", async () => {
  const { page, origin } = found;
  await open(found, "#design");
  assert.ok(await page.isVisible("#layout-card"));
  await page.fill("#text", TWEET);
  await page.goto(`${origin}#decode`);
  await page.locator("#texts").waitFor();
  assert.equal(await page.inputValue("#text"), TWEET);
});

test("a list is shown by Many, one id by Decode, and a layout is designed on", async () => {
  const { page } = found;
  await open(found);
  await paste(page, `${TWEET}\n175928847299117063`);
  assert.ok(await page.isVisible("#many"));
  assert.ok(await page.isHidden("#texts"));
  await paste(page, TWEET);
  assert.ok(await page.isHidden("#many"));
  assert.ok(await page.isVisible("#texts"));
  await page.selectOption("#preset", "discord");
  await page.locator("#parts").getByRole("link", { name: "Design" }).click();
  await paste(page, "175928847299117063");
  assert.ok(await page.isVisible("#layout-card"));
  assert.equal((await answer(page)).time, "2016-04-30T11:18:25.796Z");
});

test("where the window is wide, the 64 bits are one row, and each field hangs below its bits", async () => {
  const { page } = found;
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(found, `#${TWEET}`);
  const cells = await page
    .locator("#strip .cell")
    .evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().toJSON()));
  assert.equal(new Set(cells.map(({ top }) => top)).size, 1);
  assert.ok(cells[0].bottom < 900);
  const rows = page.locator("#fields .field");
  assert.deepEqual(await texts(page, "#fields .swatch"), [
    "unused",
    "timestamp",
    "datacenter",
    "worker",
    "sequence",
  ]);
  assert.deepEqual(
    await page
      .locator("#fields .value")
      .evaluateAll((inputs) =>
        inputs.map((input) => (input instanceof HTMLInputElement ? input.value : "")),
      ),
    ["0", "379937245987", "11", "26", "2"],
  );
  const joints = await page
    .locator("#zoom .joint")
    .evaluateAll((all) => all.map((joint) => joint.getBoundingClientRect().toJSON()));
  const starts = [0, 1, 42, 47, 52, 64];
  for (const [i, joint] of joints.entries()) {
    const row = await rows.nth(i).boundingBox();
    assert.ok(row);
    // What joins them reaches from the bits to the column.
    assert.ok(joint.left <= Math.min(cells[starts[i]].left, row.x) + 2, `${i}`);
    assert.ok(
      joint.right >= Math.max(cells[starts[i + 1] - 1].right, row.x + row.width) - 2,
      `${i}`,
    );
    assert.ok(Math.abs(joint.bottom - row.y) < 2 && row.y + row.height < 900);
  }
});

test("on a phone the answer is in the first screen", async () => {
  const { page } = found;
  await page.setViewportSize({ width: 390, height: 844 });
  await open(found, `#${TWEET}`);
  for (const selector of ["#text", "#system", "#time", "#local-time", "#node", "#strip"]) {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 844, selector);
  }
});

test("on a phone the ways to copy a date are one row, also after one was pressed", async () => {
  const { page } = found;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(found, `#${TWEET}`);
  const middles = () =>
    page.locator("#copies > button").evaluateAll((buttons) =>
      buttons.map((button) => {
        const { top, bottom } = button.getBoundingClientRect();
        return (top + bottom) / 2;
      }),
    );
  assert.equal(new Set(await middles()).size, 1);
  await page.locator("#copies button").first().click();
  await page.locator("#status", { hasText: "copied" }).waitFor({ state: "attached" });
  assert.equal(new Set(await middles()).size, 1);
});

for (const width of [390, 1440]) {
  test(`at ${width} px no gap is kept below the strip for its words`, async () => {
    const { page } = found;
    await page.setViewportSize({ width, height: 900 });
    await open(found, `#${TWEET}`);
    const [fields, help] = await Promise.all(
      ["#fields", "#strip-help"].map((selector) => page.locator(selector).boundingBox()),
    );
    assert.ok(fields && help);
    assert.ok(help.y - fields.y - fields.height <= 16);
    const words = await page.locator(".strip-words").boundingBox();
    assert.ok(words && words.height - help.height < 1);
  });
}

test("Decode ends with tools; what a field may hold is told where layouts are designed", async () => {
  const { page } = found;
  await open(found, `#${TWEET}`);
  assert.ok(await page.isHidden("#roles"));
  await page.locator("#parts").getByRole("link", { name: "Design" }).click();
  assert.ok(await page.isVisible("#roles"));
});

test("the footer has links to source, API and guarantee", async () => {
  const { page, origin } = found;
  await open(found);
  const footer = page.getByRole("contentinfo");
  const links = await footer
    .getByRole("link")
    .evaluateAll((all) =>
      all.map((link) => [link.textContent, link instanceof HTMLAnchorElement ? link.href : ""]),
    );
  assert.deepEqual(links, [
    ["Source", repository],
    ["API", `${origin}openapi.json`],
    ["Guarantee", `${repository}/blob/main/docs/GUARANTEES.md`],
  ]);
  assert.equal((await fetch(links[1][1] ?? "")).status, 200);
});
