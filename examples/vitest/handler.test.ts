import { FakeIds } from "edgeflake/testing";
import { expect, test } from "vitest";
import { handler } from "./handler";

const ids = new FakeIds({ ids: [7n, 8n] });
const ask = () => handler(ids).fetch(new Request("https://example.com"));

test("each request gets an id", async () => {
  expect(await (await ask()).json()).toEqual({ id: "7" });
});

test("while the authority is overloaded, clients are told when to come back", async () => {
  ids.failNext("overloaded", { retryInMs: 1_500 });
  const response = await ask();
  expect(response.status).toBe(503);
  expect(response.headers.get("Retry-After")).toBe("2");
  expect(await (await ask()).json()).toEqual({ id: "8" });
});
