// The live panel, on the built Worker in workerd.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { checkAccess, open, screenshot, stage, texts } from "./page.js";
import { startCluster } from "./worker/cluster.js";

const found = stage();
const ISOLATE = "a";
/** The default. */
const LEASE_MS = 300_000;

/** @type {import("./worker/cluster.js").Cluster | undefined} */
let cluster;

afterEach(async () => {
  await cluster?.close();
  cluster = undefined;
  found.api = undefined;
});

/** @param {Record<string, string>} [vars] */
async function serve(vars) {
  const started = await startCluster([ISOLATE], vars);
  cluster = started;
  found.api = (path, init) => started.fetch(ISOLATE, path, init);
}

/**
 * Chromium itself tells the console of an answer that is no success.
 *
 * @param {number} status
 */
function expectStatus(status) {
  const expected = found.complaints.splice(0);
  assert.ok(expected.length > 0);
  for (const complaint of expected) {
    assert.match(complaint, new RegExp(`^Failed to load resource.* ${status} `));
  }
}

test("it issues ids, and draws the lease and the nodes", async () => {
  const { page } = found;
  await serve({ SHARDS: "2" });
  await open(found);
  assert.ok(await page.isHidden("#live-answer"));
  await page.click("#live-issue");
  await page.locator("#live-answer").waitFor();
  const node = await page.textContent("#live-node");
  assert.match(`${(await texts(page, "#live-log li"))[0]}`, new RegExp(`holds node ${node} until`));
  assert.match(
    `${await page.getAttribute("#leases", "aria-label")}`,
    new RegExp(`^node ${node} from [0-9:]{8} until [0-9:]{8}, used to [0-9:]{8}$`),
  );
  assert.equal(await page.locator("#leases .lease").count(), 1);
  assert.equal(await page.locator("#node-map canvas").count(), 2);
  const captions = await texts(page, "#node-map figcaption");
  assert.ok(
    captions.some((caption) => /^shard \d: 1 held, 0 free$/.test(caption)),
    `${captions}`,
  );
  assert.match(`${await page.textContent("#node-rest")}`, /of 65,536 nodes were ever used$/);
  assert.equal(await page.textContent("#live-issued"), "1,000");
  await screenshot(page, "live");
  await checkAccess(page);

  await page.click("#live-open");
  assert.equal(await page.textContent("#many-title"), "1,000 ids");
  assert.equal(await page.textContent("#many-duplicates"), "0");
  assert.equal(await page.textContent("#node"), node);
});

test("it follows renewals and swaps as they happen", async () => {
  const { page } = found;
  await serve();
  const startMs = Date.now();
  await cluster?.turnAll({ frozen_ms: startMs });
  await open(found);
  await page.click("#live-go-on");
  await page.locator("#live-log li", { hasText: "this isolate holds" }).waitFor();
  // Past five eighths of the lease, from where every holder renews; and then past its end.
  await cluster?.turnAll({ frozen_ms: startMs + 0.9 * LEASE_MS });
  await page.locator("#live-log li", { hasText: "renewed until" }).waitFor();
  await cluster?.turnAll({ frozen_ms: startMs + 3 * LEASE_MS });
  await page.locator("#live-log li", { hasText: "another lease" }).waitFor();
  await page.click("#live-go-on");
  assert.equal(await page.textContent("#live-go-on"), "Go on each second");
  assert.equal(await page.locator("#leases .lease").count(), 2);
});

test("it asks for a token where one is needed", async () => {
  const { page } = found;
  await serve({ PUBLIC_ISSUE: "false", ISSUE_TOKEN: "issue-token" });
  await open(found);
  await page.click("#live-issue");
  await page.locator("#live-token").waitFor();
  assert.match(`${await page.textContent("#live-error")}`, /ISSUE_TOKEN/);
  expectStatus(401);
  await page.fill("#live-token", "issue-token");
  await page.keyboard.press("Enter");
  await page.locator("#live-answer").waitFor();
  assert.equal(await page.textContent("#live-error"), "");
});

test("on any other host it says what is missing", async () => {
  const { page } = found;
  await open(found);
  await page.click("#live-issue");
  await page.getByText("this page is not served by the edgeflake Worker").waitFor();
  assert.ok(await page.isHidden("#live-answer"));
  expectStatus(404);
});
