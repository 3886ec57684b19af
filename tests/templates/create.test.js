// Runs `npm create edgeflake` of the packed package, and checks the projects that it creates. These
// projects use the tools that this checkout has installed; `node tools rehearse` installs tools as
// a user does.

import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { pack } from "../../tools/build/published.js";
import { root } from "../../tools/command/paths.js";
import { attempt, run } from "../harness/processes.js";
import { firstOrder, isRust, lock, patchWithSources, templates } from "./harness/template.js";

const directory = join(root, "build", "templates");
const program = join(directory, "package", "cli.js");
const workerBuild = join(import.meta.dirname, "harness", "worker-build.js");

/** The tools of a project, each with the folder where this checkout has installed it. */
const TOOLS = {
  "@cloudflare/vitest-plugin": "tests/package/consumer/node_modules",
  "@cloudflare/workers-types": "tests/package/consumer/node_modules",
  vitest: "tests/package/consumer/node_modules",
  typescript: "node_modules",
  wrangler: "node_modules",
  hono: "node_modules",
};

/** Files of every template, of those in TypeScript, and of the one in Rust. */
const FILES = ".gitignore README.md package.json wrangler.jsonc".split(" ");
const OF_TYPESCRIPT =
  "src/index.ts test/orders.test.ts tsconfig.json vitest.config.ts worker-configuration.d.ts".split(
    " ",
  );
const OF_RUST = "Cargo.toml build.js src/lib.rs test/orders.test.js".split(" ");

/** The requirements of the Rust template, in the program's words. */
const NEEDS_RUST = `You need Rust 1.95 or newer (https://rustup.rs) and a C compiler. The first start takes some
minutes, because it adds Rust's target wasm32-unknown-unknown and compiles worker-build.

`;

/** @param {string[]} args @param {string} [cwd] @param {Record<string, string>} [env] */
const create = (args, cwd = directory, env = {}) =>
  attempt(process.execPath, [program, ...args], { cwd, env });

/** @param {string} folder */
const list = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

/** @type {string} */
let edgeflake;
before(async () => {
  rmSync(directory, { force: true, recursive: true });
  patchWithSources(directory);
  edgeflake = pack("edgeflake", directory);
  const tarball = pack("create-edgeflake", directory);
  await run("tar", ["-xzf", tarball, "-C", directory], { cwd: directory });
});

test("the package has every template", () => {
  assert.deepEqual(readdirSync(join(directory, "package", "templates")), templates);
  assert.deepEqual(templates, ["hono", "rust", "worker"]);
});

for (const template of templates) {
  describe(template, () => {
    const project = join(directory, `My ${template}.app`);
    const name = `my-${template}-app`;
    const at = (/** @type {string} */ file) => readFileSync(join(project, file), "utf8");
    const script = (/** @type {string[]} */ ...args) => run("npm", args, { cwd: project });

    before(async () => {
      const { code, log } = await create([`My ${template}.app`, "--template", template]);
      assert.equal(code, 0, log);
      assert.equal(
        log,
        `Created ${name} from the template ${template}. Next:

  cd "My ${template}.app"
  npm install
  npm run dev
  curl -X POST localhost:8787/orders # in another terminal

${isRust(template) ? NEEDS_RUST : ""}`,
      );
    });

    test("is a few files, of which none is left out", () => {
      const files = new Set(list(project));
      assert.ok(files.size < 15, `${files.size} files`);
      assert.ok(
        files.isSupersetOf(new Set([...FILES, ...(isRust(template) ? OF_RUST : OF_TYPESCRIPT)])),
      );
      assert.ok(files.isSubsetOf(new Set(list(join(root, "examples", "templates", template)))));
    });

    test("has the name of its directory, and nothing of the gallery", () => {
      const manifest = JSON.parse(at("package.json"));
      assert.equal(manifest.name, name);
      assert.equal(manifest.cloudflare, undefined);
      assert.match(at("wrangler.jsonc"), new RegExp(`^  "name": "${name}",$`, "m"));
      if (isRust(template)) assert.match(at("Cargo.toml"), new RegExp(`^name = "${name}"$`, "m"));
      assert.doesNotMatch(at("README.md"), /dash-content|deploy\.workers|npm create/);
    });

    test("has the metadata that Cloudflare's gallery requires", () => {
      const folder = join(root, "examples", "templates", template);
      const { cloudflare, description } = JSON.parse(
        readFileSync(join(folder, "package.json"), "utf8"),
      );
      assert.ok(description.length > 20);
      assert.ok(cloudflare.label && cloudflare.icon_urls.length);
      assert.ok(cloudflare.products.length <= 3);
      for (const category of cloudflare.categories) {
        assert.ok(["starter", "storage", "ai"].includes(category), category);
      }
      const readme = readFileSync(join(folder, "README.md"), "utf8");
      assert.match(readme, /^<!-- dash-content-start -->$[\s\S]+^<!-- dash-content-end -->$/m);
    });

    test("compiles, passes its tests, answers an id, and would be deployed", async () => {
      const modules = join(project, "node_modules");
      const { dependencies, devDependencies } = JSON.parse(at("package.json"));
      mkdirSync(join(modules, "edgeflake"), { recursive: true });
      mkdirSync(join(modules, "@cloudflare"));
      const into = ["--strip-components=1", "-C", join(modules, "edgeflake")];
      await run("tar", ["-xzf", edgeflake, ...into], { cwd: project });
      const { edgeflake: _, ...tools } = { ...dependencies, ...devDependencies };
      mkdirSync(join(modules, ".bin"));
      if (isRust(template)) {
        lock(project);
        symlinkSync(workerBuild, join(modules, ".bin", "worker-build"));
      }
      for (const tool of /** @type {(keyof typeof TOOLS)[]} */ (Object.keys(tools))) {
        const installed = join(root, TOOLS[tool], tool);
        assert.ok(existsSync(installed), installed);
        symlinkSync(installed, join(modules, tool));
        const { bin = {} } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
        for (const [command, file] of Object.entries(typeof bin === "string" ? {} : bin)) {
          symlinkSync(join(installed, file), join(modules, ".bin", command));
        }
      }

      // tsc runs before `check` generates the types again, to test the types in the template.
      if (!isRust(template)) await run(join(modules, ".bin", "tsc"), [], { cwd: project });
      const checked = await script("run", "check");
      assert.match(checked, /--dry-run: exiting now/);
      const [, size] = checked.match(/ gzip: ([\d.]+) KiB/) ?? [];
      // The limit is the sum of the budgets of the objects, 110 KiB, and of a bundle with a lease,
      // 48 KiB, and 1 KiB for wrangler's code. Hono itself comes on top.
      assert.ok(Number(size) < 159 + (template === "hono" ? 20 : 0), checked);
      if (!isRust(template)) {
        const types = "worker-configuration.d.ts";
        const own = readFileSync(join(root, "examples", "templates", template, types), "utf8");
        assert.equal(at(types), own, "the template's types are not those that the check generates");
      }
      assert.match(await script("test"), /Tests +3 passed|pass 3\n/);
      assert.ok(BigInt(JSON.parse(await firstOrder({ cwd: project })).id) > 0n);
      // The storage is removed, because the Worker reads the layout only to create a sequencer.
      rmSync(join(project, ".wrangler"), { force: true, recursive: true });
      const options = ["--var=EDGEFLAKE_LAYOUT:snowflake"];
      const text = await firstOrder({ cwd: project }, options, 500);
      assert.match(text, /EDGEFLAKE_LAYOUT is .+no preset is named snowflake/);
    });
  });
}

test("cargo-generate finds nothing to replace in the template in Rust", () => {
  const folder = join(root, "examples", "templates", "rust");
  for (const file of list(folder)) {
    assert.doesNotMatch(readFileSync(join(folder, file), "utf8"), /\{\{|\{%/, file);
  }
});

describe("npm create edgeflake", () => {
  test("creates in the current directory, for the package manager that was used", async () => {
    const cwd = join(directory, "here");
    mkdirSync(join(cwd, ".git"), { recursive: true });
    const { code, log } = await create([], cwd, { npm_config_user_agent: "pnpm/11.0.0 node/v24" });
    assert.equal(code, 0, log);
    assert.match(log, /^Created here from the template worker\. Next:\n\n {2}pnpm install\n/);
    assert.ok(existsSync(join(cwd, "src", "handler.ts")));
  });

  test("gives a crate a name that begins with a letter", async () => {
    const { code, log } = await create(["2nd", "--template=rust"]);
    assert.equal(code, 0, log);
    const found = readFileSync(join(directory, "2nd", "Cargo.toml"), "utf8");
    assert.match(found, /^name = "worker-2nd"$/m);
  });

  test("prints its usage and its version", async () => {
    assert.match((await create(["--help"])).log, /^npm create edgeflake \[DIRECTORY\]/);
    const { version } = JSON.parse(
      readFileSync(join(root, "packages", "edgeflake", "package.json"), "utf8"),
    );
    assert.equal((await create(["--version"])).log, `${version}\n`);
  });

  // "full" is a directory with files, and "file" is a file.
  for (const row of `a -t vue -> no template is named vue; give hono, rust, worker
a -t ../x -> no template is named ../x; give hono, rust, worker
a --templat=hono -> Unknown option '--templat'
a b -> give only one directory; got a, b
file -> file is a file; name a new or an empty directory
full -> full is not empty: it has 1, 2, 3, ...; name a new or an empty directory, such as \`npm create edgeflake my-worker\`
./-a -> the directory's name "-a" cannot be a Worker's name, which has 1 to 63 of a-z, 0-9 and -, and neither begins nor ends with -; choose another directory
${"a".repeat(64)} -> the directory's name "${"a".repeat(64)}" cannot be a Worker's name`.split(
    "\n",
  )) {
    const [args, said] = row.split(" -> ");
    test(`refuses ${args}`, async () => {
      const full = join(directory, "full");
      mkdirSync(full, { recursive: true });
      for (const name of ["1", "2", "3", "4"]) writeFileSync(join(full, name), "");
      writeFileSync(join(directory, "file"), "");
      const there = readdirSync(directory);
      const { code, log } = await create(args.split(" "));
      assert.equal(code, 2, log);
      assert.equal(log.slice(0, `create-edgeflake: ${said}`.length), `create-edgeflake: ${said}`);
      assert.deepEqual(readdirSync(directory), there, "something was created");
    });
  }
});
