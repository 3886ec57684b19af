// Checks which role may use each route, which web origins may read the answers, and that the
// answers have the form that www/openapi.json describes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { clusterOf, startCluster } from "./harness/cluster.js";

const tokens = {
  EDGEFLAKE_READ_TOKEN: "read-token-of-tests",
  EDGEFLAKE_ISSUE_TOKEN: "issue-token-of-tests",
  EDGEFLAKE_LEASE_TOKEN: "lease-token-of-tests",
  EDGEFLAKE_ADMIN_TOKEN: "admin-token-of-tests",
};

test("without a secret and EDGEFLAKE_PUBLIC_ISSUE, ids are closed; reading is open", async () => {
  await using cluster = await startCluster(["a"], { EDGEFLAKE_PUBLIC_ISSUE: "false" });
  for (const token of [undefined, " ", "undefined"]) {
    const { headers, said } = await cluster.send("a", "POST", "/v1/ids", { token });
    assert.match(said, /^401 unauthorized: .*: set the secret EDGEFLAKE_ISSUE_TOKEN and send it /);
    const challenge = 'Bearer realm="edgeflake", scope="EDGEFLAKE_ISSUE_TOKEN"';
    assert.equal(headers.get("www-authenticate"), challenge);
  }
  assert.equal((await cluster.calls()).calls, 0, "the authority was called");
  for (const path of ["/v1/decode/1", "/v1/range?from=2026-01-01&until=2026-01-02", "/healthz"]) {
    assert.equal((await cluster.send("a", "GET", path)).status, 200, path);
  }
});

describe("www/openapi.json", () => {
  const cluster = clusterOf([["a"], tokens]);
  const file = new URL("../../www/openapi.json", import.meta.url);
  const description = JSON.parse(readFileSync(file, "utf8"));
  /** @type {[string, Record<string, any>][]} */
  const paths = Object.entries(description.paths);

  /** The roles, from the lowest. A higher role may do everything that a lower role may do. */
  const roles = /** @type {(keyof typeof tokens)[]} */ (Object.keys(tokens));

  /** Returns the lowest role's index in `roles`; -1 for none. @param {any} operation */
  function needed({ security }) {
    const schemes = security.flatMap((/** @type {object} */ scheme) => Object.keys(scheme));
    return roles.findIndex((role) => schemes.includes(role.toLowerCase()));
  }

  /** Follows a reference, if the value is one. @param {any} value */
  function resolve(value) {
    /** @type {string[]} */
    const steps = value.$ref?.slice(2).split("/") ?? [];
    return steps.length > 0 ? steps.reduce((inner, step) => inner[step], description) : value;
  }

  /**
   * Fills in an example of each required parameter. Creation and destruction use a separate
   * sequencer, so that the other requests still find theirs.
   *
   * @param {string} method @param {string} path @param {any} operation
   */
  function example(method, path, operation) {
    const isLifecycle = method === "PUT" || method === "DELETE";
    if (isLifecycle || !operation) path = path.replace("{name}", "another");
    const query = new URLSearchParams();
    for (const parameter of (operation?.parameters ?? []).map(resolve)) {
      const { name, example, required } = parameter;
      if (parameter.in === "path") path = path.replace(`{${name}}`, `${example}`);
      else if (required) query.set(name, `${example}`);
    }
    return query.size > 0 ? `${path}?${query}` : path;
  }

  for (const [path, item] of paths) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
      const operation = item[(method === "HEAD" ? "GET" : method).toLowerCase()];
      const asked = example(method, path, operation);

      test(`${method} ${path}`, async () => {
        // None of these requests has a body.
        const isUnreadable = operation?.requestBody?.required === true;
        const success = isUnreadable ? 422 : method === "PUT" ? 201 : 200;
        for (const token of [undefined, "unknown", ...Object.values(tokens)]) {
          const { status, headers } = await cluster.send("a", method, asked, { token });
          const role = Object.values(tokens).indexOf(`${token}`);
          const isAdmitted = operation && role >= needed(operation);
          const expected = !operation ? 405 : isAdmitted ? success : role < 0 ? 401 : 403;
          assert.equal(status, expected, token);
          if (!operation) continue;
          const answer = resolve(operation.responses[status]);
          const type = headers.get("content-type") ?? "";
          assert.ok(Object.hasOwn(answer.content ?? {}, type), `${status} is not of type ${type}`);
          for (const name of Object.keys(answer.headers ?? {})) {
            assert.ok(headers.has(name), `there is no header ${name}`);
          }
          if (status === 401) {
            const scope = `scope="${roles[needed(operation)]}"`;
            assert.match(`${headers.get("www-authenticate")}`, new RegExp(scope));
          }
        }
      });
    }
  }
});

const origin = "https://app.example";
const preflight = {
  Origin: origin,
  "Access-Control-Request-Method": "POST",
  "Access-Control-Request-Headers": "authorization",
};

test("CORS is off without its variable", async () => {
  await using cluster = await startCluster(["a"]);
  for (const method of ["OPTIONS", "POST"]) {
    const { status, headers } = await cluster.send("a", method, "/v1/ids", { headers: preflight });
    assert.ok(status === 200 || status === 204);
    const names = [...headers.keys()];
    assert.ok(!names.some((name) => name.startsWith("access-control-")), names.join());
  }
});

test("CORS for some origins", async () => {
  const vars = { EDGEFLAKE_CORS_ORIGINS: `https://other.example, ${origin}` };
  await using cluster = await startCluster(["a"], vars);
  /** @param {Record<string, string>} headers @returns the status, and headers without prefix */
  const ask = async (headers, path = "/v1/ids", method = "POST") => {
    const found = await cluster.send("a", method, path, { headers });
    const allow = (/** @type {string} */ name) => found.headers.get(`access-control-${name}`);
    return { ...found, allow, allowed: [found.status, allow("allow-origin")] };
  };
  const asked = await ask(preflight, undefined, "OPTIONS");
  assert.deepEqual(asked.allowed, [204, origin]);
  assert.equal(asked.allow("allow-methods"), "POST, OPTIONS");
  assert.equal(asked.allow("allow-headers"), "Authorization, Content-Type");
  for (const [path, status] of /** @type {const} */ ([
    ["/v1/ids", 200],
    ["/v1/ids?count=0", 400],
    ["/v1/nothing", 404],
  ])) {
    const { headers, allow, allowed } = await ask({ Origin: origin }, path);
    assert.deepEqual(allowed, [status, origin], "problems are readable");
    assert.equal(headers.get("vary"), "Origin");
    const exposed =
      /^Edgeflake-Node, Edgeflake-Span, Edgeflake-Incarnation, Edgeflake-Ahead-Millis, /;
    assert.match(`${allow("expose-headers")}`, exposed);
  }
  assert.deepEqual((await ask({ Origin: "https://app.example.net" })).allowed, [200, null]);
  assert.deepEqual((await ask({})).allowed, [200, null]);
});
