// node tools environments [NAME ...] does in each environment what a user would do with the npm
// package, and prints a table of those in which it works. Without names it runs all of them. It
// needs a network to install them, and Chromium.
//
//   --tarball FILE  a packed package, instead of the one that is built first
//   --jobs COUNT    how many run at once, 2 unless given
//   --keep          leaves the projects in the temporary directory, and prints where

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pack } from "../../tools/build/published.js";
import { readArguments } from "../../tools/command/arguments.js";
import { fail, run } from "../../tools/command/run.js";
import { pagePrograms, requirePrograms } from "../../tools/setup/programs.js";
import { setup } from "../../tools/setup/setup.js";
import { Failure } from "../harness/processes.js";
import { environments } from "./environments.js";
import { Project } from "./project.js";

/** Number of lines of a failed environment's output that are shown. */
const LOG_LINES = 30;

const { values, positionals } = readArguments({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "2" },
    keep: { type: "boolean", default: false },
    tarball: { type: "string" },
  },
});

const names = positionals.length ? positionals : Object.keys(environments);
const unknown = names.find((name) => !Object.hasOwn(environments, name));
if (unknown)
  fail(`unknown environment ${unknown}; allowed: ${Object.keys(environments).join(", ")}`);
const jobs = Number(values.jobs);
if (!(Number.isInteger(jobs) && jobs > 0))
  fail(`--jobs needs a number from 1 on; got ${values.jobs}`);

/** @typedef {"works" | "fails" | "cannot run"} Result */
/** @typedef {{ name: string, version: string, result: Result, seconds: number, reason: string }} Row */

/** The version of an environment is that of its first package. @param {string} name */
function versionOf(name) {
  const environment = environments[name];
  return ("packages" in environment && Object.values(environment.packages)[0]) || "";
}

/** Says why an environment cannot run on this machine. @param {string} name */
function obstacle(name) {
  const environment = environments[name];
  if ("cannotRun" in environment) return environment.cannotRun;
  const isLinux = process.platform === "linux" && process.arch === "x64";
  const needsLinux = /^(bun|deno|node|react-native)\b/.test(name);
  return needsLinux && !isLinux ? "its npm package is fetched for Linux on x64 alone" : undefined;
}

/** @param {string} name @param {string} tarball @returns {Promise<Row>} */
async function attempt(name, tarball) {
  const version = versionOf(name);
  const environment = environments[name];
  const reason = obstacle(name);
  if (reason || "cannotRun" in environment)
    return { name, version, result: "cannot run", seconds: 0, reason: `${reason}` };
  const start = performance.now();
  /** @param {Result} result */
  const row = (result, reason = "") => {
    const seconds = Math.round((performance.now() - start) / 1000);
    return { name, version, result, seconds, reason };
  };
  const project = new Project(name, environment, tarball);
  try {
    try {
      await project.install();
    } catch (error) {
      show(name, error);
      return row("cannot run", "npm does not install it: is there a network?");
    }
    await environment.run(project);
    return row("works");
  } catch (error) {
    show(name, error);
    return row("fails", `${/** @type {Error} */ (error).message}`.split("\n")[0]);
  } finally {
    await project.end(values.keep);
    if (values.keep) console.error(`${name}: kept in ${project.directory}`);
  }
}

/** @param {string} name @param {unknown} error */
function show(name, error) {
  const log = error instanceof Failure ? error.log : `${/** @type {Error} */ (error).stack}`;
  const lines = log.trim().split("\n");
  const shown = lines.length > LOG_LINES ? ["...", ...lines.slice(-LOG_LINES)] : lines;
  console.error(shown.map((line) => `${name}: ${line}`).join("\n"));
}

/** @param {Row[]} rows */
function print(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length), "environment".length);
  const line = (/** @type {(string | number)[]} */ [name, version, result, seconds, reason]) =>
    `${`${name}`.padEnd(width)}  ${`${version}`.padEnd(9)}  ${`${result}`.padEnd(10)}  ${`${seconds}`.padStart(4)}  ${reason}`;
  console.log(line(["environment", "version", "result", "s", "reason"]).trimEnd());
  for (const { name, version, result, seconds, reason } of rows) {
    console.log(line([name, version, result, seconds, reason]).trimEnd());
  }
}

async function main() {
  const packed = mkdtempSync(join(tmpdir(), "edgeflake-packed-"));
  try {
    await setup("lint");
    requirePrograms(pagePrograms);
    if (!values.tarball) run("node", ["tools", "build", "package"]);
    const tarball = values.tarball ? resolve(values.tarball) : pack("edgeflake", packed);
    /** @type {Row[]} */
    const rows = [];
    const left = [...names];
    const work = async () => {
      for (let name = left.shift(); name; name = left.shift()) {
        const row = await attempt(name, tarball);
        console.error(`${row.name}: ${row.result} (${row.seconds} s)`);
        rows.push(row);
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
    print(rows.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name)));
    if (rows.some(({ result }) => result === "fails")) process.exitCode = 1;
  } finally {
    rmSync(packed, { force: true, recursive: true });
  }
}

await main();
