// The layout follows from the typed requirements.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Layout } from "edgeflake";
import { layoutFor, leftOf } from "../../www/needs.js";
import { checkAccess, NOW_MS, open, stage } from "./harness/stage.js";

const found = stage();
const YEARS_30_MS = Date.UTC(2056, 10, 22) - NOW_MS;

test("5,000 nodes for 30 years", async () => {
  const page = await open(found, "#design");
  await page.fill("#needs-nodes", "5,000");
  // One number alone changes nothing.
  assert.match(await page.inputValue("#layout"), /@1288834974657/);
  await page.fill("#needs-years", "30");
  assert.equal(
    await page.inputValue("#layout"),
    `unused:1 timestamp:40 node:13 sequence:10 @${NOW_MS} tick=1ms`,
  );
  assert.equal(await page.textContent("#bits-total"), "63 of 64 bits used, 1 free");
  const { nodes, expiresAt } = Layout.parse(await page.inputValue("#layout")).info();
  assert.ok(nodes >= 5000 && expiresAt.getTime() - NOW_MS >= YEARS_30_MS);
  assert.equal(
    await page.textContent("#needs-left"),
    "Timestamp 40, node 13, sequence 10 bits, from 2026-11-22 on; the sign bit stays 0. " +
      "Left over: 3,192 nodes, 4 years 306 days, no bit.",
  );
  await page.fill("#needs-rate", "1500");
  assert.match(await page.inputValue("#layout"), /^unused:10 timestamp:40 node:13 sequence:1 @/);
  assert.match(
    `${await page.textContent("#needs-left")}`,
    /500 ids per second and node, 9 bits above the time\.$/,
  );
  assert.equal(await page.textContent("#layout-signed"), "always");
  await checkAccess(page);
  // Undo takes back everything that was typed into one input.
  await page.click("#undo");
  await page.waitForFunction(() => {
    const input = document.querySelector("#layout");
    return input instanceof HTMLTextAreaElement && input.value.startsWith("unused:1 ");
  });
});

test("text, and needs that exceed 63 bits, are refused beside their input", async () => {
  const page = await open(found, "#design");
  const before = await page.inputValue("#layout");
  await page.fill("#needs-nodes", "many");
  assert.equal(
    await page.textContent("#needs-error"),
    '"many" nodes: a whole number from 1 to 1,000,000,000,000 is allowed',
  );
  assert.equal(await page.getAttribute("#needs-nodes", "aria-invalid"), "true");
  await page.fill("#needs-nodes", "5000000");
  await page.fill("#needs-years", "100");
  await page.fill("#needs-rate", "1000000");
  assert.equal(
    await page.textContent("#needs-error"),
    "this needs 42 bits of time, 23 of nodes and 10 of sequence: 12 more than the 63 there are. " +
      "Ask for fewer nodes, years or ids per second",
  );
  assert.equal(await page.inputValue("#layout"), before);
  assert.equal(await page.textContent("#needs-left"), "");
});

test("each layout meets the needs, and says what exceeds them", () => {
  for (const nodes of [1, 2, 3, 1024, 1025, 1_000_000]) {
    for (const years of [1, 10, 69, 70, 500]) {
      for (const perSecond of [undefined, 1, 1000, 1001, 250_000]) {
        const needs = { nodes, years, perSecond };
        /** @type {Layout} */
        let layout;
        try {
          layout = layoutFor(needs, NOW_MS);
        } catch (refusal) {
          assert.match(`${refusal}`, /more than the 63/);
          continue;
        }
        const info = layout.info();
        const name = JSON.stringify(needs);
        assert.ok(info.nodes >= nodes, name);
        assert.ok(info.expiresAt.getTime() >= new Date(NOW_MS).setUTCFullYear(2026 + years), name);
        assert.ok(info.idsPerTick * 1000 >= (perSecond ?? 1), name);
        assert.ok(info.fitsSignedUntil >= info.expiresAt, name);
        assert.equal(
          layout.fields.reduce((sum, { bits }) => sum + bits, 0),
          64,
        );
        assert.match(leftOf(layout, needs), /Left over: .*bit/);
      }
    }
  }
});
