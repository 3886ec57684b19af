// No interface ignores an unknown name. Each gets an unknown key, option or parameter here, and the
// command line in cli.txt. A test fails if something is exported or described that is not listed
// here.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import * as edgeflake from "edgeflake";
import { createAuthority } from "edgeflake/authority/node";
import * as lease from "edgeflake/lease";
import * as light from "edgeflake/light";
import * as testing from "edgeflake/testing";
import { startCluster } from "../worker/harness/cluster.js";
import { namespace } from "./consumer/authority.js";

const { Generator, Layout } = edgeflake;
const { LeasedGenerator } = lease;
const { FakeIds } = testing;

const TOKEN = "admin-token-of-tests";

/** This name is unknown everywhere. */
const UNKNOWN = "unknown-7";

describe("JavaScript", () => {
  const layout = Layout.preset("twitter");
  const own = { fields: [{ name: "t", bits: 41, role: "timestamp" }], epochMs: 0 };
  const authority = namespace();

  /** @param {Function} made @returns {(...args: any[]) => any} */
  const constructs =
    (made) =>
    (...args) =>
      Reflect.construct(made, args);

  const node = { datacenter: 1, worker: 2 };
  const [from, until] = [new Date("2018-01-16"), new Date("2018-01-17")];

  /** Requests of a leased generator, and of fake ids. */
  const requests = {
    next: [{}],
    nextString: ["hex", {}],
    batch: [1, {}],
    ready: [{}],
    tryNext: [{}],
    attach: [{}],
  };

  /**
   * Calls that take options, with their arguments. A class has the methods of the object that `make`
   * returns; `new` is the constructor.
   *
   * @type {[name: string, call: (...args: any[]) => any, args: any[]][]}
   */
  const calls = [
    ["isId", edgeflake.isId, ["1", "hex", {}]],
    ["identify", edgeflake.identify, [1n, {}]],
    ["identifyMany", edgeflake.identifyMany, [[1n], {}]],
    ["new Layout", constructs(Layout), [own]],
    ["Layout.preset", Layout.preset, ["snowcast", { nodes: 129 }]],
    ...methods("layout", () => layout, {
      encode: [{ timestampMs: layout.epochMs, node }],
      range: [from, until, { node }],
    }),
    [
      "new Generator",
      constructs(Generator),
      [{ layout, node: { datacenter: 31, worker: 9 }, sequenceStart: { random: 9 } }],
    ],
    ["Generator.shared", Generator.shared, [{ layout, node: 1002 }]],
    ["new LeasedGenerator", constructs(LeasedGenerator), [{ authority, bind: { incarnation: 1 } }]],
    ["LeasedGenerator.shared", LeasedGenerator.shared, [{ authority }]],
    ...methods("leased", () => new LeasedGenerator({ authority }), requests),
    [
      "new FakeIds",
      constructs(FakeIds),
      [{ start: 1n, lease: { node: 1, fromTick: 0, untilTick: 9, incarnation: 1 } }],
    ],
    ...methods("fake", () => new FakeIds(), {
      failNext: ["exhausted", { times: 1 }],
      ...requests,
    }),
  ];

  /**
   * Lists methods of an object that is made for each call, with their arguments.
   *
   * @param {string} of
   * @param {() => any} make
   * @param {Record<string, any[]>} args
   * @returns {typeof calls}
   */
  function methods(of, make, args) {
    return Object.entries(args).map(([name, given]) => [
      `${of}.${name}`,
      (...all) => make()[name](...all),
      given,
    ]);
  }

  /** Returns why a call is refused. @param {() => any} call */
  async function refusal(call) {
    try {
      await call();
    } catch (/** @type {any} */ error) {
      assert.equal(error.name, "EdgeflakeError", error.stack);
      return `${error.code}: ${error.message}`;
    }
    return "nothing";
  }

  /** Yields each object among these values, with a function that puts another in its place. */
  function* objectsOf(/** @type {any} */ value, /** @type {(other: any) => any} */ put) {
    if (Object(value) !== value || value[Symbol.iterator] || "getByName" in value) return;
    if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) return;
    yield { object: value, put };
    for (const [key, inner] of Object.entries(value)) {
      /** @type {Generator_} */
      const deeper = objectsOf(inner, (other) => put({ ...value, [key]: other }));
      yield* deeper;
    }
  }
  /** @typedef {globalThis.Generator<{ object: any, put: (other: any) => any }>} Generator_ */

  for (const [name, call, args] of calls) {
    args.forEach((arg, place) => {
      for (const { object, put } of objectsOf(arg, (other) => other)) {
        const keys = Object.keys(object).join(", ");
        test(`${name}: one option beside ${keys || "none"}`, async () => {
          const given = args.with(place, put({ ...object, [UNKNOWN]: 1 }));
          const found = await refusal(() => call(...given));
          assert.match(found, /^invalid-option: .* got the option unknown-7: an object of /);
        });
      }
    });
  }

  /** The other names, which take no options. */
  const free = [
    ...[
      "EdgeflakeError",
      "constructor",
      "toString",
      "toJSON",
      "fieldValues",
      "warnings",
      "numberOf",
    ],
    ...["toSigned", "fromSigned", "jsonReplacer", "jsonReviver", "format", "parse", "Decoder"],
    ...["presets", "encodings", "decode", "decodeMany", "info"],
    ...["nextAsync", "nextInto", "nextNumber", "fill", "stats", "close", "detach"],
  ];

  test("all exports are listed", () => {
    const listed = calls.map(([name]) => name.replace(/^.*[ .]/, ""));
    const known = new Set([...listed, ...free]);
    for (const [name, value] of Object.entries({ ...edgeflake, ...lease, ...light, ...testing })) {
      assert.ok(known.has(name), name);
      for (const object of [value, /** @type {any} */ (value).prototype]) {
        if (object === undefined || !/^[A-Z]/.test(name) || name === "EdgeflakeError") continue;
        for (const [method, { value }] of Object.entries(
          Object.getOwnPropertyDescriptors(object),
        )) {
          if (typeof value === "function") assert.ok(known.has(method), `${name}.${method}`);
        }
      }
    }
  });
});

test("an authority on Node: a body of a GET", async () => {
  const directory = mkdtempSync(join(tmpdir(), "edgeflake-"));
  const authority = await createAuthority({ directory });
  try {
    const url = await authority.listen(0);
    // `fetch` cannot send such a body.
    const asked = request(`${url}healthz`, { method: "GET", headers: { "Content-Length": 2 } });
    asked.end("{}");
    const [response] = await once(asked, "response");
    assert.equal(response.statusCode, 400);
    const { status, detail } = /** @type {any} */ (JSON.parse(await text(response)));
    assert.deepEqual([status, detail], [400, "there is a body: none is allowed"]);
    for (const path of ["//metrics", "//", "//elsewhere/metrics"]) {
      const [response] = await once(request(url, { path }).end(), "response");
      const { status, detail } = /** @type {any} */ (JSON.parse(await text(response)));
      assert.deepEqual([status, detail.split(":")[0]], [404, `nothing is at "${path}"`]);
    }
  } finally {
    await authority.close();
    rmSync(directory, { recursive: true });
  }
});

describe("HTTP", () => {
  const file = new URL("../../www/openapi.json", import.meta.url);
  const { paths, components } = JSON.parse(readFileSync(file, "utf8"));
  /** @type {import("../worker/harness/cluster.js").Cluster} */
  let cluster;
  before(async () => {
    cluster = await startCluster(["a"], { EDGEFLAKE_ADMIN_TOKEN: TOKEN });
  });
  after(() => cluster.close());

  /** @param {string} method @param {string} path @param {string} [body] */
  async function ask(method, path, body) {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const response = await cluster.fetch("a", path, { method, headers, body });
    return /** @type {any} */ (await response.json());
  }

  for (const [path, operations] of Object.entries(paths)) {
    for (const [name, { parameters = [], requestBody }] of Object.entries(operations)) {
      const method = name.toUpperCase();
      const target = path.replace("{name}", "default").replace("{id}", "1");
      const schema = requestBody?.content["application/json"].schema.$ref.split("/").at(-1);
      /** Misspelt names of all known parameters. @type {string[]} */
      const near = parameters
        .map((/** @type {any} */ { $ref, ...own }) =>
          $ref ? components.parameters[$ref.split("/").at(-1)] : own,
        )
        .filter((/** @type {any} */ parameter) => parameter.in === "query")
        .map((/** @type {any} */ parameter) => parameter.name);

      test(`${method} ${path}: a parameter`, async () => {
        const found = await ask(method, `${target}?${UNKNOWN}=1`);
        assert.equal(found.type, "/problems/invalid-parameter");
        assert.ok(found.detail.startsWith(`there is a parameter "${UNKNOWN}": `), found.detail);
        for (const name of near) {
          const { detail } = await ask(method, `${target}?${name}s=1`);
          const expected = `there is a parameter "${name}s" (did you mean ${name}?): `;
          assert.ok(detail.startsWith(expected), detail);
        }
      });

      if (schema === undefined && method !== "GET") {
        test(`${method} ${path}: a body`, async () => {
          const found = await ask(method, target, "{}");
          assert.equal(found.type, "/problems/invalid-body");
          assert.ok(found.detail.startsWith("there is a body: none is allowed"), found.detail);
        });
      }
    }
  }

  const { properties } = components.schemas.Configuration;
  const names = Object.keys(properties);

  // A message may have keys of a later release, so only the configuration's keys are checked.
  test("a key of a configuration", async () => {
    const allowed = `${names.slice(0, -1).join(", ")} and ${names.at(-1)} are allowed`;
    const meant = (/** @type {string} */ name) => ` (did you mean ${name}?): ${allowed}`;
    const variable = (/** @type {string} */ name) => `: ${allowed}; set the variable ${name}`;
    const layout = ': write it into layout, as in "snowcast nodes=129 epoch=2014-02-01"';
    for (const [key, more] of Object.entries({
      [UNKNOWN]: `: ${allowed}`,
      ...Object.fromEntries(names.map((name) => [`${name}x`, meant(name)])),
      layuot: meant("layout"),
      nodeCount: meant("node_count"),
      allowed_future_millis: variable("EDGEFLAKE_ALLOWED_FUTURE_MILLIS"),
      statisticsEnabled: variable("EDGEFLAKE_STATISTICS_ENABLED"),
      // These are snowcast's words.
      sequencerName: `: ${allowed}; give it as in PUT /v1/sequencers/orders, admin.create("orders")`,
      preset: layout,
      epoch_start: layout,
      "bits-node-id": layout,
      maxLogicalNodeCount: layout,
    })) {
      const body = JSON.stringify({ layout: "hazelcast", [key]: 1 });
      const { type, detail } = await ask("PUT", "/v1/sequencers/orders", body);
      const text = `in the body, there is a key "${key}"${more}`;
      assert.deepEqual([type, detail], ["/problems/invalid-body", text]);
    }
    assert.equal((await ask("GET", "/v1/sequencers/orders")).type, "/problems/unknown-sequencer");
  });
});
