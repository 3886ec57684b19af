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
 * Files and directories from the package on, or a file from the package on with esbuild's options to
 * bundle it.
 *
 * @typedef {{ files: string[] } | { bundle: string, options: string[] }} Source
 */

/** @param {string[]} files @returns {Source} */
const files = (...files) => ({ files });
/** @param {string} bundle @returns {Source} */
const inWorker = (bundle) => ({ bundle, options: WRANGLER });
/** @param {string} bundle @returns {Source} */
const minified = (bundle) => ({ bundle, options: MINIFIED });

const NODE = ["dist/worker/index_bg.wasm", "dist/worker_node.js", "entry/authority"];
const WITHOUT = "minified bundle, without the module";

/**
 * Each entry as one kind of user loads it: what is loaded, at most how many KiB, and from where.
 *
 * @type {[name: string, as: string, kib: number, source: Source][]}
 */
const BUDGETS = [
  ["edgeflake", "module", 24, files("dist/edgeflake_bg.wasm")],
  ["edgeflake", "JavaScript in a Worker", 8.75, inWorker("dist/workerd.js")],
  ["edgeflake", "minified bundle", 32.75, minified("entry/inline.js")],
  ["edgeflake/js", "minified bundle", 50.75, minified("entry/js.js")],
  ["edgeflake/streaming", WITHOUT, 8.125, minified("entry/streaming.js")],
  ["edgeflake/testing", "minified bundle", 2.25, minified("entry/testing.js")],
  ["edgeflake/lease", "module", 34.25, files("dist/edgeflake_lease_bg.wasm")],
  ["edgeflake/lease", "JavaScript in a Worker", 8.75, inWorker("dist/lease/workerd.js")],
  ["edgeflake/lease", "minified bundle", 43, minified("entry/lease/inline.js")],
  ["edgeflake/lease/streaming", WITHOUT, 8, minified("entry/lease/streaming.js")],
  ["edgeflake/worker", "uploaded in all", 144, files("dist/worker")],
  ["edgeflake/authority", "uploaded in all", 70.75, files("dist/authority")],
  ["edgeflake/authority/node", "loaded in all", 150, files(...NODE)],
];

export const entries = BUDGETS.map(([name, as, kib, source]) => ({
  name,
  as,
  gzipMax: kib * KIB,
  source,
}));

/** The bytes that an entry has, gzipped. @param {{ source: Source }} entry */
export function gzipOf({ source }) {
  const found =
    "files" in source
      ? source.files.flatMap((file) => contentsOf(join(home, file)))
      : [bundled(source.bundle, source.options)];
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
