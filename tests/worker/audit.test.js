// What the log says of those who change sequencers, and of those who may not: a line of JSON each.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, mock, test } from "node:test";
import { createAuthority } from "edgeflake/authority/node";

const root = mkdtempSync(join(tmpdir(), "edgeflake-"));
after(() => rmSync(root, { recursive: true }));

const variables = {
  EDGEFLAKE_LEASE_TOKEN: "lease-token-of-tests",
  EDGEFLAKE_ADMIN_TOKEN: "admin-token-of-tests",
};

/** The lines, each parsed. @type {Record<string, unknown>[]} */
let lines = [];
for (const level of /** @type {const} */ (["error", "info", "warn"])) {
  mock.method(console, level, (/** @type {unknown[]} */ ...args) => {
    assert.equal(args.length, 1);
    lines.push({ level, ...JSON.parse(`${args[0]}`) });
  });
}
beforeEach(() => {
  lines = [];
});

let directories = 0;
const start = (/** @type {Record<string, string>} */ more = {}) =>
  createAuthority({
    directory: join(root, `${++directories}`),
    variables: { ...variables, ...more },
  });

describe("the audit log", () => {
  test("has a line for each change of a sequencer, done or not", async () => {
    await using authority = await start();
    let asked = 0;
    const ask = (
      /** @type {string} */ method,
      /** @type {string} */ path,
      /** @type {object | undefined} */ body = undefined,
    ) =>
      authority.fetch(
        new Request(`http://localhost/v1/sequencers/${path}`, {
          method,
          headers: {
            authorization: `Bearer ${variables.EDGEFLAKE_ADMIN_TOKEN}`,
            "cf-ray": `ray-${++asked}`,
          },
          body: body && JSON.stringify(body),
        }),
      );
    await ask("PUT", "orders", { node_count: 64 });
    await ask("PUT", "orders", { node_count: 32 });
    await ask("PUT", "orders", { layuot: "twitter" });
    await ask("PATCH", "orders", { node_count: 32 });
    await ask("DELETE", "orders");
    await ask("DELETE", "nothing");
    await ask("GET", "orders");
    const line = (
      /** @type {number} */ number,
      /** @type {string} */ event,
      /** @type {string} */ outcome,
      /** @type {number | undefined} */ incarnation,
      sequencer = "orders",
    ) => ({
      level: "info",
      event: `sequencer-${event}`,
      sequencer,
      ...(incarnation === undefined ? {} : { incarnation }),
      role: "EDGEFLAKE_ADMIN_TOKEN",
      outcome,
      ray: `ray-${number}`,
    });
    const found = lines.map(({ message, ...rest }) => {
      assert.equal(typeof message, "string");
      return rest;
    });
    assert.deepEqual(found, [
      line(1, "created", "ok", 1),
      line(2, "created", "sequencer-already-registered", undefined),
      line(3, "created", "invalid-body", undefined),
      line(4, "shrunk", "ok", 1),
      line(5, "destroyed", "ok", 1),
      line(6, "destroyed", "unknown-sequencer", undefined, "nothing"),
    ]);
  });

  test("samples refused tokens, and never shows one", async () => {
    await using authority = await start();
    mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
    try {
      const ask = (/** @type {string} */ token) =>
        authority.fetch(
          new Request("http://localhost/v1/sequencers/orders", {
            method: "DELETE",
            headers: { authorization: `Bearer ${token}`, "cf-ray": "ray" },
          }),
        );
      for (let i = 0; i < 100; i++) await ask("hush-hush-hush-hush");
      mock.timers.tick(1_000);
      await ask(variables.EDGEFLAKE_LEASE_TOKEN);
    } finally {
      mock.timers.reset();
    }
    const refused = { level: "info", event: "token-refused", role: "EDGEFLAKE_ADMIN_TOKEN" };
    assert.deepEqual(
      lines.map(({ message, ...rest }) => rest),
      [
        { ...refused, outcome: "unauthorized", ray: "ray", count: 1 },
        { ...refused, outcome: "forbidden", ray: "ray", count: 100 },
      ],
    );
    assert.doesNotMatch(JSON.stringify(lines), /hush|token-of-tests/);
  });

  test("names a configuration that is refused, without its secrets", async () => {
    const wrong = { EDGEFLAKE_ISSUE_TOKEN: "hush" };
    await assert.rejects(start(wrong), { code: "invalid-configuration" });
    assert.deepEqual(lines, [
      {
        level: "info",
        event: "configuration-refused",
        message: "EDGEFLAKE_ISSUE_TOKEN has 4 characters: 16 to 128 are allowed",
        outcome: "invalid-configuration",
        count: 1,
      },
    ]);
  });
});
