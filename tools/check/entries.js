// What each entry of the npm package weighs, and what it may weigh: gzipped, as its users load it.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { esbuild, root } from "../command/paths.js";
import { run } from "../command/run.js";

const KIB = 1024;

const home = join(root, "packages", "edgeflake");

/**
 * An entry as one kind of user loads it.
 *
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} as how it is loaded, or which part of it this is
 * @property {number} gzipMax in bytes
 * @property {string[]} [files] or directories, from the package on
 * @property {string} [bundle] a file from the package on, which esbuild bundles
 */

/**
 * Budgets that leave the next changes room. docs/DECISIONS.md says why they differ.
 *
 * @type {Entry[]}
 */
export const entries = [
  { name: "edgeflake", as: "module", gzipMax: 26 * KIB, files: ["dist/edgeflake_bg.wasm"] },
  { name: "edgeflake", as: "minified bundle", gzipMax: 36 * KIB, bundle: "entry/inline.js" },
  { name: "edgeflake/js", as: "minified bundle", gzipMax: 56 * KIB, bundle: "entry/js.js" },
  {
    name: "edgeflake/testing",
    as: "minified bundle",
    gzipMax: 3 * KIB,
    bundle: "entry/testing.js",
  },
  {
    name: "edgeflake/lease",
    as: "module",
    gzipMax: 37 * KIB,
    files: ["dist/edgeflake_lease_bg.wasm"],
  },
  {
    name: "edgeflake/lease",
    as: "minified bundle",
    gzipMax: 48 * KIB,
    bundle: "entry/lease/inline.js",
  },
  { name: "edgeflake/worker", as: "uploaded in all", gzipMax: 220 * KIB, files: ["dist/worker"] },
  {
    name: "edgeflake/authority",
    as: "uploaded in all",
    gzipMax: 110 * KIB,
    files: ["dist/authority"],
  },
];

/** The bytes that an entry has, gzipped. @param {Entry} entry */
export function gzipOf({ files = [], bundle }) {
  const found = files.flatMap((file) => contentsOf(join(home, file)));
  if (bundle) found.push(bundled(bundle));
  return found.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
}

/** @param {string} path @returns {Buffer[]} */
function contentsOf(path) {
  if (/\.\w+$/.test(path)) return [readFileSync(path)];
  return readdirSync(path).map((name) => readFileSync(join(path, name)));
}

/** What a bundler for browsers makes of an entry. @param {string} file */
function bundled(file) {
  const directory = mkdtempSync(join(tmpdir(), "edgeflake-size-"));
  try {
    const output = join(directory, "bundle.js");
    const options = ["--bundle", "--format=esm", "--minify", "--platform=browser"];
    run(esbuild, [join(home, file), ...options, `--outfile=${output}`, "--log-level=warning"]);
    return readFileSync(output);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
