// Checks that the log has a JSON line for each change of a sequencer, and a sample of the callers
// whose token was refused.

import assert from "node:assert/strict";
import { join } from "node:path";
import { beforeEach, describe, mock, test } from "node:test";
import { createAuthority } from "edgeflake/authority/node";
import { temporary } from "../harness/temporary.js";

const root = temporary();

const variables = {
  EDGEFLAKE_LEASE_TOKEN: "lease-token-of-tests",
  EDGEFLAKE_ADMIN_TOKEN: "admin-token-of-tests",
};

/** The parsed lines of the log. @type {Record<string, unknown>[]} */
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

/**
 * @param {Awaited<ReturnType<typeof start>>} authority
 * @param {string} method @param {string} name @param {string} token @param {string} ray
 * @param {object} [body]
 */
const ask = (authority, method, name, token, ray, body) =>
  authority.fetch(
    new Request(`http://localhost/v1/sequencers/${name}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "cf-ray": ray },
      body: body && JSON.stringify(body),
    }),
  );

describe("the audit log", () => {
  test("has a line for each change of a sequencer, done or not", async () => {
    await using authority = await start();
    const role = "EDGEFLAKE_ADMIN_TOKEN";
    // Each row has a request, the event and the outcome in its log line, the request's body, and
    // more fields of the line.
    const rows = /** @type {[string, string, object?, object?][]} */ ([
      ["PUT orders", "created ok", { node_count: 64 }, { incarnation: 1 }],
      ["PUT orders", "created sequencer-already-registered", { node_count: 32 }],
      ["PUT orders", "created invalid-body", { layuot: "twitter" }],
      ["PATCH orders", "shrunk ok", { node_count: 32 }, { incarnation: 1 }],
      ["DELETE orders", "destroyed ok", undefined, { incarnation: 1 }],
      ["DELETE nothing", "destroyed unknown-sequencer"],
    ]);
    const expected = [];
    for (const [index, [request, line, body, more]] of rows.entries()) {
      const [[method, sequencer], [event, outcome]] = [request.split(" "), line.split(" ")];
      const ray = `ray-${index}`;
      await ask(authority, method, sequencer, variables[role], ray, body);
      const said = { level: "info", event: `sequencer-${event}`, sequencer, role, outcome, ray };
      expected.push({ ...said, ...more });
    }
    await ask(authority, "GET", "orders", variables[role], "ray");
    assert.ok(lines.every(({ message }) => typeof message === "string"));
    assert.deepEqual(
      lines.map(({ message, ...rest }) => rest),
      expected,
    );
  });

  test("samples refused tokens, and never shows one", async () => {
    await using authority = await start();
    mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
    try {
      const destroy = (/** @type {string} */ token) =>
        ask(authority, "DELETE", "orders", token, "ray");
      for (let i = 0; i < 100; i++) await destroy("hush-hush-hush-hush");
      mock.timers.tick(1_000);
      await destroy(variables.EDGEFLAKE_LEASE_TOKEN);
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
});
