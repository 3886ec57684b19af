// node tools templates [TEMPLATE ...]: does with each template what a newcomer would do, from an
// empty directory to the first id, and prints how many seconds each part took. It needs a network
// for what the projects install. Without names it takes all templates.
//
//   --tarball FILE  edgeflake as it is packed, instead of the one that is built first
//   --warm          uses your npm cache; otherwise each project begins with an empty one
//   --keep          leaves the projects in the temporary directory, and says where

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readArguments } from "../../tools/command/arguments.js";
import { root } from "../../tools/command/paths.js";
import { fail, run as runHere } from "../../tools/command/run.js";
import { prepareEnvironment, setup } from "../../tools/setup/setup.js";
import { pack, templates } from "./harness/packed.js";
import { firstId, run } from "./harness/processes.js";

/** From the empty directory to the first id, at most. */
const FIRST_ID_S = 60;

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

/** @typedef {{ edgeflake: string, create: string }} Tarballs */
/** @typedef {import("./harness/processes.js").Where} Where */

/**
 * How a project gets its files; each answers its directory. What downloads a folder from GitHub,
 * such as degit, `npm create cloudflare` and the Deploy button, gets the files that git knows.
 *
 * @type {Record<string, (template: string, where: Where, tarballs: Tarballs) => Promise<string>>}
 */
const ways = {
  async "npm create edgeflake"(template, where, { create }) {
    const args = ["exec", "--yes", `--package=${create}`, "--", "create-edgeflake", "my-worker"];
    await run("npm", [...args, `--template=${template}`], where);
    return join(where.cwd, "my-worker");
  },
  async "the folder"(template, where) {
    const folder = join("templates", template);
    const list = ["ls-files", "--cached", "--others", "--exclude-standard", folder];
    const files = (await run("git", list, { cwd: root })).trim().split("\n");
    for (const file of files) {
      const target = join(where.cwd, file.slice(folder.length + 1));
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(root, file), target);
    }
    return where.cwd;
  },
};

const NEEDS_GITHUB = "it downloads from GitHub, where this repository is not";
/** @type {[string, string][]} */
const elsewhere = [
  ["npm create cloudflare", NEEDS_GITHUB],
  ["degit", NEEDS_GITHUB],
  ["the Deploy button", "it needs an account, and the repository on GitHub"],
];

const PARTS = ["create", "install", "first id", "check", "test"];

/**
 * Seconds of each part.
 *
 * @param {string} template
 * @param {string} way
 * @param {Tarballs} tarballs
 */
async function attempt(template, way, tarballs) {
  const home = mkdtempSync(join(tmpdir(), "edgeflake-template-"));
  const cwd = join(home, "empty");
  mkdirSync(cwd);
  /** @type {Record<string, string>} */
  const env = values.warm ? {} : { npm_config_cache: join(home, "cache") };
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
      project = await ways[way](template, { cwd, env }, tarballs);
    });
    const files = readdirSync(project, { recursive: true, withFileTypes: true });
    const count = files.filter((file) => file.isFile()).length;
    // The registry need not have this version.
    const manifest = join(project, "package.json");
    const content = JSON.parse(readFileSync(manifest, "utf8"));
    content.dependencies.edgeflake = `file:${tarballs.edgeflake}`;
    writeFileSync(manifest, `${JSON.stringify(content, null, 2)}\n`);

    const where = { cwd: project, env };
    await timed(() => run("npm", ["install", "--no-audit", "--no-fund"], where));
    await timed(() => firstId(where));
    await timed(() => run("npm", ["run", "check"], where));
    await timed(() => run("npm", ["test"], where));
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
    const tarballs = {
      edgeflake: values.tarball ? resolve(values.tarball) : await pack("edgeflake", directory),
      create: await pack("create-edgeflake", directory),
    };
    console.log(line(["template", "by", "files", ...PARTS, "to an id"]));
    for (const template of names) {
      for (const way of Object.keys(ways)) {
        const { count, seconds } = await attempt(template, way, tarballs);
        const toAnId = seconds.slice(0, 3).reduce((sum, part) => sum + part, 0);
        const cells = [...seconds, toAnId].map((part) => `${part.toFixed(1)} s`);
        console.log(line([template, way, `${count}`, ...cells]));
        if (count >= 15) fail(`${template} has ${count} files; fewer than 15 are allowed`);
        if (toAnId > FIRST_ID_S) {
          fail(`${template}: ${toAnId.toFixed(1)} s to the first id; ${FIRST_ID_S} s are allowed`);
        }
      }
    }
    for (const [way, reason] of elsewhere) console.log(`${way} cannot be tried: ${reason}`);
  } finally {
    rmSync(directory, { force: true, recursive: true });
  }
}

await main();
