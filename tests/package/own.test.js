// Tests `edgeflake/worker` and `edgeflake/authority` of the packed package in Workers of users.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createTestHarness } from "wrangler";
import { bin, root } from "../../tools/command/paths.js";
import { compatibility_date, migrations } from "../harness/wrangler.js";
import { command, pack } from "./harness/packed.js";

const consumer = join(root, "build", "own");
const LEASE_TOKEN = "lease-token-of-tests";
const DAY_MS = 86_400_000;

/** @type {ReturnType<typeof createTestHarness>} */
let harness;
/** @type {URL} */
let url;
before(async () => {
  pack(consumer);
  const config = (/** @type {string} */ name, more = {}) => ({
    config: { name, main: `package/consumer/own/${name}.js`, compatibility_date, ...more },
  });
  harness = createTestHarness({
    root: consumer,
    workers: [
      config("ids", {
        main: "package/consumer/own/types/ids.ts",
        migrations,
        assets: { directory: "node_modules/edgeflake/dist/www" },
        vars: {
          EDGEFLAKE_PUBLIC_ISSUE: "true",
          EDGEFLAKE_PUBLIC_READ: "true",
          EDGEFLAKE_LEASE_TOKEN: LEASE_TOKEN,
        },
      }),
      // The variable `LAYOUT` belongs to the user's Worker, and does not affect ids.
      config("routes", { migrations, vars: { EDGEFLAKE_SHARDS: "2", LAYOUT: "list" } }),
      config("holder", {
        services: [
          { binding: "IDS", service: "ids" },
          { binding: "FRONT", service: "holder", entrypoint: "Front" },
        ],
      }),
    ],
  });
  ({ url } = await harness.listen());
});
after(() => harness.close());

/** @param {string} worker @param {object} [body] @returns {Promise<any>} */
async function ask(worker, body) {
  const init = { method: "POST", body: JSON.stringify(body) };
  const response = await harness.getWorker(worker).fetch("/", init);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text);
}

/** @param {string} method @param {unknown[]} args */
const admin = (method, ...args) => ask("routes", { method, args });

test("edgeflake/worker is a Worker, without any binding", async () => {
  const worker = harness.getWorker("ids");
  const response = await worker.fetch("/v1/ids?count=3", { method: "POST" });
  assert.equal(response.status, 200);
  const { ids } = /** @type {any} */ (await response.json());
  assert.equal(new Set(ids).size, 3);
  const metrics = await worker.fetch("/metrics");
  assert.match(
    await metrics.text(),
    /^edgeflake_nodes\{sequencer="default",incarnation="1",state="held"\} 1$/m,
  );
});

test("edgeflake/worker serves the page and openapi.json if so configured", async () => {
  // The calls go to the first Worker's URL, because a direct call of the Worker would bypass its
  // static files.
  for (const [path, status, header, text] of /** @type {const} */ ([
    ["/", 200, "content-security-policy", /<title>/],
    ["/openapi.json", 200, "etag", /"openapi": ?"3.1.1"/],
    ["/v1/id", 404, "content-type", /nothing is at/],
  ])) {
    const response = await fetch(new URL(path, url));
    assert.deepEqual([response.status, response.headers.has(header)], [status, true], path);
    assert.match(await response.text(), text);
  }
});

describe("edgeflake/authority", () => {
  test("leases to the Worker that it is part of", async () => {
    const [first, second] = [await ask("routes", {}), await ask("routes", {})];
    assert.ok(BigInt(second.id) > BigInt(first.id));
    assert.match(first.layout, /^unused:1 timestamp:41 sequence:6 node:16 /);
    const { nodes, issued, ...status } = await admin("status", "default");
    assert.deepEqual([status.state, status.shards, nodes.held], ["active", 2, 1]);
    assert.equal(issued, 0);
  });

  test("a generator without the option takes the number of shards from the variable", async () => {
    const { hints } = await ask("routes", { sequencer: "default" });
    // Location hints are sent only to objects of sequencers with several shards.
    const [hint] = Object.values(hints);
    assert.match(hint, /^[a-z]+$/);
  });

  for (const [name, isNew, found] of /** @type {const} */ ([
    ["held", false, { state: "destroyed", id: false }],
    ["again", true, { state: "destroyed", id: "bigint" }],
  ])) {
    test(`a holder hears at once what happens to its sequencer in its isolate: ${name}`, async () => {
      await admin("create", name, { shards: 1 });
      assert.deepEqual(await ask("routes", { held: name, isNew }), found);
    });
  }

  test("continues after a panic", async () => {
    const created = await admin("create", "panics", { shards: 1 });
    const call = { method: "create", args: ["panics", { shards: 1 }] };
    const { message, code } = await ask("routes", { ...call, isPanicking: true });
    assert.deepEqual(
      [message, code],
      ["the authority panicked: try again", "authority-unreachable"],
    );
    assert.deepEqual(await ask("routes", call), created);
  });

  test("S17b S36 creates a sequencer of a preset and what its users choose", async () => {
    const options = { layout: "snowcast nodes=129 epoch=2014-02-01T00:00+01:00" };
    const created = await admin("create", "snowcast", options);
    const layout = "timestamp:41 node:8 sequence.counter:15 @1391209200000 tick=1ms";
    assert.deepEqual([created.layout, created.node_count], [layout, 256]);
    const again = { layout: "snowcast nodes=256 epoch=1391209200000" };
    assert.deepEqual(await admin("create", "snowcast", again), created);
  });

  test("S16 S21 creates, shows and destroys a sequencer", async () => {
    const wanted = { layout: "twitter", node_count: 512, shards: 4 };
    const created = await admin("create", "orders", wanted);
    const { layout, ends, warnings, ids_per_second_and_node: rate, ...of } = created;
    const bound = { incarnation: 1, first_node: 0, node_count: 512, shards: 4 };
    assert.deepEqual(of, { name: "orders", state: "active", ...bound });
    assert.match(layout, /^unused:1 timestamp:41 node.datacenter:5 /);
    assert.deepEqual([ends, warnings, rate], ["2080-07-10T17:30:30.209Z", [], 4_096_000]);
    assert.deepEqual(await admin("create", "orders", wanted), created, "again");
    const { nodes, issued, rollbacks, ...rest } = await admin("status", "orders");
    // A shard keeps its first node for batches.
    assert.deepEqual([nodes.free, issued, rollbacks, rest], [508, 0, 0, created]);

    const { id, hints } = await ask("routes", { sequencer: "orders", shards: 4 });
    assert.ok(BigInt(id) > 0n);
    const regions = ["wnam", "enam", "weur", "apac"];
    const asked = Object.entries(hints).filter(([name]) => name.startsWith("orders/"));
    assert.ok(asked.length > 0);
    for (const [name, hint] of asked) assert.equal(hint, regions[Number(name.at(-1))], name);

    const shrunk = await admin("shrink", "orders", { node_count: 500 });
    assert.deepEqual(shrunk, { ...created, node_count: 500 });
    assert.equal((await admin("shrink", "orders", { node_count: 1 })).code, "nodes-in-use");
    const destroyed = await admin("destroy", "orders");
    assert.equal(destroyed.state, "destroyed");
    assert.ok(Date.parse(destroyed.recreatable_from) > Date.now() - DAY_MS);
    const late = await ask("routes", { sequencer: "orders", shards: 4 });
    assert.equal(late.code, undefined, "its holder has not heard of it yet");
  });

  test("says what it refuses", async () => {
    assert.equal((await admin("create", "bound", { node_count: 8, shards: 1 })).state, "active");
    const unknown =
      'no sequencer is named "nobodys": create it by PUT /v1/sequencers/nobodys, or by ';
    for (const [method, args, code, message] of /** @type {[string, any[], string, string][]} */ ([
      ["create", ["a", 9], "invalid-body", "options is 9: an object of layout, first_node, "],
      ["status", [7], "invalid-name", "the sequencer's name is 7: 1 to 63 of "],
      ["shrink", ["bound"], "invalid-body", "options is undefined: an object of node_count is "],
      ["destroy", ["nobodys"], "unknown-sequencer", unknown],
    ])) {
      const refused = await admin(method, ...args);
      assert.equal(refused.message?.slice(0, message.length), message, JSON.stringify(refused));
      assert.deepEqual([refused.code, refused.isOurs], [code, true]);
    }
  });
});

describe("a service binding of edgeflake's Worker leases", () => {
  for (const [how, options] of /** @type {[string, object][]} */ ([
    ["over RPC, without a token", { binding: "IDS" }],
    ["over HTTP, with a token", { binding: "IDS", token: LEASE_TOKEN }],
    ["over HTTP, where the Worker has no such method", { binding: "FRONT" }],
  ])) {
    test(how, async () => {
      const { id, lease, message } = await ask("holder", options);
      assert.equal(message, undefined);
      assert.ok(BigInt(id) > 0n);
      assert.equal(lease.incarnation, 1);
      assert.deepEqual(await ask("holder", { ...options, detach: true }), { state: "detached" });
    });
  }

  test("and says why not", async () => {
    const { code } = await ask("holder", { binding: "IDS", sequencer: "nobodys" });
    assert.equal(code, "unknown-sequencer");
    const denied = await ask("holder", { binding: "IDS", sequencer: "x", token: "wrong" });
    assert.equal(denied.code, "unauthorized");
  });
});

describe("a project in TypeScript", () => {
  const project = join(consumer, "package", "consumer", "own", "types");
  const wrangler = (/** @type {string[]} */ ...args) =>
    command(join(bin, "wrangler"), args, project, { WRANGLER_SEND_METRICS: "false" });

  test("compiles with the output of wrangler types", () => {
    const written = wrangler("types", "--config=app.jsonc", "--config=ids.jsonc");
    assert.match(written, /IDS: Service<typeof import\("\.\/ids"\)\.default>;/);
    const config = {
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: false,
        target: "es2024",
        lib: ["es2024"],
        types: ["./worker-configuration.d.ts"],
        module: "esnext",
        moduleResolution: "bundler",
      },
      files: ["app.ts", "ids.ts"],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
    command(join(bin, "tsc"), ["--project", "tsconfig.json"], project);
  });
});
