// Who may do what, and from where.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { json, startIsolates } from "./harness/isolates.js";

const tokens = {
  EDGEFLAKE_READ_TOKEN: "read-token-of-tests",
  EDGEFLAKE_ISSUE_TOKEN: "issue-token-of-tests",
  EDGEFLAKE_LEASE_TOKEN: "lease-token-of-tests",
  EDGEFLAKE_ADMIN_TOKEN: "admin-token-of-tests",
};

/** Why `EDGEFLAKE_PUBLIC_ISSUE` is refused. */
const NEITHER =
  'EDGEFLAKE_PUBLIC_ISSUE is neither "true" nor "false": set it to one of them, or remove it';

/** What needs no token, whatever is set. */
const open = ["/v1/decode/1", "/v1/range?from=2026-01-01&until=2026-01-02", "/healthz"];

/**
 * @param {Record<string, string>} vars
 * @param {(isolates: Awaited<ReturnType<typeof startIsolates>>) => Promise<void>} body
 */
async function withVariables(vars, body) {
  const isolates = await startIsolates(vars);
  try {
    await body(isolates);
  } finally {
    await isolates.close();
  }
}

describe("tokens", () => {
  test("without a secret and EDGEFLAKE_PUBLIC_ISSUE, ids are closed; reading is open", () =>
    withVariables({ EDGEFLAKE_PUBLIC_ISSUE: "false" }, async (isolates) => {
      for (const headers of /** @type {Record<string, string>[]} */ ([
        {},
        { Authorization: "Bearer " },
        { Authorization: "Bearer undefined" },
      ])) {
        const response = await isolates.fetch("a", "/v1/ids", "POST", headers);
        assert.equal(response.status, 401);
        assert.equal(
          response.headers.get("www-authenticate"),
          'Bearer realm="edgeflake", scope="EDGEFLAKE_ISSUE_TOKEN"',
        );
        const { type, detail } = await json(response);
        assert.equal(type, "/problems/unauthorized");
        assert.match(
          detail,
          /: set the secret EDGEFLAKE_ISSUE_TOKEN and send it as Bearer, or set EDGEFLAKE_/,
        );
      }
      assert.equal(await isolates.calls(), 0, "nothing was asked of the authority");
      for (const path of open) {
        assert.equal((await isolates.fetch("b", path, "GET")).status, 200, path);
      }
    }));

  test("every secret but the one to read opens ids, and nothing else does", () =>
    withVariables(tokens, async (isolates) => {
      for (const [name, token] of Object.entries(tokens)) {
        const headers = { Authorization: `Bearer ${token}` };
        const { status } = await isolates.fetch("a", "/v1/ids", "POST", headers);
        assert.equal(status, name === "EDGEFLAKE_READ_TOKEN" ? 403 : 200);
      }
      for (const authorization of [
        "Bearer issue-token-of-testz",
        "Bearer issue-token-of-test",
        "Bearer issue-token-of-testss",
        `Bearer ${"issue-token-of-tests".padEnd(200)}x`,
        "Bearer ISSUE-TOKEN-OF-TESTS",
        "Basic issue-token-of-tests",
        "issue-token-of-tests",
      ]) {
        const headers = { Authorization: authorization };
        const response = await isolates.fetch("a", "/v1/ids", "POST", headers);
        assert.equal(response.status, 401, authorization);
        assert.doesNotMatch(await response.text(), /issue-|lease-|admin-/);
      }
      assert.equal(
        (await isolates.fetch("a", "/v1/ids")).status,
        401,
        "EDGEFLAKE_PUBLIC_ISSUE is not asked",
      );
    }));

  test("a secret is changed without a gap", async () => {
    const [old, next] = ["issue-token-of-tests", "another-token-of-tests"];
    const name = "EDGEFLAKE_ISSUE_TOKEN";
    /** What each deploy of the change has, and which tokens its callers have. */
    const deploys = /** @type {[Record<string, string>, string[]][]} */ ([
      [{ [name]: old }, [old]],
      [{ [name]: old, [`${name}_NEXT`]: ` ${next}\n` }, [old, next]],
      [{ [name]: next, [`${name}_NEXT`]: next }, [next]],
      [{ [name]: next }, [next]],
    ]);
    for (const [index, [vars, tokens]] of deploys.entries()) {
      await withVariables(vars, async (isolates) => {
        // Isolates of one deploy and of the next one answer side by side.
        const before = deploys[index - 1]?.[1] ?? tokens;
        assert.ok(before.some((token) => tokens.includes(token)));
        for (const token of [old, next]) {
          const headers = { Authorization: `Bearer ${token}` };
          const { status } = await isolates.fetch("a", "/v1/ids", "POST", headers);
          assert.equal(status, tokens.includes(token) ? 200 : 401, `${index} ${token}`);
        }
      });
    }
  });

  for (const [name, vars, detail] of /** @type {const} */ ([
    [
      "a short secret",
      { EDGEFLAKE_LEASE_TOKEN: "hush-hush" },
      "EDGEFLAKE_LEASE_TOKEN has 9 characters: 16 to 128 are allowed",
    ],
    [
      "one value of two roles",
      {
        EDGEFLAKE_LEASE_TOKEN: "hush-hush-hush-hush",
        EDGEFLAKE_ADMIN_TOKEN_NEXT: "hush-hush-hush-hush",
      },
      "EDGEFLAKE_ADMIN_TOKEN_NEXT has the same value as a secret of EDGEFLAKE_LEASE_TOKEN: each role needs its own",
    ],
    [
      "a secret in EDGEFLAKE_PUBLIC_ISSUE",
      { EDGEFLAKE_PUBLIC_ISSUE: "hush-hush-hush-hush" },
      NEITHER,
    ],
  ])) {
    test(`${name} is refused without its value`, () =>
      withVariables(vars, async (isolates) => {
        const response = await isolates.fetch("a", "/v1/ids");
        assert.equal(response.status, 500);
        const problem = await json(response);
        assert.equal(problem.type, "/problems/invalid-configuration");
        assert.equal(problem.detail, detail);
      }));
  }

  test("a wrong EDGEFLAKE_PUBLIC_ISSUE is named", () =>
    withVariables({ EDGEFLAKE_PUBLIC_ISSUE: "yes" }, async (isolates) => {
      const response = await isolates.fetch("a", "/v1/ids");
      assert.equal(response.status, 500);
      const { type, detail } = await json(response);
      assert.equal(type, "/problems/invalid-configuration");
      assert.equal(detail, NEITHER);
    }));
});

/** Who may use which method of which route, as www/openapi.json describes it. */
describe("the table of roles", () => {
  const file = new URL("../../www/openapi.json", import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, "utf8"));

  /** The lowest role first; a higher one includes the lower. */
  const roles = /** @type {const} */ ([
    "EDGEFLAKE_READ_TOKEN",
    "EDGEFLAKE_ISSUE_TOKEN",
    "EDGEFLAKE_LEASE_TOKEN",
    "EDGEFLAKE_ADMIN_TOKEN",
  ]);

  /**
   * @param {{ security: Record<string, string[]>[] }} operation
   * @returns the place in `roles` of the lowest role that may do it; -1 if no token is needed
   */
  function needed({ security }) {
    const schemes = security.flatMap((scheme) => Object.keys(scheme));
    return roles.findIndex((role) => schemes.includes(role.toLowerCase()));
  }

  /** @type {Awaited<ReturnType<typeof startIsolates>>} */
  let isolates;
  before(async () => {
    isolates = await startIsolates(tokens);
  });
  after(() => isolates.close());

  test("each role is needed somewhere", () => {
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    assert.deepEqual([...new Set(operations.map(needed))].sort(), [-1, 0, 1, 2, 3]);
  });

  for (const [path, item] of Object.entries(paths)) {
    const asked = path.replace("{name}", "another").replace("{id}", "1");
    for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"]) {
      const operation = item[(method === "HEAD" ? "GET" : method).toLowerCase()];

      test(`${method} ${path}`, async () => {
        /** @param {string} [token] */
        const ask = (token) =>
          isolates.fetch("a", asked, method, token ? { Authorization: `Bearer ${token}` } : {});

        for (const token of [undefined, "unknown"]) {
          const response = await ask(token);
          const challenge = response.headers.get("www-authenticate");
          if (!operation) assert.equal(response.status, 405);
          else if (needed(operation) < 0) assert.ok(![401, 403, 405].includes(response.status));
          else {
            assert.equal(response.status, 401, token);
            assert.match(String(challenge), new RegExp(`scope="${roles[needed(operation)]}"`));
          }
        }
        for (const [index, role] of roles.entries()) {
          const { status } = await ask(tokens[role]);
          if (!operation) assert.equal(status, 405, role);
          else if (index < needed(operation)) assert.equal(status, 403, role);
          else assert.ok(![401, 403, 405].includes(status), `${role} is answered ${status}`);
        }
      });
    }
  }
});

describe("HSTS", () => {
  const told = (/** @type {{ headers: { get(name: string): string | null } }} */ { headers }) =>
    headers.get("strict-transport-security");

  test("is off without EDGEFLAKE_HSTS_MAX_AGE_SECONDS", () =>
    withVariables({}, async (isolates) => {
      assert.equal(told(await isolates.fetch("a", "/v1/ids")), null);
    }));

  test("each answer has it, problems too", () =>
    withVariables({ EDGEFLAKE_HSTS_MAX_AGE_SECONDS: "31536000" }, async (isolates) => {
      for (const path of ["/v1/ids", "/v1/ids?count=0", "/v1/nothing"]) {
        assert.equal(told(await isolates.fetch("a", path)), "max-age=31536000", path);
      }
    }));

  test("a wrong EDGEFLAKE_HSTS_MAX_AGE_SECONDS is named", () =>
    withVariables({ EDGEFLAKE_HSTS_MAX_AGE_SECONDS: "true" }, async (isolates) => {
      const response = await isolates.fetch("a", "/v1/ids");
      assert.equal(response.status, 500);
      assert.match((await json(response)).detail, /^EDGEFLAKE_HSTS_MAX_AGE_SECONDS is "true": /);
    }));
});

describe("CORS", () => {
  const origin = "https://app.example";
  const preflight = {
    Origin: origin,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization",
  };

  /** @param {{ headers: { get(name: string): string | null } }} response */
  const allowed = ({ headers }) => headers.get("access-control-allow-origin");

  test("is off without EDGEFLAKE_CORS_ORIGINS", () =>
    withVariables({}, async (isolates) => {
      const answers = [
        await isolates.fetch("a", "/v1/ids", "OPTIONS", preflight),
        await isolates.fetch("a", "/v1/ids", "POST", { Origin: origin }),
      ];
      for (const { status, headers } of answers) {
        assert.ok(status === 200 || status === 204);
        const names = [...headers.keys()];
        assert.ok(!names.some((name) => name.startsWith("access-control-")), names.join());
      }
    }));

  test("for some origins", () =>
    withVariables(
      { EDGEFLAKE_CORS_ORIGINS: `https://other.example, ${origin}` },
      async (isolates) => {
        const asked = await isolates.fetch("a", "/v1/ids", "OPTIONS", preflight);
        assert.equal(asked.status, 204);
        assert.equal(allowed(asked), origin);
        assert.equal(asked.headers.get("access-control-allow-methods"), "POST, OPTIONS");
        assert.equal(
          asked.headers.get("access-control-allow-headers"),
          "Authorization, Content-Type",
        );
        const response = await isolates.fetch("a", "/v1/ids", "POST", { Origin: origin });
        assert.equal(allowed(response), origin);
        assert.equal(response.headers.get("vary"), "Origin");
        assert.match(
          String(response.headers.get("access-control-expose-headers")),
          /^Edgeflake-Node, Edgeflake-Span, Edgeflake-Incarnation, Edgeflake-Ahead-Millis, /,
        );
        const problem = await isolates.fetch("a", "/v1/ids?count=0", "POST", { Origin: origin });
        assert.deepEqual(
          [problem.status, allowed(problem)],
          [400, origin],
          "problems are readable",
        );
        const stranger = { Origin: "https://app.example.net" };
        assert.equal(allowed(await isolates.fetch("a", "/v1/ids", "POST", stranger)), null);
        assert.equal(allowed(await isolates.fetch("a", "/v1/ids")), null);
      },
    ));

  test("for all origins", () =>
    withVariables({ EDGEFLAKE_CORS_ORIGINS: "*" }, async (isolates) => {
      assert.equal(allowed(await isolates.fetch("a", "/healthz", "GET", { Origin: origin })), "*");
    }));

  test("a wrong EDGEFLAKE_CORS_ORIGINS is named", () =>
    withVariables({ EDGEFLAKE_CORS_ORIGINS: `${origin}/` }, async (isolates) => {
      const response = await isolates.fetch("a", "/v1/ids");
      assert.equal(response.status, 500);
      assert.match(
        (await json(response)).detail,
        /^EDGEFLAKE_CORS_ORIGINS has "https:\/\/app\.example\/": /,
      );
    }));
});
