// Tests the part of the page that shows ids of its server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startDev } from "../../tools/serve/dev-server.js";
import { answer, checkLooks, expectStatus, open, serveFiles, stage } from "./harness/stage.js";

const DAY_MS = 86_400_000;

const found = stage({ isRealTime: true });

test("it issues ids, says whose lease they are of, and takes them apart", async () => {
  const page = await open(found, "#live");
  assert.equal(await page.locator("#live-node").count(), 0);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.click("#live-issue");
    await page.locator("#live-open").waitFor();
    await page.locator("#live-issue:enabled").waitFor();
    await checkLooks(page, `live-${width}`);
  }
  const node = await page.textContent("#live-node");
  // By default, a lease lasts 5 minutes.
  const today = new Date().toISOString().slice(0, 11);
  const until = `${await page.textContent("#live-until")}`.replace(" UTC", "Z");
  const leftMs = (Date.parse(today + until) - Date.now() + DAY_MS) % DAY_MS;
  assert.ok(leftMs > 0 && leftMs <= 300_000, until);
  assert.equal((await page.inputValue("#live-ids")).trimEnd().split("\n").length, 1000);
  await page.click("#live-open");
  await page.locator("#many-title", { hasText: "1,000 ids" }).waitFor();
  assert.equal(await page.textContent("#many-duplicates"), "0");
  // The server's layout is also that of a preset, but the page names the server.
  const { system, fields } = await answer(page);
  assert.deepEqual([system, fields.node], ["edgeflake on this server", node]);
});

test("it asks for a token where one is needed, and names the server's own layout", async (t) => {
  const { page } = found;
  const token = "EDGEFLAKE_ISSUE_TOKEN:issue-token-of-tests";
  const layout = "EDGEFLAKE_LAYOUT:timestamp:42 sequence:10 node.region:12 @1767225600000 tick=1ms";
  const dev = await startDev(["--var", token, "--var", layout]);
  t.after(() => dev.stop());
  found.origin = dev.url;
  await open(found, "#live");
  await page.click("#live-issue");
  await page.locator("#live-token").waitFor();
  assert.match(`${await page.textContent("#live-error")}`, /EDGEFLAKE_ISSUE_TOKEN/);
  expectStatus(found, 401);
  await page.fill("#live-token", "issue-token-of-tests");
  await page.keyboard.press("Enter");
  await page.locator("#live-open").waitFor();
  assert.equal(await page.textContent("#live-error"), "");
  await page.click("#live-open");
  await page.locator("#many").waitFor();
  const { system, fields } = await answer(page);
  assert.deepEqual([system, "region" in fields], ["edgeflake on this server", true]);
});

test("on any other host it says what to do instead of offering ids", async () => {
  const { page } = found;
  const host = await serveFiles(found);
  await open(found, "#live");
  await page.getByText("No edgeflake server serves this page.").waitFor();
  assert.ok(await page.isHidden("#live-issue"));
  assert.equal(await page.textContent("#live-dev"), "npx edgeflake dev");
  await checkLooks(page, "live-none");
  expectStatus(found, 404);
  host.close();
});
