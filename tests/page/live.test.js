// Ids of the server, its leases and nodes, and an id whose bits are decided one by one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startDev } from "../../tools/serve/dev-server.js";
import { startCluster } from "../worker/harness/cluster.js";
import {
  answer,
  checkLooks,
  expectStatus,
  open,
  serveFiles,
  stage,
  texts,
} from "./harness/stage.js";

const found = stage({ args: ["--var", "EDGEFLAKE_SHARDS:2"], isRealTime: true });
const ISOLATE = "a";
/** The default lease time. */
const LEASE_MS = 300_000;

test("it issues ids, and draws the lease and the nodes", async () => {
  const page = await open(found, "#live");
  assert.equal(await page.locator("#live-answer").count(), 0);
  await page.click("#live-issue");
  await page.locator("#live-answer").waitFor();
  const node = await page.textContent("#live-node");
  assert.match(`${(await texts(page, "#live-log li"))[0]}`, new RegExp(`holds node ${node} until`));
  assert.match(
    `${await page.getAttribute("#leases", "aria-label")}`,
    new RegExp(`^node ${node} from [0-9:]{8} until [0-9:]{8}, last id at [0-9:]{8}$`),
  );
  assert.equal(await page.locator("#leases .lease").count(), 1);
  const shards = await texts(page, "#shards li");
  assert.ok(
    shards.some((shard) => /^shard \d: 1 held, 0 free again$/.test(shard)),
    `${shards}`,
  );
  assert.equal(
    await page.textContent("#node-rest"),
    "Of 65,536 nodes, 1 is held and 65,535 are free; 1 was ever used.",
  );
  assert.equal(await page.textContent("#live-issued"), "1,000");
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.click("#live-issue");
    await page.locator("#live-issue:enabled").waitFor();
    await checkLooks(page, `live-${width}`);
  }

  await page.click("#live-open");
  await page.locator("#many-title", { hasText: "1,000 ids" }).waitFor();
  assert.equal(await page.textContent("#many-duplicates"), "0");
  // The layout of the server is a known one.
  const { system, fields } = await answer(page);
  assert.deepEqual([system, fields.node], ["Hazelcast Flake", node]);
});

/** @param {import("playwright-core").Page} page */
async function nowLine(page) {
  return Number(await page.getAttribute("#leases .now", "x1"));
}

test("the picture follows the clock: now moves, and a lease that has ended holds no node", async () => {
  const { page } = found;
  await page.clock.install();
  await open(found, "#live");
  await page.selectOption("#live-count", "100");
  await page.click("#live-issue");
  await page.locator("#live-answer").waitFor();
  const before = await nowLine(page);
  const marks = await page
    .locator("#leases .ids")
    .evaluateAll((all) => all.map((mark) => mark.outerHTML));
  assert.equal(marks.length, 1);
  await page.clock.runFor(60_000);
  assert.ok((await nowLine(page)) > before);
  // Ids are not used up by time alone.
  assert.equal(await page.locator("#leases .ids").count(), 1);
  const width = Number(await page.getAttribute("#leases .ids", "width"));
  const lease = Number(await page.getAttribute("#leases .lease", "width"));
  assert.ok(width < lease / 50, `${width} of ${lease}`);
  assert.match(`${await page.textContent("#node-rest")}`, /^Of 65,536 nodes, 1 is held/);
  await page.clock.runFor(2 * LEASE_MS);
  assert.match(
    `${await page.textContent("#node-rest")}`,
    /^Of 65,536 nodes, 0 are held and 65,536 are free/,
  );
});

test("of 100,000 ids the last 1,000 are listed, and all are taken apart", async () => {
  const page = await open(found, "#live");
  await page.selectOption("#live-count", "100000");
  await page.click("#live-issue");
  await page.locator("#live-answer").waitFor();
  assert.equal(await page.textContent("#live-ids-title"), "The last 1,000 of 100,000 ids");
  assert.equal((await page.inputValue("#live-ids")).split("\n").length, 1000);
  assert.equal(await page.textContent("#live-issued"), "100,000");
  await page.click("#live-open");
  await page.locator("#many-title", { hasText: "100,000 ids" }).waitFor();
  assert.equal(await page.textContent("#many-duplicates"), "0");
});

test("it follows renewals and swaps as they happen", async () => {
  const { page } = found;
  // The clock of these isolates stands still.
  const cluster = await startCluster([ISOLATE]);
  try {
    await page.route("**/v1/**", async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const answer = await cluster.fetch(ISOLATE, pathname + search, {
        method: route.request().method(),
      });
      const headers = Object.fromEntries(answer.headers);
      await route.fulfill({ status: answer.status, headers, body: await answer.text() });
    });
    const startMs = Date.now();
    await cluster.turnAll({ frozen_ms: startMs });
    await open(found, "#live");
    await page.click("#live-go-on");
    await page.locator("#live-log li", { hasText: "this isolate holds" }).waitFor();
    // The clock passes five eighths of the lease, from where every holder renews, and then its end.
    await cluster.turnAll({ frozen_ms: startMs + 0.9 * LEASE_MS });
    await page.locator("#live-log li", { hasText: "renewed until" }).waitFor();
    await cluster.turnAll({ frozen_ms: startMs + 3 * LEASE_MS });
    await page.locator("#live-log li", { hasText: "another lease" }).waitFor();
    await page.click("#live-go-on");
    assert.equal(await page.textContent("#live-go-on"), "Go on each second");
    assert.equal(await page.locator("#leases .lease").count(), 2);
  } finally {
    await cluster.close();
  }
});

test("it asks for a token where one is needed", async () => {
  const { page } = found;
  const dev = await startDev(["--var", "EDGEFLAKE_ISSUE_TOKEN:issue-token-of-tests"]);
  found.origin = dev.url;
  await open(found, "#live");
  await page.click("#live-issue");
  await page.locator("#live-token").waitFor();
  assert.match(`${await page.textContent("#live-error")}`, /EDGEFLAKE_ISSUE_TOKEN/);
  expectStatus(found, 401);
  await page.fill("#live-token", "issue-token-of-tests");
  await page.keyboard.press("Enter");
  await page.locator("#live-answer").waitFor();
  assert.equal(await page.textContent("#live-error"), "");
  await dev.stop();
});

test("a layout of the server's own is named so", async () => {
  const { page } = found;
  const layout = "timestamp:42 sequence:10 node.region:12 @1767225600000 tick=1ms";
  const dev = await startDev(["--var", `EDGEFLAKE_LAYOUT:${layout}`]);
  found.origin = dev.url;
  await open(found, "#live");
  await page.click("#live-issue");
  await page.locator("#live-answer").waitFor();
  await page.click("#live-open");
  await page.locator("#many").waitFor();
  const { system, fields } = await answer(page);
  assert.deepEqual([system, "region" in fields], ["the layout of this server", true]);
  await dev.stop();
});

test("on any other host it names the missing server", async () => {
  const { page } = found;
  const host = await serveFiles(found);
  await open(found, "#live");
  await page.click("#live-issue");
  await page.getByText("this page is not served by the edgeflake Worker").waitFor();
  assert.equal(await page.locator("#live-answer").count(), 0);
  expectStatus(found, 404);
  host.close();
});

/** The time for which each decision is shown, in ms. */
const STEP_MS = 700;
/** The page's clock is stopped this far ahead, because it runs until then. */
const PAUSE_MS = 10_000;

/** @param {import("playwright-core").Page} page */
async function undecided(page) {
  return texts(page, "#fields .undecided .swatch");
}

test("an id is issued, its fields are filled as they are decided, then it stands in its lease", async () => {
  const { page } = found;
  await page.clock.install();
  await open(found, "#live");
  // From here on time passes only below, however long a check takes.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + PAUSE_MS);
  await page.click("#make-one");
  await page.locator("#made").waitFor();
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
  const steps = (await texts(page, "#make-steps li")).map((line) => line.replace(/:.*/, ""));
  assert.deepEqual(steps, [
    "unused by the layout",
    "node by the lease, when it was granted",
    "timestamp by the clock, within the time of the lease",
    "sequence by the generator",
  ]);
  const by = `${await page.textContent("#make-by")}`;
  const [, node] = /^Made by the server\. Node (\d+), \d{4}-/.exec(by) ?? [];
  assert.match(
    `${await page.getAttribute("#make-lease", "aria-label")}`,
    new RegExp(`^node ${node} from [0-9:]{8} until [0-9:]{8}, last id at [0-9:]{8}$`),
  );
  const [lease, id] = await Promise.all(
    [".lease", ".ids"].map((part) => page.locator(`#make-lease ${part}`).boundingBox()),
  );
  assert.ok(lease && id);
  assert.ok(id.x >= lease.x - 1 && id.x + id.width <= lease.x + lease.width + 2);
});

test("without a server the page makes an id at once with reduced motion, and says so", async () => {
  const { page } = found;
  const host = await serveFiles(found);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(found, "#live");
  await page.click("#make-one");
  await page.locator("#make-by", { hasText: "Made in this browser" }).waitFor();
  assert.match(`${await page.textContent("#make-by")}`, /not served by the edgeflake Worker/);
  assert.deepEqual(await undecided(page), []);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await checkLooks(page, `made-${width}`);
  }
  expectStatus(found, 404);
  host.close();
});

test("it stops to go on when its part is left", async () => {
  const page = await open(found, "#live");
  await page.click("#live-go-on");
  await page.locator("#live-answer").waitFor();
  await page.locator("#parts").getByRole("link", { name: "Decode" }).click();
  await page.locator("#parts").getByRole("link", { name: "Live" }).click();
  assert.match(`${await page.textContent("#live-go-on")}`, /Go on each second/);
});
