// Making one id shows how its bits are decided.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkLooks, expectStatus, open, serveFiles, stage, texts } from "./harness/stage.js";

const found = stage({ isRealTime: true });
const STEP_MS = 700;
/** The page's clock is stopped this far ahead, because it runs until then. */
const PAUSE_MS = 10_000;

/** @param {import("playwright-core").Page} page */
async function undecided(page) {
  return page.locator("#fields .undecided .swatch").allTextContents();
}

test("an id is issued, its fields are filled as they are decided, then it stands in its lease", async () => {
  const { page } = found;
  await page.clock.install();
  await open(found, "#live");
  assert.ok(await page.isHidden("#answer"));
  // From here on time passes only below, however long a check takes.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + PAUSE_MS);
  await page.click("#make-one");
  await page.locator("#answer").waitFor();
  const states = [await undecided(page)];
  while (states.at(-1)?.length) {
    await page.clock.runFor(STEP_MS);
    states.push(await undecided(page));
  }
  // Hazelcast's fields are shown in this order, and decided in another.
  assert.deepEqual(states, [
    ["unused", "timestamp", "sequence", "node"],
    ["timestamp", "sequence", "node"],
    ["timestamp", "sequence"],
    ["sequence"],
    [],
  ]);
  assert.deepEqual(
    (await texts(page, "#make-steps li")).map((line) => line.replace(/:.*/, "")),
    [
      "unused by the layout",
      "node by the lease, when it was granted",
      "timestamp by the clock, within the time of the lease",
      "sequence by the generator",
    ],
  );
  assert.match(`${await page.textContent("#make-by")}`, /^Made by the server\. Node \d+, \d{4}-/);
  assert.equal(await page.textContent("#system"), "Hazelcast Flake");
  const node = await page.textContent("#node");
  assert.match(
    `${await page.getAttribute("#make-lease", "aria-label")}`,
    new RegExp(`^node ${node} from [0-9:]{8} until [0-9:]{8}, last id at [0-9:]{8}$`),
  );
  const [lease, id] = await Promise.all(
    ["#make-lease .lease", "#make-lease .ids"].map((selector) =>
      page.locator(selector).boundingBox(),
    ),
  );
  assert.ok(lease && id);
  assert.ok(id.x >= lease.x - 1 && id.x + id.width <= lease.x + lease.width + 2);
  const first = page.url();
  await page.click("#make-one");
  await page.waitForURL((address) => address.href !== first);
});

test("with reduced motion it is there at once", async () => {
  const { page } = found;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.clock.install();
  await open(found, "#live");
  await page.click("#make-one");
  await page.locator("#make-by", { hasText: "Made by the server" }).waitFor();
  assert.deepEqual(await undecided(page), []);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await checkLooks(page, `made-${width}`);
  }
});

test("without a server the page makes it, and says so", async () => {
  const { page } = found;
  const host = await serveFiles(found);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(found, "#live");
  await page.click("#make-one");
  await page.locator("#make-by", { hasText: "Made in this browser" }).waitFor();
  assert.match(`${await page.textContent("#make-by")}`, /not served by the edgeflake Worker/);
  assert.equal(await page.locator("#make-lease .ids").count(), 1);
  expectStatus(found, 404);
  host.close();
});
