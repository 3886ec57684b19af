import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestHarness } from "wrangler";

const worker = createTestHarness({ workers: [{ configPath: "wrangler.jsonc" }] });
before(() => worker.listen());
after(() => worker.close());

test("each order gets a larger id", async () => {
  const ids = [];
  for (let n = 0; n < 3; n++) {
    const response = await worker.fetch("/orders", { method: "POST" });
    assert.equal(response.status, 201);
    const { id } = await response.json();
    ids.push(BigInt(id));
  }
  assert.ok(ids[0] < ids[1] && ids[1] < ids[2]);
});

test("orders at the same time get different ids", async () => {
  const order = async () => (await worker.fetch("/orders", { method: "POST" })).json();
  const orders = await Promise.all(Array.from({ length: 50 }, order));
  assert.equal(new Set(orders.map(({ id }) => id)).size, 50);
});

test("there is nothing else", async () => {
  assert.equal((await worker.fetch("/")).status, 404);
  assert.equal((await worker.fetch("/orders")).status, 405);
});
