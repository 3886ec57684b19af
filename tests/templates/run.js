// node tools templates [TEMPLATE ...] does with each template what a newcomer would do, from an
// empty directory to the first id, and prints how many seconds each part took. Without names it
// takes all templates. It needs a network to install the projects' packages. The Rust template is
// built by worker-build from the crates as cargo packs them, with the other crates of this
// checkout. All ways share the compiled crates.
//
//   --tarball FILE  edgeflake as it is packed, instead of the one that is built first
//   --warm          uses your npm cache; otherwise each project begins with an empty one
//   --keep          leaves the projects in the temporary directory, and prints where

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { pack } from "../../tools/build/published.js";
import { readArguments } from "../../tools/command/arguments.js";
import { root } from "../../tools/command/paths.js";
import { fail, output, run as runHere } from "../../tools/command/run.js";
import { prepareEnvironment, setup } from "../../tools/setup/setup.js";
import { run } from "../harness/processes.js";
import { lock, patch } from "./harness/crates.js";
import { packCrates, rustEnvironment } from "./harness/rust.js";
import { firstId, isRust, templates } from "./harness/template.js";

/**
 * Limit from the empty directory to the first id. A project that must be compiled takes minutes.
 */
const FIRST_ID_S = 60;

/** Limit of a command that compiles. */
const LIMIT_MS = 600_000;

const { values, positionals } = readArguments({
  allowPositionals: true,
  options: {
    keep: { type: "boolean", default: false },
    tarball: { type: "string" },
    warm: { type: "boolean", default: false },
  },
});
const unknown = positionals.find((name) => !templates.includes(name));
if (unknown) fail(`unknown template ${unknown}; allowed: ${templates.join(", ")}`);
const names = positionals.length > 0 ? positionals : templates;

/** @typedef {import("../harness/processes.js").Where} Where */

/**
 * The parts that projects are made of.
 *
 * @typedef {object} Made
 * @property {string} edgeflake the tarball
 * @property {string} create the tarball
 * @property {Record<string, string>} crates the folder of each
 * @property {string} target the directory of compiled crates
 * @property {string} repository the repository with the templates
 * @property {Record<string, string>} env variables by which git and degit find it
 */

/** The repository on GitHub that these ways take the templates from. */
const REPOSITORY = "someone/edgeflake";

/**
 * The ways to get a project's files. Each returns the project's directory. The ways that download
 * from GitHub find the repository in their cache.
 *
 * @type {Record<string, (template: string, where: Where, made: Made) => Promise<string>>}
 */
const ways = {
  async "npm create edgeflake"(template, where, { create }) {
    const args = ["exec", "--yes", `--package=${create}`, "--", "create-edgeflake", "my-worker"];
    await run("npm", [...args, `--template=${template}`], where);
    return join(where.cwd, "my-worker");
  },
  async "npm create cloudflare"(template, where) {
    const args = ["exec", "--yes", "create-cloudflare@2.74.0", "--", "my-worker"];
    const from = `--template=${REPOSITORY}/examples/templates/${template}`;
    const no = ["--no-deploy", "--no-git", "--no-open", "--no-agents"];
    await run("npm", [...args, from, ...no], where);
    return join(where.cwd, "my-worker");
  },
  async degit(template, where) {
    const args = [
      "exec",
      "--yes",
      "degit@2.8.4",
      `${REPOSITORY}/examples/templates/${template}`,
      "my-worker",
    ];
    await run("npm", args, where);
    return join(where.cwd, "my-worker");
  },
};

/** The way of a Rust template, if its tool is installed. @type {typeof ways} */
const waysOfRust = {
  async "cargo generate"(template, where, { repository }) {
    const from = [`--git=${pathToFileURL(repository)}`, `examples/templates/${template}`];
    // cargo-generate looks for the author's name.
    const env = { USER: "newcomer", ...where.env };
    await run("cargo", ["generate", ...from, "--name=my-worker"], { ...where, env });
    return join(where.cwd, "my-worker");
  },
};

const hasCargoGenerate = () => output("cargo", ["generate", "--version"]) !== undefined;

/**
 * Makes a repository of the templates, and a home directory whose degit cache has it. Returns the
 * repository, and the variables by which git and degit find it. npm create cloudflare uses degit
 * too.
 *
 * @param {string} directory
 * @param {string} edgeflake
 */
async function publish(directory, edgeflake) {
  const repository = join(directory, "repository");
  const cache = join(directory, "home", ".degit", "github", ...REPOSITORY.split("/"));
  for (const folder of [repository, cache]) mkdirSync(folder, { recursive: true });
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "examples/templates"];
  for (const file of (await run("git", list, { cwd: root })).trim().split("\n")) {
    mkdirSync(dirname(join(repository, file)), { recursive: true });
    cpSync(join(root, file), join(repository, file));
  }
  for (const template of templates) {
    if (!isRust(template)) depend(join(repository, "examples", "templates", template), edgeflake);
  }
  const git = (/** @type {string[]} */ ...args) => run("git", args, { cwd: repository });
  await git("init", "--quiet");
  await git("add", ".");
  const author = ["-c", "user.name=edgeflake", "-c", "user.email=edgeflake@example.com"];
  await git(...author, "commit", "--quiet", "--message=Templates");
  const commit = (await git("rev-parse", "HEAD")).trim();
  const to = `--output=${join(cache, `${commit}.tar.gz`)}`;
  await git("archive", "--format=tar.gz", `--prefix=edgeflake-${commit}/`, to, "HEAD");
  const env = {
    CREATE_CLOUDFLARE_TELEMETRY_DISABLED: "1",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.${pathToFileURL(repository)}.insteadOf`,
    GIT_CONFIG_VALUE_0: `https://github.com/${REPOSITORY}`,
    HOME: join(directory, "home"),
    npm_config_userconfig: join(homedir(), ".npmrc"),
  };
  return { repository, env };
}

/**
 * Lets a project install the tarball, because the registry need not have this version.
 *
 * @param {string} project
 * @param {string} edgeflake
 */
function depend(project, edgeflake) {
  const manifest = join(project, "package.json");
  const content = JSON.parse(readFileSync(manifest, "utf8"));
  content.dependencies.edgeflake = `file:${edgeflake}`;
  writeFileSync(manifest, `${JSON.stringify(content, null, 2)}\n`);
}

const PARTS = ["create", "install", "first id", "check", "test"];

/**
 * Measures the seconds of each part.
 *
 * @param {string} template
 * @param {string} way
 * @param {Made} made
 */
async function attempt(template, way, made) {
  const home = mkdtempSync(join(tmpdir(), "edgeflake-template-"));
  const cwd = join(home, "empty");
  mkdirSync(cwd);
  const cache = values.warm ? join(homedir(), ".npm") : join(home, "cache");
  const rust = isRust(template) ? rustEnvironment(made.target) : {};
  const env = { ...made.env, ...rust, npm_config_cache: cache };
  /** @type {number[]} */
  const seconds = [];
  const timed = async (/** @type {() => Promise<unknown>} */ part) => {
    const start = performance.now();
    await part();
    seconds.push((performance.now() - start) / 1000);
  };
  try {
    let project = cwd;
    await timed(async () => {
      project = await { ...ways, ...waysOfRust }[way](template, { cwd, env }, made);
    });
    const files = readdirSync(project, { recursive: true, withFileTypes: true });
    const own = files.filter((file) => !/[\\/](node_modules|\.git)\b/.test(file.parentPath));
    const count = own.filter((file) => file.isFile()).length;
    if (isRust(template)) {
      patch(home, made.crates);
      lock(project);
    } else if (way === "npm create edgeflake") {
      depend(project, made.edgeflake);
    }

    const where = { cwd: project, env };
    const npm = (/** @type {string[]} */ ...args) => run("npm", args, where, LIMIT_MS);
    await timed(() => npm("install", "--no-audit", "--no-fund"));
    await timed(() => firstId(where, LIMIT_MS));
    await timed(() => npm("run", "check"));
    await timed(() => npm("test"));
    return { count, seconds };
  } finally {
    if (values.keep) console.error(`${template}, ${way}: kept in ${home}`);
    else rmSync(home, { force: true, maxRetries: 5, recursive: true });
  }
}

/** @param {string[]} cells */
const line = ([template, way, ...numbers]) =>
  `${template.padEnd(10)}${way.padEnd(24)}${numbers.map((cell) => cell.padStart(10)).join("")}`;

async function main() {
  const directory = mkdtempSync(join(tmpdir(), "edgeflake-packed-"));
  try {
    if (values.tarball) prepareEnvironment();
    else await setup();
    if (!values.tarball) runHere("node", ["tools", "build", "package"]);
    const edgeflake = values.tarball ? resolve(values.tarball) : pack("edgeflake", directory);
    const made = {
      edgeflake,
      create: pack("create-edgeflake", directory),
      crates: names.some(isRust) ? await packCrates(directory) : {},
      target: join(directory, "target"),
      ...(await publish(directory, edgeflake)),
    };
    console.log(line(["template", "by", "files", ...PARTS, "to an id"]));
    for (const template of names) {
      const ofRust = isRust(template) && hasCargoGenerate() ? waysOfRust : {};
      for (const way of Object.keys({ ...ways, ...ofRust })) {
        const { count, seconds } = await attempt(template, way, made);
        const toAnId = seconds.slice(0, 3).reduce((sum, part) => sum + part, 0);
        const cells = [...seconds, toAnId].map((part) => `${part.toFixed(1)} s`);
        console.log(line([template, way, `${count}`, ...cells]));
        if (count >= 15) fail(`${template} has ${count} files; fewer than 15 are allowed`);
        if (toAnId > FIRST_ID_S && !isRust(template)) {
          fail(`${template}: ${toAnId.toFixed(1)} s to the first id; ${FIRST_ID_S} s are allowed`);
        }
      }
    }
    console.log("the Deploy button cannot be tried: it needs an account, and GitHub");
    if (names.some(isRust)) {
      console.log(
        "what worker-build downloads from GitHub is taken from npm and crates.io instead",
      );
      if (!hasCargoGenerate()) console.log("cargo generate is not tried: it is not installed");
    }
  } finally {
    rmSync(directory, { force: true, recursive: true });
  }
}

await main();
