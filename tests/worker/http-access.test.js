// Checks which role may use each route, which web origins may read the answers, and that the
// answers have the form that www/openapi.json describes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, describe, test } from "node:test";
import { startCluster } from "./harness/cluster.js";

const tokens = {
  EDGEFLAKE_READ_TOKEN: "read-token-of-tests",
  EDGEFLAKE_ISSUE_TOKEN: "issue-token-of-tests",
  EDGEFLAKE_LEASE_TOKEN: "lease-token-of-tests",
  EDGEFLAKE_ADMIN_TOKEN: "admin-token-of-tests",
};

/** @type {import("./harness/cluster.js").Cluster} */
let cluster;

/** @typedef {{ headers: Headers }} Answer */

describe("variables", () => {
  afterEach(() => cluster.close());

  test("without a secret and EDGEFLAKE_PUBLIC_ISSUE, ids are closed; reading is open", async () => {
    cluster = await startCluster(["a"], { EDGEFLAKE_PUBLIC_ISSUE: "false" });
    for (const token of [undefined, " ", "undefined"]) {
      const { status, headers, body } = await cluster.send("a", "POST", "/v1/ids", { token });
      assert.deepEqual([status, body.type], [401, "/problems/unauthorized"]);
      const challenge = 'Bearer realm="edgeflake", scope="EDGEFLAKE_ISSUE_TOKEN"';
      assert.equal(headers.get("www-authenticate"), challenge);
      assert.match(
        body.detail,
        /: set the secret EDGEFLAKE_ISSUE_TOKEN and send it as Bearer, or /,
      );
    }
    assert.equal((await cluster.calls()).calls, 0, "the authority was called");
    for (const path of ["/v1/decode/1", "/v1/range?from=2026-01-01&until=2026-01-02", "/healthz"]) {
      assert.equal((await cluster.send("a", "GET", path)).status, 200, path);
    }
  });
});

/**
 * @typedef {{ $ref: string }} Reference
 * @typedef {{ content?: Record<string, unknown>, headers?: Record<string, unknown> }} Described
 * @typedef {{ name: string, in: string, required?: boolean, example?: unknown }} Parameter
 * @typedef {object} Operation
 * @property {Record<string, string[]>[]} security
 * @property {(Parameter | Reference)[]} [parameters]
 * @property {{ required?: boolean }} [requestBody]
 * @property {Record<string, Described | Reference>} responses
 */

describe("www/openapi.json", () => {
  const file = new URL("../../www/openapi.json", import.meta.url);
  const description = JSON.parse(readFileSync(file, "utf8"));
  /** @type {[string, Record<string, Operation>][]} */
  const paths = Object.entries(description.paths);

  /** The roles, from the lowest. A higher role may do everything that a lower role may do. */
  const roles = /** @type {(keyof typeof tokens)[]} */ (Object.keys(tokens));

  /** @param {Operation} operation @returns the lowest role's index in `roles`; -1 for none */
  function needed({ security }) {
    const schemes = security.flatMap((scheme) => Object.keys(scheme));
    return roles.findIndex((role) => schemes.includes(role.toLowerCase()));
  }

  /** @param {T | Reference} value @returns {T} @template {object} T */
  function resolve(value) {
    if (!("$ref" in value)) return value;
    const steps = value.$ref.slice(2).split("/");
    return steps.reduce((inner, step) => inner[step], description);
  }

  /**
   * Fills in an example of each required parameter. Creation and destruction use a separate
   * sequencer, so that the other requests still find theirs.
   *
   * @param {string} method @param {string} path @param {Operation | undefined} operation
   */
  function example(method, path, operation) {
    const isLifecycle = method === "PUT" || method === "DELETE";
    if (isLifecycle || !operation) path = path.replace("{name}", "another");
    const query = new URLSearchParams();
    for (const parameter of (operation?.parameters ?? []).map((given) => resolve(given))) {
      const { name, example, required } = parameter;
      if (parameter.in === "path") path = path.replace(`{${name}}`, `${example}`);
      else if (required) query.set(name, `${example}`);
    }
    return query.size > 0 ? `${path}?${query}` : path;
  }

  before(async () => {
    cluster = await startCluster(["a"], tokens);
  });
  after(() => cluster.close());

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

describe("headers", () => {
  afterEach(() => cluster.close());

  const origin = "https://app.example";
  const preflight = {
    Origin: origin,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization",
  };

  const ask = (/** @type {Record<string, string>} */ headers, path = "/v1/ids", method = "POST") =>
    cluster.send("a", method, path, { headers });
  const allowed = (/** @type {Answer} */ { headers }) => headers.get("access-control-allow-origin");

  test("CORS is off without its variable", async () => {
    cluster = await startCluster(["a"]);
    for (const answer of [await ask(preflight, undefined, "OPTIONS"), await ask(preflight)]) {
      assert.ok(answer.status === 200 || answer.status === 204);
      const names = [...answer.headers.keys()];
      assert.ok(!names.some((name) => name.startsWith("access-control-")), names.join());
    }
  });

  test("CORS for some origins", async () => {
    cluster = await startCluster(["a"], {
      EDGEFLAKE_CORS_ORIGINS: `https://other.example, ${origin}`,
    });
    const asked = await ask(preflight, undefined, "OPTIONS");
    assert.deepEqual([asked.status, allowed(asked)], [204, origin]);
    assert.equal(asked.headers.get("access-control-allow-methods"), "POST, OPTIONS");
    const taken = "Authorization, Content-Type";
    assert.equal(asked.headers.get("access-control-allow-headers"), taken);
    for (const [path, status] of /** @type {const} */ ([
      ["/v1/ids", 200],
      ["/v1/ids?count=0", 400],
      ["/v1/nothing", 404],
    ])) {
      const answer = await ask({ Origin: origin }, path);
      assert.deepEqual([answer.status, allowed(answer)], [status, origin], "problems are readable");
      assert.equal(answer.headers.get("vary"), "Origin");
      assert.match(
        `${answer.headers.get("access-control-expose-headers")}`,
        /^Edgeflake-Node, Edgeflake-Span, Edgeflake-Incarnation, Edgeflake-Ahead-Millis, /,
      );
    }
    assert.equal(allowed(await ask({ Origin: "https://app.example.net" })), null);
    assert.equal(allowed(await ask({})), null);
  });
});
