// Two layouts beside each other.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Layout } from "edgeflake";
import { open, stage, texts } from "./harness/stage.js";

const found = stage();
const TWEET = "1593572310593806338";

test("one layout is pinned as A and stands over B, on the same 64 bits", async () => {
  const { page } = found;
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(found, `#design&text=${TWEET}&layout=twitter`);
  assert.ok(await page.isHidden("#comparison"));
  await page.click("#pin");
  await page.selectOption("#preset", "discord");
  assert.deepEqual(await texts(page, ".compare-name"), ["A: Twitter", "B: Discord"]);
  const ends = await page
    .locator(".compare-bar")
    .evaluateAll((bars) =>
      bars.map((bar) =>
        [...bar.children].map((field) => Math.round(field.getBoundingClientRect().right)),
      ),
    );
  // Twitter's sign bit and timestamp end where Discord's timestamp does.
  assert.equal(ends[0].length, 5);
  assert.deepEqual(ends[0].slice(1), ends[1]);
  const rows = await texts(page, "#compare-rows tr");
  assert.deepEqual(rows, [
    "Nodes1,0241,024 the same",
    "Ids per second and node4,096,0004,096,000 the same",
    "Ids per second in all4,194,304,0004,194,304,000 the same",
    "Runs out on2080-07-102154-05-15 73 years 307 days later",
    "Fits a signed 64-bit integer" + "always" + "until 2084-09-06 different",
    "Fits a JavaScript number" + "no" + "no the same",
  ]);
  // The link holds it, and so does the history.
  await page.reload();
  await page.locator("#comparison").waitFor();
  assert.deepEqual(await texts(page, ".compare-name"), ["A: Twitter", "B: Discord"]);
  await page.click("#unpin");
  assert.ok(await page.isHidden("#comparison"));
  await page.goBack();
  await page.locator("#comparison").waitFor();
});

test("the table says how B differs, as B is changed", async () => {
  const { page } = found;
  await open(found, `#design&text=${TWEET}&layout=twitter`);
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

test("lifetimes are to scale", async () => {
  const { page } = found;
  await page.setViewportSize({ width: 1440, height: 900 });
  const [a, b] = ["twitter", "discord"].map((name) => Layout.preset(name));
  await open(
    found,
    `#design&${new URLSearchParams({ text: "1", layout: "discord", pinned: `${a}` })}`,
  );
  const boxes = await page
    .locator("#lifetimes .life")
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
  const lives = [a, b].map((layout) => layout.info().expiresAt.getTime() - layout.epochMs);
  assert.ok(Math.abs(boxes[1] / boxes[0] - lives[1] / lives[0]) < 0.01, `${boxes}`);
  const place = await page.locator("#lifetimes").boundingBox();
  const now = await page.locator("#lifetimes .life-now").boundingBox();
  assert.ok(place && now);
  const share = (Date.now() - a.epochMs) / (b.info().expiresAt.getTime() - a.epochMs);
  assert.ok(Math.abs((now.x - place.x) / place.width - share) < 0.005);
  assert.equal(
    await page.getAttribute("#lifetimes", "aria-label"),
    "A from 2010-11-04 until 2080-07-10; B from 2015-01-01 until 2154-05-15",
  );
});
