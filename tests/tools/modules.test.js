// The page and the JavaScript without Rust: their modules are taken from a packed edgeflake. It is
// done in a copy of this checkout, with nothing of Rust on the PATH.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { root } from "../../tools/command/paths.js";
import { copyCheckout } from "../harness/checkout.js";
import { pack } from "../harness/packed.js";
import { attempt } from "../harness/processes.js";

const directory = mkdtempSync(join(tmpdir(), "edgeflake-"));
const copy = join(directory, "checkout");
const dist = join("packages", "edgeflake", "dist");

/** Nothing listens there. */
const NOWHERE = "http://127.0.0.1:9/";

/** What is on the PATH: all but Rust. */
const programs = [
  dirname(process.execPath),
  ...(process.env.PATH ?? "").split(delimiter).filter((path) => !has(path, "cargo", "rustup")),
].join(delimiter);

/** @param {string} path @param {string[]} names */
function has(path, ...names) {
  try {
    return readdirSync(path).some((name) => names.includes(name));
  } catch {
    return false;
  }
}

/** @param {string} file of this checkout */
const read = (file) => readFileSync(join(root, file), "utf8");

const { version } = JSON.parse(read("packages/edgeflake/package.json"));

/** @type {string} */
let tarball;
/** @type {import("node:http").Server} */
let registry;

before(async () => {
  tarball = pack("edgeflake", directory);
  copyCheckout(copy);
  // What npm has installed, but with this copy of the package.
  const modules = join(copy, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "edgeflake") symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  symlinkSync(join("..", "packages", "edgeflake"), join(modules, "edgeflake"));
  const consumer = join("tests", "package", "consumer", "node_modules");
  symlinkSync(join(root, consumer), join(copy, consumer));

  // npm, as far as it is asked for a package.
  registry = createServer(({ url = "" }, response) => {
    if (url.endsWith(".tgz")) return response.end(readFileSync(tarball));
    const file = `${address()}${basename(tarball)}`;
    const versions = { [version]: { name: "edgeflake", version, dist: { tarball: file } } };
    response.end(JSON.stringify({ name: "edgeflake", "dist-tags": { latest: version }, versions }));
  });
  await new Promise((resolve) => registry.listen(0, "localhost", () => resolve(undefined)));
});
after(() => {
  registry.close();
  rmSync(directory, { recursive: true });
});

function address() {
  const { port } = /** @type {import("node:net").AddressInfo} */ (registry.address());
  return `http://localhost:${port}/`;
}

/** @param {string[]} args @param {Record<string, string>} [env] */
async function tools(args, env = {}) {
  const own = {
    EDGEFLAKE_CACHE: join(directory, "cache"),
    EDGEFLAKE_MODULES: undefined,
    PATH: programs,
    npm_config_cache: join(directory, "npm"),
    npm_config_registry: NOWHERE,
  };
  return attempt(process.execPath, ["tools", ...args], { cwd: copy, env: { ...own, ...env } });
}

/** The files below a directory that npm packs, by their hashes. @param {string} folder */
function contents(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter(({ name }) => name !== "modules.json" && !name.endsWith(".wasm.d.ts"))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length), hashOf(readFileSync(file))]),
  );
}

const hashOf = (/** @type {Buffer} */ content) =>
  createHash("sha256").update(content).digest("hex");

/** What git does not know, and the built package has. @param {string} checkout */
const built = (checkout) => ({
  package: contents(join(checkout, dist)),
  page: contents(join(checkout, "build", "www")),
  worker: contents(join(checkout, "build", "worker")),
});

test("neither a package nor Rust", async () => {
  const { code, log } = await tools(["build"]);
  assert.match(
    log,
    new RegExp(
      `^error: rustup not found, and the modules of edgeflake ${version} on npm cannot be taken ` +
        "instead: npm does not install it: .+; install rustup from https://rustup.rs, or set " +
        "EDGEFLAKE_MODULES to an edgeflake that was packed from the same Rust\n$",
    ),
  );
  assert.equal(code, 1);
});

test("neither, on a machine that builds for Cloudflare: Rust is installed", async () => {
  const curl = join(directory, "curl");
  mkdirSync(curl);
  writeFileSync(join(curl, "curl"), "#!/bin/sh\nexit 22\n", { mode: 0o755 });
  const PATH = [curl, programs].join(delimiter);
  const env = { CARGO_HOME: join(directory, "cargo"), CI: "", PATH, WORKERS_CI: "1" };
  const { code, log } = await tools(["build"], env);
  const [reason, step, failed] = log.split("\n");
  assert.match(
    reason,
    /^set-up: rustup not found, and the modules of .+ cannot be taken instead: /,
  );
  assert.equal(step, "set-up: rustup (about 10 seconds)");
  assert.match(failed, /^error: sh failed: is there a network\?/);
  assert.equal(code, 1);
});

for (const [named, reason] of [
  [
    "latest",
    "a version, such as 0.1.0, or the path of a packed edgeflake, which ends in .tgz, is allowed",
  ],
  [
    "/no/edgeflake.tgz",
    "a version, such as 0.1.0, or the path of a packed edgeflake, which ends in .tgz, is allowed",
  ],
]) {
  test(`refuses --modules ${named}`, async () => {
    const { code, log } = await tools(["build", "--modules", named]);
    assert.deepEqual([code, log], [1, `error: EDGEFLAKE_MODULES is ${named}: ${reason}\n`]);
  });
}

test("with the modules of a tarball, all that is built is what Rust would have made", async () => {
  const { code, log } = await tools(["build", "--modules", tarball]);
  assert.equal(code, 0, log);
  assert.equal(
    log,
    "build: package, page, worker\n" +
      `build: the modules are those of edgeflake ${tarball}, built from the same Rust\n`,
  );
  assert.deepEqual(built(copy), built(root));
});

test("without Rust, the modules are those of the version on npm", async () => {
  const { code, log } = await tools(["build", "page"], { npm_config_registry: address() });
  assert.equal(code, 0, log);
  assert.equal(
    log,
    `set-up: rustup not found, so the modules of edgeflake ${version} on npm are taken\n` +
      "build: page\n" +
      `build: the modules are those of edgeflake ${version}, built from the same Rust\n`,
  );
});

test("a change of the package and of the page is built and tested", async () => {
  const unchanged = built(copy);
  for (const file of ["packages/edgeflake/lib/error.js", "www/main.js"]) {
    appendFileSync(join(copy, file), "\nglobalThis.changed = true;\n");
  }
  const files = ["tests/package/cli.test.js", "tests/page/layout.test.js"];
  const { code, log } = await tools(["test", ...files], { EDGEFLAKE_MODULES: tarball });
  assert.equal(code, 0, log);
  assert.match(log, /rust-worker is not built, because its module is not in the npm package/);
  assert.match(log, /^ℹ fail 0$/m);
  const changed = built(copy);
  assert.notEqual(changed.page.get("/main.js"), unchanged.page.get("/main.js"));
  const lib = "/cjs/lib/error.js";
  assert.notEqual(changed.package.get(lib), unchanged.package.get(lib));
});

test("what needs Rust says so", async () => {
  const smallest = await tools(["build", "smallest"], { EDGEFLAKE_MODULES: tarball });
  assert.equal(
    smallest.log,
    "build: smallest\n" +
      "error: edgeflake-bench-smallest is not in the npm package: unset EDGEFLAKE_MODULES to compile it\n",
  );
  const model = await tools(["simulate"], { EDGEFLAKE_MODULES: tarball });
  assert.equal(
    model.log,
    "error: cargo not found: this needs Rust; install rustup from https://rustup.rs\n",
  );
});

test("such a build is not released", async () => {
  const { code, log } = await tools(["release:check", "--offline"], { EDGEFLAKE_MODULES: tarball });
  assert.equal(
    log,
    "error: the modules are taken from a package, because EDGEFLAKE_MODULES is set or rustup not " +
      "found: a release is built from Rust\n",
  );
  assert.equal(code, 1);
  await tools(["build", "package"], { EDGEFLAKE_MODULES: tarball });
  const published = await attempt("npm", ["publish", "--dry-run", "--offline"], {
    cwd: join(copy, "packages", "edgeflake"),
  });
  assert.match(published.log, /error: the modules were taken from a package: build with Rust/);
  assert.notEqual(published.code, 0);
});

for (const file of ["src/lib.rs", "worker/src/http/answer.js", "Cargo.lock"]) {
  test(`after a change of ${file}, the modules are of other Rust`, async () => {
    const path = join(copy, file);
    const before = readFileSync(path);
    appendFileSync(path, file.endsWith(".lock") ? "# changed\n" : "// changed\n");
    const { code, log } = await tools(["build"], { EDGEFLAKE_MODULES: tarball });
    writeFileSync(path, before);
    assert.deepEqual(
      [code, log],
      [
        1,
        `error: EDGEFLAKE_MODULES is ${tarball}: its modules were built from other Rust than is here\n`,
      ],
    );
  });
}

test("the JavaScript around a module is no Rust", async () => {
  appendFileSync(join(copy, "worker/src/entry.js"), "// changed\n");
  const { code, log } = await tools(["build", "worker"], { EDGEFLAKE_MODULES: tarball });
  assert.equal(code, 0, log);
});
