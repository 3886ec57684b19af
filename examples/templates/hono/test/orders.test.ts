import { exports } from "cloudflare:workers";
import { FakeIds } from "edgeflake/testing";
import { expect, test } from "vitest";
import { createApp } from "../src/app";

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
  const app = createApp(ids);
  ids.failNext("overloaded", { retryInMs: 1_500 });
  const refused = await app.request(order());
  expect(refused.status).toBe(503);
  expect(refused.headers.get("Retry-After")).toBe("2");

  const served = await app.request(order());
  expect(await served.json()).toEqual({ id: "7" });
});

test("there is nothing else", async () => {
  const response = await exports.default.fetch("https://example.com/");
  expect(response.status).toBe(404);
});
