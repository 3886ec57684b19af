import { exports } from "cloudflare:workers";
import { FakeIds } from "edgeflake/testing";
import { expect, test } from "vitest";
import { handler } from "../src/handler";

const order = () => new Request("https://example.com/orders", { method: "POST" });

test("each order gets a larger id", async () => {
  const ids: bigint[] = [];
  for (let n = 0; n < 3; n++) {
    const response = await exports.default.fetch(order());
    expect(response.status).toBe(201);
    const { id } = await response.json<{ id: string }>();
    ids.push(BigInt(id));
  }
  expect(ids[1]).toBeGreaterThan(ids[0]);
  expect(ids[2]).toBeGreaterThan(ids[1]);
});

test("clients are told when to try again", async () => {
  const ids = new FakeIds({ ids: [7n] });
  ids.failNext("overloaded", { retryInMs: 1_500 });
  const refused = await handler(ids).fetch(order());
  expect(refused.status).toBe(503);
  expect(refused.headers.get("Retry-After")).toBe("2");

  const served = await handler(ids).fetch(order());
  expect(await served.json()).toEqual({ id: "7" });
});

test("there is nothing else", async () => {
  const worker = exports.default;
  expect((await worker.fetch("https://example.com/")).status).toBe(404);
  expect((await worker.fetch("https://example.com/orders")).status).toBe(405);
});
