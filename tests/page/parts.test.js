// The parts of the page, and which of them is visible first.

import assert from "node:assert/strict";
import { test } from "node:test";
import { repository } from "../../tools/build/published.js";
import { answer, open, paste, stage } from "./harness/stage.js";

const found = stage();
const TWEET = "1593572310593806338";

/** A part with selectors of its visible and its hidden elements. */
const parts = [
  ["Decode", "#texts", "#layout-card"],
  ["Many", "#no-many", "#texts"],
  ["Design", "#layout-card", "#candidates-card"],
  ["Live", "#server", "#paste"],
];

test("each part is reached by a link with an address, and keeps what was pasted", async () => {
  const page = await open(found);
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
    // The link opens the same part in another browser.
    const other = await found.newPage();
    await other.goto(address);
    await other.locator(there).waitFor();
    assert.equal(await other.inputValue("#text"), TWEET);
    assert.equal(await other.inputValue("#preset"), "discord");
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
  const page = await open(found, "#design");
  assert.ok(await page.isVisible("#layout-card"));
  await page.fill("#text", TWEET);
  await page.goto(`${found.origin}#decode`);
  await page.locator("#texts").waitFor();
  assert.equal(await page.inputValue("#text"), TWEET);
});

test("a list is shown by Many, one id by Decode, and a layout is designed on", async () => {
  const page = await open(found);
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

test("on a phone the answer is in the first screen", async () => {
  const page = await open(found, `#${TWEET}`, { width: 390, height: 844 });
  for (const selector of ["#text", "#system", "#time", "#local-time", "#node", "#strip"]) {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 844, selector);
  }
});

test("the footer has links to source, API and guarantee", async () => {
  const page = await open(found);
  const footer = page.getByRole("contentinfo");
  const links = await footer
    .getByRole("link")
    .evaluateAll((all) =>
      all.map((link) => [link.textContent, link instanceof HTMLAnchorElement ? link.href : ""]),
    );
  assert.deepEqual(links, [
    ["Source", repository],
    ["API", `${found.origin}openapi.json`],
    ["Guarantee", `${repository}/blob/main/docs/GUARANTEES.md`],
  ]);
  assert.equal((await fetch(links[1][1] ?? "")).status, 200);
});
