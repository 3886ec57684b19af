// Where the WebAssembly modules come from: they are compiled from Rust, or taken from a packed
// edgeflake, which EDGEFLAKE_MODULES names by its version or its file. Without Rust, the package of
// this version is taken from npm.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cache, root } from "../command/paths.js";
import { fail } from "../command/run.js";
import { rustSources } from "./rust-sources.js";
import { isRustupThere } from "./rustup.js";

/** What the package says of its modules, from its directory on. */
export const RECORD = join("dist", "modules.json");

const VERSION = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;

const INSTALL = [
  "install",
  "--no-save",
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  // Without a network, npm's own waits between retries add up to a minute.
  "--fetch-retry-mintimeout=1000",
  "--fetch-retry-maxtimeout=4000",
];

/** The directory of the package that the modules are taken from; undefined where they are compiled. */
export function takenPackage() {
  const named = process.env.EDGEFLAKE_MODULES;
  return named === undefined ? undefined : directoryOf(named);
}

/** @param {string} named */
function directoryOf(named) {
  return join(unpackedTo(named), "node_modules", "edgeflake");
}

/** By its content, because a file may be packed anew. @param {string} named */
function unpackedTo(named) {
  const key = VERSION.test(named)
    ? named
    : createHash("sha256").update(readFileSync(named)).digest("hex").slice(0, 16);
  return join(cache, "modules", key);
}

/**
 * Decides where the modules come from, and says so where they are not compiled. Answers whether Rust
 * is needed.
 */
export function needsRust() {
  const named = process.env.EDGEFLAKE_MODULES;
  if (named !== undefined) {
    const obstacle = unpack(named);
    if (obstacle !== undefined) fail(`EDGEFLAKE_MODULES is ${named}: ${obstacle}`);
    return false;
  }
  if (isRustupThere()) return true;

  const { version } = JSON.parse(
    readFileSync(join(root, "packages", "edgeflake", "package.json"), "utf8"),
  );
  const obstacle = unpack(version);
  if (obstacle === undefined) {
    console.log(
      `set-up: rustup not found, so the modules of edgeflake ${version} on npm are taken`,
    );
    process.env.EDGEFLAKE_MODULES = version;
    return false;
  }
  const reason = `the modules of edgeflake ${version} on npm cannot be taken instead: ${obstacle}`;
  if (!process.env.WORKERS_CI) {
    fail(
      `rustup not found, and ${reason}; install rustup from https://rustup.rs, or set ` +
        "EDGEFLAKE_MODULES to an edgeflake that was packed from the same Rust",
    );
  }
  console.log(`set-up: rustup not found, and ${reason}`);
  return true;
}

/**
 * Unpacks a package, unless that was done before. Answers why its modules cannot be used.
 *
 * @param {string} named
 */
function unpack(named) {
  if (!VERSION.test(named) && !(named.endsWith(".tgz") && existsSync(named))) {
    return "a version, such as 0.1.0, or the path of a packed edgeflake, which ends in .tgz, is allowed";
  }
  const directory = unpackedTo(named);
  if (!existsSync(directory)) {
    const beside = `${directory}-${process.pid}`;
    mkdirSync(beside, { recursive: true });
    writeFileSync(join(beside, "package.json"), '{ "private": true }\n');
    const what = VERSION.test(named) ? `edgeflake@${named}` : resolve(named);
    const { error, status, stderr } = spawnSync("npm", [...INSTALL, what], {
      cwd: beside,
      encoding: "utf8",
    });
    if (error || status !== 0) {
      rmSync(beside, { recursive: true });
      const said = /^npm error (?!code)(.+)$/m.exec(`${stderr}`)?.[1];
      return `npm does not install it: ${error?.message ?? said ?? `it ended with ${status}`}`;
    }
    renameSync(beside, directory);
  }
  const record = join(directoryOf(named), RECORD);
  if (!existsSync(record)) return "it does not say from which Rust its modules were built";
  const { rustSources: built } = JSON.parse(readFileSync(record, "utf8"));
  return built === rustSources()
    ? undefined
    : "its modules were built from other Rust than is here";
}
