// No interface ignores an unknown name. Each call gets an unknown option here, the Worker an unknown
// parameter in ../worker/http-access.test.js and unknown keys in ../worker/http.txt, and the command
// line unknown options in cli.txt. A test fails if something is exported that is not listed here.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import * as edgeflake from "edgeflake";
import { createAuthority } from "edgeflake/authority/node";
import * as lease from "edgeflake/lease";
import * as light from "edgeflake/light";
import * as testing from "edgeflake/testing";
import { namespace } from "./consumer/authority.js";

const { Generator, Layout } = edgeflake;
const { LeasedGenerator } = lease;
const { FakeIds } = testing;

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
