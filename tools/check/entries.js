// What each entry of the npm package weighs, and what it may weigh: gzipped, as its users load it.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { esbuild, root } from "../command/paths.js";
import { run } from "../command/run.js";

const KIB = 1024;

const home = join(root, "packages", "edgeflake");

/** What a bundler for browsers makes of an entry. */
const MINIFIED = ["--minify", "--platform=browser"];

/** What wrangler makes of an entry, unless it is told to minify. */
const WRANGLER = ["--conditions=workerd", "--external:*.wasm", "--external:cloudflare:workers"];

/**
 * An entry as one kind of user loads it.
 *
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} as how it is loaded, or which part of it this is
 * @property {number} gzipMax in bytes
 * @property {string[]} [files] or directories, from the package on
 * @property {[file: string, options: string[]]} [bundle] a file from the package on, and how esbuild
 * bundles it
 */

/** @type {Entry[]} */
export const entries = [
  {
    name: "edgeflake",
    as: "module",
    gzipMax: 24 * KIB,
    files: ["dist/edgeflake_bg.wasm"],
  },
  {
    name: "edgeflake",
    as: "JavaScript in a Worker",
    gzipMax: 8.75 * KIB,
    bundle: ["dist/workerd.js", WRANGLER],
  },
  {
    name: "edgeflake",
    as: "minified bundle",
    gzipMax: 32.75 * KIB,
    bundle: ["entry/inline.js", MINIFIED],
  },
  {
    name: "edgeflake/js",
    as: "minified bundle",
    gzipMax: 50.75 * KIB,
    bundle: ["entry/js.js", MINIFIED],
  },
  {
    name: "edgeflake/streaming",
    as: "minified bundle, without the module",
    gzipMax: 8.125 * KIB,
    bundle: ["entry/streaming.js", MINIFIED],
  },
  {
    name: "edgeflake/testing",
    as: "minified bundle",
    gzipMax: 2.25 * KIB,
    bundle: ["entry/testing.js", MINIFIED],
  },
  {
    name: "edgeflake/lease",
    as: "module",
    gzipMax: 34.25 * KIB,
    files: ["dist/edgeflake_lease_bg.wasm"],
  },
  {
    name: "edgeflake/lease",
    as: "JavaScript in a Worker",
    gzipMax: 8.75 * KIB,
    bundle: ["dist/lease/workerd.js", WRANGLER],
  },
  {
    name: "edgeflake/lease",
    as: "minified bundle",
    gzipMax: 43 * KIB,
    bundle: ["entry/lease/inline.js", MINIFIED],
  },
  {
    name: "edgeflake/lease/streaming",
    as: "minified bundle, without the module",
    gzipMax: 8 * KIB,
    bundle: ["entry/lease/streaming.js", MINIFIED],
  },
  {
    name: "edgeflake/worker",
    as: "uploaded in all",
    gzipMax: 144 * KIB,
    files: ["dist/worker"],
  },
  {
    name: "edgeflake/authority",
    as: "uploaded in all",
    gzipMax: 70.75 * KIB,
    files: ["dist/authority"],
  },
  {
    name: "edgeflake/authority/node",
    as: "loaded in all",
    gzipMax: 150 * KIB,
    files: ["dist/worker/index_bg.wasm", "dist/worker_node.js", "entry/authority"],
  },
];

/** The bytes that an entry has, gzipped. @param {Entry} entry */
export function gzipOf({ files = [], bundle }) {
  const found = files.flatMap((file) => contentsOf(join(home, file)));
  if (bundle) found.push(bundled(...bundle));
  return found.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
}

/** @param {string} path @returns {Buffer[]} */
function contentsOf(path) {
  if (/\.\w+$/.test(path)) return [readFileSync(path)];
  return readdirSync(path).map((name) => readFileSync(join(path, name)));
}

/** @param {string} file @param {string[]} options */
function bundled(file, options) {
  const directory = mkdtempSync(join(tmpdir(), "edgeflake-size-"));
  try {
    const output = join(directory, "bundle.js");
    const args = ["--bundle", "--format=esm", ...options, `--outfile=${output}`];
    run(esbuild, [join(home, file), ...args, "--log-level=warning"]);
    return readFileSync(output);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
