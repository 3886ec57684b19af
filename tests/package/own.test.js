// Tests `edgeflake/worker` and `edgeflake/authority` of the packed package in Workers of users;
// own.txt has their calls.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { createTestHarness } from "wrangler";
import { bin, root } from "../../tools/command/paths.js";
import { compatibility_date, migrations } from "../harness/wrangler.js";
import { addTests } from "./harness/calls.js";
import { command, pack } from "./harness/packed.js";

const consumer = join(root, "build", "own");
const LEASE_TOKEN = "lease-token-of-tests";

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

addTests(new URL("own.txt", import.meta.url), {
  ...{ ask, LEASE_TOKEN, same: isDeepStrictEqual },
  admin: (/** @type {string} */ method, /** @type {unknown[]} */ ...args) =>
    ask("routes", { method, args }),
});

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

const project = join(consumer, "package", "consumer", "own", "types");
const wrangler = (/** @type {string[]} */ ...args) =>
  command(join(bin, "wrangler"), args, project, { WRANGLER_SEND_METRICS: "false" });

test("a project in TypeScript compiles with the output of wrangler types", () => {
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
