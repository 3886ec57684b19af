// The set-up's failures are one line each; the dev server passes its arguments on.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { absoluteLinks, repository } from "../../tools/build/published.js";
import { copyCheckout } from "../../tools/command/checkout.js";
import { startDev } from "../../tools/serve/dev-server.js";

const root = new URL("../..", import.meta.url).pathname;

/** @type {string} */
let directory;
before(() => {
  directory = mkdtempSync(join(tmpdir(), "edgeflake-"));
});
after(() => rmSync(directory, { recursive: true }));

/** @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
function node(args, env) {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, CI: "", ...env },
  });
  return { status, stderr };
}

const setUp = [
  "--input-type=module",
  "-e",
  'import { setup } from "./tools/setup/setup.js"; await setup();',
];

/**
 * Makes a PATH that has nothing but these of this machine's programs.
 *
 * @param {string[]} programs
 */
function pathWith(programs) {
  const path = mkdtempSync(join(directory, "path-"));
  for (const program of programs) {
    const found = spawnSync("which", [program], { encoding: "utf8" }).stdout.trim();
    symlinkSync(found, join(path, program));
  }
  return path;
}

test("an unsupported Node", () => {
  const old = join(directory, "old.cjs");
  const versions = `Object.defineProperty(process, "versions", { value: { node: "18.20.8" } });`;
  writeFileSync(old, versions);
  const { status, stderr } = node(["--require", old, "tools", "lint"]);
  assert.equal(stderr, "error: found Node 18.20.8, edgeflake needs Node 20 or newer\n");
  assert.equal(status, 1);
});

/** A `rustup` that has everything in rust-toolchain.toml. */
const RUSTUP = "#!/bin/sh\necho clippy rustfmt rust-std-wasm32-unknown-unknown\n";

for (const { name, curl, isThere = false, stderr, status } of [
  { name: "it is there, but not on the PATH", isThere: true, stderr: "", status: 0 },
  {
    name: "it is installed",
    curl: `echo 'mkdir -p "$CARGO_HOME/bin" && cp "$HOME/rustup" "$CARGO_HOME/bin" && echo "$@" > "$HOME/args"'`,
    stderr: "",
    status: 0,
  },
  { name: "the installer fails", curl: "echo exit 1", stderr: "LOG", status: 1 },
]) {
  test(`no rustup on a machine that builds for Cloudflare: ${name}`, () => {
    const home = mkdtempSync(join(directory, "home-"));
    const path = pathWith(["cp", "mkdir", "sh"]);
    const cargoHome = join(home, "cargo");
    writeFileSync(join(home, "rustup"), RUSTUP, { mode: 0o755 });
    if (curl) writeFileSync(join(path, "curl"), `#!/bin/sh\n${curl}\n`, { mode: 0o755 });
    if (isThere) {
      mkdirSync(join(cargoHome, "bin"), { recursive: true });
      symlinkSync(join(home, "rustup"), join(cargoHome, "bin", "rustup"));
    }
    const script = 'import { requireRustup } from "./tools/setup/rust.js"; requireRustup();';
    const log = join(home, "cache", "sh.log");
    const found = node(["--input-type=module", "-e", script], {
      CARGO_HOME: cargoHome,
      EDGEFLAKE_CACHE: join(home, "cache"),
      HOME: home,
      PATH: path,
      WORKERS_CI: "1",
    });
    const failed = `error: sh failed: is there a network? What it printed is in ${log}\n`;
    assert.deepEqual(found, { status, stderr: stderr === "LOG" ? failed : stderr });
    if (!curl?.includes("args")) return;
    assert.match(readFileSync(join(home, "args"), "utf8"), /^-y --no-modify-path /);
  });
}

test("no network: npm", () => {
  const cache = join(directory, "cache");
  const project = join(directory, "project");
  for (const file of ["package.json", "package-lock.json"]) {
    cpSync(join(root, "benches", "js", file), join(project, file));
  }
  const script = `import { installNpmPackages } from "./tools/setup/npm.js";
    await installNpmPackages(${JSON.stringify(project)});`;
  const { status, stderr } = node(["--input-type=module", "-e", script], {
    EDGEFLAKE_CACHE: cache,
    npm_config_cache: join(directory, "npm"),
    // Nothing listens there.
    npm_config_registry: "http://127.0.0.1:9/",
  });
  const [, log = ""] =
    stderr.match(/^error: npm failed: is there a network\? .* is in (.+)\n$/) ?? [];
  assert.match(readFileSync(log, "utf8"), /127\.0\.0\.1:9/, stderr);
  assert.equal(status, 1);
});

test("a Node that is too old for wrangler is replaced", () => {
  const old = join(directory, "twenty.cjs");
  const versions = `Object.defineProperty(process, "versions", { value: { node: "22.11.0" } });`;
  writeFileSync(old, versions);
  const { status, stderr } = node(["--require", old, "tools", "lint", "--nope"]);
  // This error comes from a new process, which has no such preload and reads the options.
  assert.match(stderr, /^error: Unknown option '--nope'/);
  assert.equal(status, 1);
});

test("when nothing is missing, nothing is printed", () => {
  assert.deepEqual(node(setUp), { status: 0, stderr: "" });
});

test("a release of another version, or from another repository", () => {
  const { version } = JSON.parse(
    readFileSync(join(root, "packages", "edgeflake", "package.json"), "utf8"),
  );
  const release = (/** @type {string} */ tag) =>
    node(["tools", "release:check", "--offline"], {
      GITHUB_REF_NAME: tag,
      GITHUB_REF_TYPE: "tag",
      GITHUB_REPOSITORY: "nobody/nothing",
    });
  assert.deepEqual(release(version), {
    status: 1,
    stderr: `error: the tag is ${version}: v${version} is allowed\n`,
  });
  const { status, stderr } = release(`v${version}`);
  assert.match(
    stderr,
    /^error: the repository is .+: https:\/\/github.com\/nobody\/nothing is allowed\n$/,
  );
  assert.equal(status, 1);
});

test("links of a page that leaves the checkout lead to the files of its version", () => {
  const page = "[a](../../docs/A.md#b) [b](#b) [c](https://c.example/x) ![d](d.png)";
  const { version } = JSON.parse(
    readFileSync(join(root, "packages/edgeflake/package.json"), "utf8"),
  );
  const at = `${repository}/blob/v${version}`;
  assert.equal(
    absoluteLinks(page, "packages/edgeflake"),
    `[a](${at}/docs/A.md#b) [b](#b) [c](https://c.example/x) ![d](${at}/packages/edgeflake/d.png)`,
  );
});

test("the commands are listed, and an unknown one is refused with their names", () => {
  const list = spawnSync(process.execPath, ["tools"], { cwd: root, encoding: "utf8" });
  assert.deepEqual([list.status, list.stderr], [0, ""]);
  const names = [...list.stdout.matchAll(/^(\S+) +[a-z].*$/gm)].map(([, name]) => name).slice(1);
  assert.ok(names.length > 20, list.stdout);
  const help = spawnSync(process.execPath, ["tools", "--help"], { cwd: root, encoding: "utf8" });
  assert.equal(help.stdout, list.stdout);
  for (const unknown of ["no-such", "toString"]) {
    const stderr = `error: unknown command ${unknown}; allowed: ${names.join(", ")}\n`;
    assert.deepEqual(node(["tools", unknown]), { status: 1, stderr });
  }

  // Each npm script runs the command of its name.
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const [name, script] of Object.entries(scripts)) {
    assert.equal(script, `exec node tools ${name}`);
    assert.ok(names.includes(name), name);
  }
});

test("each command is loaded before npm has installed anything", () => {
  const bare = join(directory, "bare");
  copyCheckout(bare);
  // These pass all arguments on, even --help.
  const others = ["bench:js", "bench:page", "dev", "example", "simulate", "simulate:scale"];
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of ["test:api", ...Object.keys(scripts)]) {
    if (others.includes(name)) continue;
    const found = spawnSync(process.execPath, ["tools", name, "--help"], {
      cwd: bare,
      encoding: "utf8",
    });
    assert.deepEqual([name, found.status, found.stderr], [name, 0, ""]);
    assert.ok(found.stdout.startsWith(`node tools ${name}`), found.stdout);
  }
});

test("check refuses variables with the Worker's own errors", () => {
  /** @param {string} vars */
  const check = (vars) => {
    const config = join(directory, "wrangler.toml");
    writeFileSync(config, `name = "edgeflake"\ncompatibility_date = "2026-10-01"\n[vars]\n${vars}`);
    return node(["tools", "check", "--config", config]);
  };
  assert.deepEqual(node(["tools", "check"]), { status: 0, stderr: "" });
  assert.deepEqual(
    check('EDGEFLAKE_NODE_COUNT = 128\nPUBLIC_ISSUE = true\nEPOCH_START = "2026-01-01"'),
    {
      status: 0,
      stderr: "",
    },
  );
  for (const [vars, error] of [
    [
      'EDGEFLAKE_NODE_COUNT = "two"',
      'EDGEFLAKE_NODE_COUNT is "two": a whole number from 1 to 1048576 is allowed',
    ],
    [
      "EDGEFLAKE_LEASE_MILLIS = 30_000",
      "EDGEFLAKE_LEASE_MILLIS, EDGEFLAKE_ALLOWED_FUTURE_MILLIS: a lease of 30000 ms: 30001 (twice the allowed future and " +
        "a tick) to 86400000 are allowed",
    ],
  ]) {
    assert.deepEqual(check(vars), { status: 1, stderr: `error: ${error}\n` });
  }
  assert.deepEqual(check("EDGEFLAKE_NODE_CUONT = 1"), {
    status: 1,
    stderr:
      "error: there is a variable EDGEFLAKE_NODE_CUONT, which is not known: the nearest is " +
      "EDGEFLAKE_NODE_COUNT\n",
  });
  // This layout cannot issue now.
  const { status, stderr } = check('EDGEFLAKE_LAYOUT = "hazelcast epoch-start=2130-01-01"');
  assert.match(
    stderr,
    /^error: EDGEFLAKE_LAYOUT: \S+ is before the layout's epoch 2130-01-01T00:00:00\.000Z: set the clock, or choose another layout\n$/,
  );
  assert.equal(status, 1);
  // The variables of another program are ignored.
  assert.deepEqual(check('LAYOUT = "list"\nSHARDS = 3'), { status: 0, stderr: "" });
});

test("dev passes its arguments on, serves ids and the page, and ends when told", async () => {
  const dev = await startDev();
  try {
    const response = await fetch(`${dev.url}v1/ids?count=3`, { method: "POST" });
    assert.equal((await response.json()).ids.length, 3);
    assert.match(await (await fetch(dev.url)).text(), /<title>/);
    const api = await fetch(`${dev.url}openapi.json`);
    assert.equal(api.headers.get("content-type"), "application/json");
    assert.equal((await api.json()).openapi, "3.1.1");
    assert.ok(existsSync(join(dev.storage, "v3", "do")), "the lease is stored where it was told");
  } finally {
    await dev.stop();
  }
  await assert.rejects(fetch(dev.url), "nothing listens any more");
});
