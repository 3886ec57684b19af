// node tools rehearse [TEMPLATE ...] publishes the npm packages and the crates to registries on
// this machine. Then it follows README.md's section "Once 0.1 is published" in empty directories,
// word for word, for these templates or for all. Other packages come from your usual registries. At
// the end it lists what only a real release can show. It needs port 8787.
//
//   --keep  keeps the temporary directory, and prints its path

import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { crates, pack, packages, version } from "../../tools/build/published.js";
import { readArguments } from "../../tools/command/arguments.js";
import { copyCheckout } from "../../tools/command/checkout.js";
import { bin, esbuild, root } from "../../tools/command/paths.js";
import { fail, output, run as runHere } from "../../tools/command/run.js";
import { freePort } from "../../tools/serve/dev-server.js";
import { cargoHttpRegistry, cargoTool, installCargoTool } from "../../tools/setup/rust.js";
import { setup } from "../../tools/setup/setup.js";
import { Failure, firstAnswer, run, start } from "../harness/processes.js";
import { isRust, lock, templates } from "./harness/template.js";

const SECTION = "## Once 0.1 is published\n";

const PORT = 8787;

/** A command that compiles may take this long, and so may a server until it answers. */
const LIMIT_MS = 900_000;

/** Time between an unanswered request and the next one. */
const LOOK_MS = 500;

/**
 * The registry of npm packages. A plugin names a tag of node-fetch, which a mirror may lack, so
 * `overrides` names a version.
 */
const VERDACCIO = {
  private: true,
  dependencies: { verdaccio: "6.10.4" },
  overrides: { "node-fetch": "2.7.0" },
};

const ONLY_A_RELEASE_SHOWS = `Only a real release can show:
- that the names are free, and that npm and crates.io trust release.yml as the publisher;
- the provenance of the npm packages;
- how npmjs.com and crates.io show the READMEs with their links, and what docs.rs builds;
- the badges, and the links to the repository, also those on the page;
- \`npm create cloudflare\`, \`cargo generate\` and Cloudflare's button, which read GitHub;
- the tools that worker-build downloads from GitHub (here they came from npm and crates.io), and
  crates newer than those in Cargo.lock;
- a deploy to Cloudflare.`;

/** @typedef {import("../harness/processes.js").Where} Where */

const { values, positionals } = readArguments({
  allowPositionals: true,
  options: { keep: { type: "boolean", default: false } },
});
const unknown = positionals.find((name) => !templates.includes(name));
if (unknown) fail(`no template is named ${unknown}; give ${templates.join(", ")}`);
const names = positionals.length > 0 ? positionals : templates;

/**
 * Reads the section's commands: two for a project, the request to the project, and one that needs
 * no project.
 */
function readCommands() {
  const [, rest = ""] = readFileSync(join(root, "README.md"), "utf8").split(SECTION);
  const [section] = rest.split(/^## /m);
  const blocks = Array.from(section.matchAll(/^```sh\n(.*?)\n```$/gms), ([, block]) => block);
  const [, request] = /`(curl [^`]+)`/.exec(section) ?? [];
  const [create, startProject, ...others] = blocks[0]?.split("\n") ?? [];
  if (blocks.length !== 2 || !startProject || others.length > 0 || !request) {
    fail(
      "README.md's section has other commands than tests/templates/rehearse.js expects; change one",
    );
  }
  return { create, startProject, request, startAlone: blocks[1] };
}

/** Ends with an error if the port is in use, because another server would answer. */
async function checkPort() {
  const server = createServer().listen(PORT, "localhost");
  await once(server, "listening").catch(() => fail(`port ${PORT} is in use; end what uses it`));
  server.close();
  await once(server, "close");
}

/**
 * Publishes the npm packages to a registry on this machine, and returns the environment in which
 * npm uses only that registry.
 *
 * @param {string} directory @param {Record<string, undefined>} usual
 */
async function publishPackages(directory, usual) {
  const home = join(directory, "verdaccio");
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), JSON.stringify(VERDACCIO));
  await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: home, env: usual }, LIMIT_MS);
  const upstream = (
    await run("npm", ["config", "get", "registry"], { cwd: home, env: usual })
  ).trim();
  const config = {
    storage: join(home, "storage"),
    uplinks: { usual: { url: upstream } },
    packages: {
      "{create-,}edgeflake": { access: "$all", publish: "$all" },
      "**": { access: "$all", proxy: "usual" },
    },
  };
  // The file may have JSON, because every JSON text is also YAML.
  writeFileSync(join(home, "config.yaml"), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const program = join(home, "node_modules", "verdaccio", "bin", "verdaccio");
  const args = [program, `--config=${join(home, "config.yaml")}`, `--listen=${address}`];
  const server = start(process.execPath, args, { cwd: home });
  await firstAnswer(server, `http://${address}/-/ping`);

  const userconfig = join(directory, "npmrc");
  writeFileSync(userconfig, `registry=http://${address}/\n//${address}/:_authToken=rehearsal\n`);
  const env = {
    ...usual,
    npm_config_cache: join(directory, "npm-cache"),
    npm_config_userconfig: userconfig,
  };
  for (const name of packages) {
    const tarball = pack(name, directory);
    await run("npm", ["publish", "--access=public", tarball], { cwd: directory, env });
    console.log(`npm: published ${name} ${version}`);
  }
  return { env, server };
}

/**
 * Publishes the crates to a registry on this machine, and returns the environment in which cargo
 * takes the crates from that registry.
 *
 * @param {string} directory the directory of the projects that take the crates from that registry
 */
async function publishCrates(directory) {
  installCargoTool(cargoHttpRegistry);
  const registry = join(directory, "crates");
  const address = `127.0.0.1:${await freePort()}`;
  const where = { cwd: directory };
  const server = start(cargoHttpRegistry.path, [`--addr=${address}`, registry], where);
  await firstAnswer(server, `http://${address}/git/HEAD`);

  const home = join(directory, "cargo-home");
  const usualHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  mkdirSync(home);
  for (const name of ["config.toml", "credentials.toml"]) {
    const file = join(usualHome, name);
    if (existsSync(file)) symlinkSync(file, join(home, name));
  }
  const env = { CARGO_HOME: home, CARGO_REGISTRIES_REHEARSAL_TOKEN: "rehearsal" };

  // cargo writes the lock file, which must not change in this checkout.
  const checkout = join(directory, "checkout");
  copyCheckout(checkout);
  /** @type {string[]} */
  const published = [];
  for (const name of Object.keys(crates)) {
    const args = ["publish", `--package=${name}`, "--registry=rehearsal", "--no-verify"];
    configureCargo(directory, registry, published);
    await run("cargo", args, { cwd: checkout, env }, LIMIT_MS);
    console.log(`cargo: published ${name} ${version}`);
    published.push(name);
  }
  configureCargo(directory, registry, published);
  return { env, server };
}

/**
 * Lets cargo take crates from the registry, as if it were crates.io, in all projects in a
 * directory.
 *
 * @param {string} directory @param {string} registry @param {string[]} published
 */
function configureCargo(directory, registry, published) {
  mkdirSync(join(directory, ".cargo"), { recursive: true });
  const lines = [
    "[registries.rehearsal]",
    `index = "${pathToFileURL(registry)}"`,
    "[patch.crates-io]",
    ...published.map((name) => `${name} = { version = "=${version}", registry = "rehearsal" }`),
  ];
  writeFileSync(join(directory, ".cargo", "config.toml"), `${lines.join("\n")}\n`);
}

/**
 * Types a command into a shell, and waits for its end.
 *
 * @param {string} command @param {Where} where
 */
async function type(command, where) {
  console.log(`$ ${command}`);
  await run("sh", ["-c", command], where, LIMIT_MS);
}

/**
 * Types a command that serves, and then the request, again and again until an id comes. Then it
 * ends the server.
 *
 * @param {string} command
 * @param {(log: string) => string | undefined} request finds the command in the server's output
 * @param {Where} where
 */
async function serve(command, request, where) {
  console.log(`$ ${command}`);
  const begin = performance.now();
  const server = start("sh", ["-c", command], where);
  try {
    let found = "nothing";
    while (server.isRunning && performance.now() - begin < LIMIT_MS) {
      const asked = request(server.log());
      found = asked === undefined ? found : await answer(asked);
      const [id] = /\d{15,20}/.exec(found) ?? [];
      if (asked !== undefined && id !== undefined) {
        const seconds = ((performance.now() - begin) / 1000).toFixed(1);
        console.log(`$ ${asked}\n${found.trim()}\n(after ${seconds} s)`);
        return;
      }
      await sleep(LOOK_MS);
    }
    throw new Failure(`${command}: the request was answered by ${found}`, server.log());
  } finally {
    server.kill();
    await server.ended;
  }
}

/** @param {string} command */
async function answer(command) {
  try {
    return (await promisify(execFile)("sh", ["-c", command])).stdout;
  } catch (error) {
    return `${/** @type {Error} */ (error).message}`;
  }
}

async function main() {
  const { create, startProject, request, startAlone } = readCommands();
  await checkPort();
  await setup();
  runHere("node", ["tools", "build", "package"]);

  // The servers end when this process emits `exit`. Signals need a handler, because by default they
  // end this process with no such event.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
  const directory = mkdtempSync(join(tmpdir(), "edgeflake-rehearsal-"));
  process.once("exit", () => {
    if (values.keep) console.log(`kept: ${directory}`);
    else rmSync(directory, { force: true, maxRetries: 5, recursive: true });
  });

  // The variables that `npm run` gives its scripts would override npm's own configuration.
  const variables = Object.keys(process.env).filter((name) => /^npm_/i.test(name));
  const usual = Object.fromEntries(variables.map((name) => [name, undefined]));
  const npm = await publishPackages(directory, usual);
  const cargo = await publishCrates(directory);
  const env = { ...npm.env, ...cargo.env, PATH: withoutCheckout(process.env.PATH) };
  for (const template of names) {
    const cwd = join(directory, template);
    mkdirSync(cwd);
    const option = template === "worker" ? "" : ` -- --template ${template}`;
    await type(`${create}${option}`, { cwd, env });
    const project = join(cwd, "my-worker");
    const rust = isRust(template) ? rustTools(directory, project) : {};
    await serve(startProject, () => request, { cwd, env: { ...env, ...rust } });
    await type("npm test", { cwd: project, env: { ...env, ...rust } });
  }
  const cwd = join(directory, "alone");
  mkdirSync(cwd);
  const printed = (/** @type {string} */ log) => /^ +(curl .+)$/m.exec(log)?.[1];
  await serve(startAlone, printed, { cwd, env });
  for (const { server } of [npm, cargo]) {
    server.kill();
    await server.ended;
  }
  console.log(`\nThe README's commands work with what would be published. ${ONLY_A_RELEASE_SHOWS}`);
}

/**
 * Returns the environment of a Rust project, with worker-build and the programs that worker-build
 * would download from GitHub. These tools have the versions in this checkout's Cargo.lock, so the
 * project's other crates are locked to this file, too.
 *
 * @param {string} directory @param {string} project
 */
function rustTools(directory, project) {
  lock(project);
  const toolchain = output("rustup", ["show", "active-toolchain"])?.split(" ")[0];
  const locked = readFileSync(join(root, "Cargo.lock"), "utf8");
  const version = (/** @type {string} */ crate) =>
    new RegExp(`^name = "${crate}"\nversion = "(.*)"$`, "m").exec(locked)?.[1] ?? "";
  const workerBuild = cargoTool("worker-build", "worker-build", version("worker"));
  const bindgen = cargoTool("wasm-bindgen-cli", "wasm-bindgen", version("wasm-bindgen"));
  for (const tool of [workerBuild, bindgen]) installCargoTool(tool);
  return {
    CARGO_TARGET_DIR: join(directory, "target"),
    ESBUILD_BIN: esbuild,
    PATH: withoutCheckout([dirname(workerBuild.path), process.env.PATH].join(delimiter)),
    RUSTUP_TOOLCHAIN: `${toolchain}`,
    WASM_BINDGEN_BIN: bindgen.path,
    WASM_OPT_BIN: join(bin, "wasm-opt"),
  };
}

/**
 * Removes the commands that npm installed for this checkout from a PATH.
 *
 * @param {string | undefined} path
 */
const withoutCheckout = (path = "") =>
  path
    .split(delimiter)
    .filter((folder) => folder !== bin)
    .join(delimiter);

await main();
