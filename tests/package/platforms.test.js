// Runs the packed npm package on every platform and in every bundler, and checks its types with
// several compilers.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createTestHarness } from "wrangler";
import { esbuild, root } from "../../tools/command/paths.js";
import { launchChromium } from "../../tools/serve/chromium.js";
import { startStaticHost } from "../harness/static-host.js";
import { compatibility_date } from "../harness/wrangler.js";
import { command, consumer, installed, pack, tools } from "./harness/packed.js";

/** @typedef {{ count: number, failures: string[] }} Outcome */

const tarball = pack();

/** Returns code that imports the suite and the tests in `more`. @param {string[]} more */
const imported = (...more) =>
  [
    'import { run } from "./suite.js";',
    ...more.map((name) => `import { tests as ${name} } from "./${name}.js";`),
    `const suite = () => run({ ${more.map((name) => `...${name}`)} });\n`,
  ].join("\n");

/** The programs that run the suite: a Worker, a process, and pages with and without WebAssembly. */
for (const [name, content] of Object.entries({
  worker: `${imported("lease")}
    export default { fetch: async () => Response.json(await suite()) };`,
  run: `${imported("lease")} console.log(JSON.stringify(await suite()));`,
  browser: `${imported("lease")} globalThis.outcome = suite();`,
  strict: `${imported()} globalThis.outcome = suite();`,
})) {
  writeFileSync(join(consumer, "package", "consumer", `${name}.js`), content);
}

/**
 * Entries that are never loaded with `require`, because they run only in workerd or in a newer
 * Node.
 */
const MODULES_ONLY = ["worker", "authority", "authority/node"];

/** @param {Outcome} outcome */
function passed({ count, failures }) {
  assert.deepEqual(failures, []);
  assert.ok(count > 8, `${count} tests ran`);
}

const architecture = `${process.platform}-${process.arch}`;
const linux = process.platform === "linux" ? "-glibc" : "";

/** @type {[name: string, program: string, args: string[], permissions?: string[]][]} */
const runtimes = [
  ["Node 20", join(tools, "node20", "bin", "node"), []],
  ["Node 22", join(tools, "node22", "bin", "node"), []],
  ["Node 24", process.execPath, []],
  ["Bun", join(tools, "@oven", `bun-${architecture}`, "bin", "bun"), []],
  [
    "Deno",
    join(tools, "@deno", `${architecture}${linux}`, "deno"),
    ["run", "--no-lock", "--node-modules-dir=manual"],
    ["--allow-read", "--allow-write"],
  ],
];

for (const [name, program, args, permissions = []] of runtimes) {
  test(name, () => {
    const [, version] = /^Node (\d+)$/.exec(name) ?? [];
    if (version) assert.ok(command(program, ["--version"]).startsWith(`v${version}.`));
    passed(JSON.parse(command(program, [...args, "package/consumer/run.js"])));
  });

  test(`${name}: edgeflake/lease with a store continues its lease after a restart`, () => {
    const store = join(consumer, `${name} store`);
    /** @type {bigint[]} */
    const issued = [];
    for (const [end, aheadMs, ...calls] of [
      ["exit", "0", "leases"],
      // A clock that went back by less than the allowed future changes nothing.
      ["exit", "-5000"],
      ["detach", "0", "leases/release"],
      ["exit", "0", "leases"],
      // If the clock goes back further, the holder gives its lease back and acquires another.
      ["exit", "-3600000", "leases", "leases/release"],
    ]) {
      const script = ["package/consumer/store.js", store, end, aheadMs];
      const found = JSON.parse(command(program, [...args, ...permissions, ...script]));
      assert.deepEqual(found.calls, calls);
      // A process that only acquires a lease has not resumed one.
      assert.equal(found.resumed, `${calls}` !== "leases");
      issued.push(BigInt(found.id));
    }
    // The first three ids are of one lease, so they ascend. The last id is an hour earlier.
    const [first, second, third] = issued;
    assert.ok(first < second && second < third, `${issued}`);
  });
}

test("copies of the package in one process share their nodes", () => {
  const bundles = ["first", "second"].map((name) => join(consumer, `copy-${name}.mjs`));
  for (const bundle of bundles) {
    const entry = join(installed, "dist", "entrypoints", "inline.js");
    command(esbuild, [entry, "--bundle", "--format=esm", `--outfile=${bundle}`]);
  }
  command(process.execPath, ["package/consumer/copies.js", ...bundles]);
});

test("workerd", async (t) => {
  const main = "package/consumer/worker.js";
  const config = { name: "suite", main, compatibility_date };
  const harness = createTestHarness({ root: consumer, workers: [{ config }] });
  t.after(() => harness.close());
  await harness.listen();
  const response = await harness.getWorker("suite").fetch("/");
  passed(/** @type {Outcome} */ (await response.json()));
});

test("Vitest in workerd: examples/vitest/", () => {
  const project = join(consumer, "testing");
  const modules = join(project, "node_modules");
  cpSync(join(root, "examples", "vitest"), project, { recursive: true });
  mkdirSync(join(modules, "@cloudflare"), { recursive: true });
  for (const name of ["vitest", "@cloudflare/vitest-plugin"]) {
    symlinkSync(join(tools, name), join(modules, name));
  }
  cpSync(installed, join(modules, "edgeflake"), { recursive: true });
  // Vitest exits with an error if a test fails, or if there are no tests.
  command(join(tools, ".bin", "vitest"), ["run"], project);
});

describe("Chromium", () => {
  /** @type {import("playwright-core").Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof startStaticHost>>} */
  let host;

  before(async () => {
    const policy = { "content-security-policy": "script-src 'self'" };
    const headersOf = (/** @type {string} */ path) =>
      path.startsWith("/dist/strict/") ? policy : /** @type {{}} */ ({});
    host = await startStaticHost(consumer, "/", headersOf);
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    host.close();
  });

  /**
   * Opens a page of the consumer, and returns the result of its suite.
   *
   * @param {string} path
   * @returns {Promise<Outcome>}
   */
  async function open(path) {
    const page = await browser.newPage();
    /** @type {string[]} */
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("response", (response) => {
      if (!response.ok()) complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${host.url}${path}`);
    const ready = page.waitForFunction("globalThis.outcome", undefined, { timeout: 20_000 });
    await ready.catch(() => complaints.push("the suite did not start"));
    const outcome = await page.evaluate("globalThis.outcome");
    await page.close();
    assert.deepEqual(complaints, []);
    return /** @type {Outcome} */ (outcome);
  }

  /** Writes a page of the consumer. @param {string} path @param {string} head */
  function page(path, head) {
    mkdirSync(join(consumer, path, ".."), { recursive: true });
    const start = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';
    writeFileSync(join(consumer, path), `${start}<title>suite</title>${head}`);
  }

  test("without a bundler", async () => {
    const entry = "/node_modules/edgeflake/dist/entrypoints";
    const imports = {
      edgeflake: `${entry}/inline.js`,
      "edgeflake/lease": `${entry}/lease/inline.js`,
      "edgeflake/light": `${entry}/light.js`,
      "edgeflake/public": `${entry}/public.js`,
    };
    page(
      "plain.html",
      `<script type="importmap">${JSON.stringify({ imports })}</script>
      <script type="module" src="package/consumer/browser.js"></script>`,
    );
    passed(await open("plain.html"));
  });

  test("Vite", async () => {
    page("index.html", '<script type="module" src="/package/consumer/browser.js"></script>');
    const args = ["build", "--outDir=dist/vite", "--base=/dist/vite/", "--logLevel=warn"];
    command(join(tools, ".bin", "vite"), args);
    passed(await open("dist/vite/index.html"));
  });

  test("webpack", async () => {
    const entry = "--entry=./package/consumer/browser.js";
    const args = ["--mode=production", entry, "--output-path=dist/webpack"];
    command(join(tools, ".bin", "webpack"), args);
    page("dist/webpack/index.html", '<script defer src="main.js"></script>');
    passed(await open("dist/webpack/index.html"));
  });

  test("esbuild, as a script that is no module", async () => {
    command(esbuild, ["package/consumer/browser.js", "--bundle", "--outdir=dist/script"]);
    page("dist/script/index.html", '<script defer src="browser.js"></script>');
    passed(await open("dist/script/index.html"));
  });

  test("edgeflake/js where the policy refuses to compile WebAssembly", async () => {
    for (const entry of ["edgeflake", "edgeflake/js"]) {
      const path = `dist/strict/${entry}`;
      const args = ["--bundle", `--alias:edgeflake=${entry}`, `--outfile=${path}.js`];
      command(esbuild, ["package/consumer/strict.js", ...args]);
      page(`${path}.html`, `<script defer src="/${path}.js"></script>`);
    }
    const refused = await browser.newPage();
    const error = refused.waitForEvent("pageerror");
    await refused.goto(`${host.url}dist/strict/edgeflake.html`);
    assert.match((await error).message, /WebAssembly.*'unsafe-eval' is not an allowed source/);
    await refused.close();
    passed(await open("dist/strict/edgeflake/js.html"));
  });
});

const newest = join(root, "node_modules", ".bin", "tsc");
const older = (/** @type {string} */ version) => join(tools, `typescript${version}`, "bin", "tsc");

for (const [name, compiler, resolution, module] of [
  ["the newest compiler", newest, "bundler", "esnext"],
  ["the newest compiler", newest, "nodenext", "nodenext"],
  ["the oldest compiler that knows `using`", older("52"), "bundler", "esnext"],
  ["the newest compiler whose typed arrays are not generic", older("56"), "bundler", "esnext"],
]) {
  test(`a consumer compiles under moduleResolution ${resolution}: ${name}`, () => {
    const way = ["--moduleResolution", resolution, "--module", module];
    command(compiler, ["--project", "package/consumer", ...way]);
  });
}

test("publint and attw find nothing", () => {
  const publint = command(join(tools, ".bin", "publint"), ["run", "--strict", tarball]);
  assert.match(publint, /All good!/);
  // attw exits with an error if it finds a problem.
  const attw = (/** @type {string[]} */ ...args) =>
    command(join(tools, ".bin", "attw"), [tarball, ...args]);
  attw("--exclude-entrypoints", ...MODULES_ONLY);
  attw("--profile=esm-only", "--entrypoints", ...MODULES_ONLY);
});

test("the tarball has the compiled sources, what the build adds, and no other files", () => {
  const packed = command("tar", ["-tzf", tarball]).trim().split("\n");
  const sources = command("git", ["ls-files", "src"], join(root, "packages", "edgeflake"));
  const compiled = [...sources.matchAll(/^src\/(.*(?<!\.d))\.ts$/gm)].flatMap(([, file]) => [
    `package/dist/${file}.d.ts`,
    `package/dist/${file}.js`,
  ]);
  const built = RegExp(
    [
      "^package/(LICENSE-(APACHE|MIT)|README.md|package.json|dist/(postgres/database.sql|schemas.d.ts",
      "(cjs|shared|www)/.+|(authority|worker)/(glue.js|index_bg.wasm)",
      "entrypoints/(lease/workerd|postgres/workerd|testing-workerd|workerd).js.map",
      "edgeflake(_lease|_postgres)?(.d.ts|.js|_bg.wasm|_inline.js)",
      "(edgeflake_translated|names|worker_node)(.d.ts|.js)))$",
    ].join("|"),
  );
  const others = packed.filter((path) => !built.test(path) || compiled.includes(path));
  assert.deepEqual(others.sort(), compiled.sort());
  for (const folder of ["authority", "worker"]) {
    const source = readFileSync(join(installed, "dist", folder, "index.js"), "utf8");
    assert.doesNotMatch(source, /sourceMappingURL/);
  }
});
