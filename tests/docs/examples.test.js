// Tests the examples that `npm run example` can start.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Layout, parse } from "edgeflake";
import { launchChromium } from "../../tools/serve/chromium.js";
import { freePort, start } from "../../tools/serve/dev-server.js";

const layout = Layout.preset("hazelcast");
const DAY_MS = 86_400_000;

/** Runs an example for the tests of a suite. @param {string} name */
function example(name) {
  /** The URL of the example, which is known once its tests run. */
  const found = { url: "" };
  /** @type {Awaited<ReturnType<typeof start>>} */
  let running;
  before(async () => {
    const listens = ["browser", "node-service"].includes(name);
    const env = listens ? { PORT: `${await freePort()}` } : {};
    running = await start(["tools", "example", name], env);
    found.url = running.url;
  });
  after(() => running?.stop());
  return found;
}

/**
 * Checks that the time of an id of the default layout is in the last day or in the next 15 s, which
 * are the allowed future.
 *
 * @param {bigint} id
 */
function checkTime(id) {
  const { min, max } = layout.range(Date.now() - DAY_MS, Date.now() + 15_000);
  assert.ok(min <= id && id <= max, `${id}`);
}

describe("url-shortener", () => {
  const found = example("url-shortener");
  const shorten = (/** @type {string} */ body) => fetch(found.url, { method: "POST", body });
  const target = "https://example.com/a?b=c";

  test("J15 a link is made, redirects and is listed", async () => {
    const made = await shorten(target);
    assert.equal(made.status, 201);
    const { key, url: short } = await made.json();
    assert.match(key, /^[0-9A-Za-z]{11}$/);
    assert.equal(short, found.url + key);

    const redirected = await fetch(short, { redirect: "manual" });
    assert.deepEqual([redirected.status, redirected.headers.get("location")], [302, target]);

    const second = await (await shorten("http://example.com/")).json();
    const listed = await (await fetch(found.url)).json();
    assert.deepEqual(
      listed.map((/** @type {any} */ { key, url }) => [key, url]),
      [
        [second.key, "http://example.com/"],
        [key, target],
      ],
    );
    const id = parse(key, "base62");
    checkTime(id);
    assert.equal(Date.parse(listed[1].made), layout.decode(id).timestampMs);
  });

  test("a day without links", async () => {
    assert.deepEqual(await (await fetch(`${found.url}?day=2018-01-01`)).json(), []);
  });

  for (const [path, init, status] of /** @type {[string, RequestInit, number][]} */ ([
    ["", { method: "POST", body: "nonsense" }, 400],
    ["", { method: "POST", body: "javascript:alert(1)" }, 400],
    ["", { method: "DELETE" }, 405],
    ["?day=2017-12-31", {}, 400],
    ["?day=nonsense", {}, 400],
    ["00000000000", {}, 404],
  ])) {
    test(`${init.method ?? "GET"} /${path} ${init.body ?? ""}: ${status}`, async () => {
      assert.equal((await fetch(found.url + path, init)).status, status);
    });
  }
});

describe("node-service", () => {
  const found = example("node-service");
  const COUNT = 60;

  test("events of a time, page by page", async () => {
    const events = `${found.url}events`;
    const posted = await Promise.all(
      Array.from({ length: COUNT }, async (_, i) => {
        const response = await fetch(events, { method: "POST", body: `event ${i}` });
        const answer = await response.json();
        assert.equal(response.status, 201, answer.error);
        return { what: `event ${i}`, ...answer };
      }),
    );
    posted.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
    for (const { id } of posted) checkTime(BigInt(id));

    const [from, until] = [-DAY_MS, DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString());
    const window = `${events}?from=${from}&until=${until}`;
    const first = (await (await fetch(window)).json()).events;
    assert.equal(first.length, 50);
    const rest = (await (await fetch(`${window}&after=${first.at(-1).id}`)).json()).events;
    const paged = [...first, ...rest];
    assert.deepEqual(
      paged.map(({ id, what }) => ({ what, id })),
      posted,
    );
    for (const { id, made } of paged) {
      assert.equal(Date.parse(made), layout.decode(id).timestampMs);
    }
  });

  for (const [path, error] of /** @type {[string, RegExp][]} */ ([
    ["events", /^fromMs is NaN: /],
    ["events?from=2026-12-01&until=2026-12-01", /^a window /],
    [
      "events?from=2026-12-01&until=2026-12-02&after=1e3",
      /^an id in decimal has "e" at position 1: /,
    ],
  ])) {
    test(`GET /${path}: 400`, async () => {
      const response = await fetch(`${found.url}${path}`);
      assert.equal(response.status, 400);
      assert.match((await response.json()).error, error);
    });
  }
});

describe("browser", () => {
  const found = example("browser");

  test("an id is decoded, and any other text is refused", async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      /** @type {string[]} */
      const errors = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      await page.goto(found.url);
      const says = (/** @type {string} */ hasText) =>
        page.locator("#says").filter({ hasText }).waitFor();
      await says("Twitter: 2022-06-28T16:07:40.105Z, node 378, sequence 0");
      await page.fill("#id", "6685980502161199104");
      await says("LinkedIn: 2020-07-06T18:59:31.226Z");
      await page.fill("#id", "nonsense");
      await says("an id in decimal has");
      assert.deepEqual(errors, []);
    } finally {
      await browser.close();
    }
  });

  for (const path of ["edgeflake/none.js", "edgeflake//etc/passwd", "edgeflake/..%2fCargo.toml"]) {
    test(`/${path}: 404`, async () => {
      assert.equal((await fetch(found.url + path)).status, 404);
    });
  }
});
