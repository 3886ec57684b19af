// What the npm package weighs, and what each feature adds.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { bin, esbuild, root } from "../../tools/command/paths.js";
import { command } from "./harness/packed.js";

// Gzipped bytes that a Worker loads.
const WASM_MAX = 24_064;
const LEASE_WASM_MAX = 34_816;
const JS_MAX = 7_552;
const LEASE_JS_MAX = 8_192;

/** Gzipped bytes of a minified bundle of edgeflake/js. */
const TRANSLATED_MAX = 50_176;

const directory = join(root, "build", "size");
const module = join(root, "packages", "edgeflake", "dist", "edgeflake_bg.wasm");

/** The exports without which a feature would not be. @type {Record<string, string[]>} */
const FEATURES = {
  "layouts of a text": ["parseLayout"],
  "known layouts": ["presetLayout", "sources"],
  "text of a layout": ["printLayout"],
  "identify, identifyMany": ["identify", "identifyMany", "mixture"],
  warnings: ["warnings"],
  "decode, decodeMany": ["decode", "values", "decodeMany"],
  "layout.encode": ["pack"],
  "range, info": ["range", "info"],
  "ids as text": ["encoding", "encode", "parse"],
  generators: [
    "createGenerator",
    "closeGenerator",
    "next",
    "nextTagged",
    "nextDecimal",
    "nextNumber",
    "fill",
    "stats",
    "explain",
  ],
};

/** @param {string} file */
function gzipped(file) {
  return gzipSync(readFileSync(file), { level: 9 }).length;
}

/**
 * The gzipped size of the module without some exports and all that only they need. Its data stays,
 * and is not cut into pieces.
 *
 * @param {string[]} removed
 */
function without(removed) {
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(module)));
  const names = exports.map(({ name }) => name);
  for (const name of removed) assert.ok(names.includes(name), `${name} is exported`);
  const kept = names.filter((name) => !removed.includes(name));
  const graph = [
    { name: "outside", reaches: kept, root: true },
    ...kept.map((name) => ({ name, export: name })),
  ];
  const [graphFile, smaller] = [join(directory, "graph.json"), join(directory, "smaller.wasm")];
  writeFileSync(graphFile, JSON.stringify(graph));
  const features = "--all-features";
  const dce = [module, `--graph-file=${graphFile}`, features, "-o", smaller];
  command(join(bin, "wasm-metadce"), dce, root);
  command(
    join(bin, "wasm-opt"),
    ["-Os", "--skip-pass=memory-packing", features, smaller, "-o", smaller],
    root,
  );
  return gzipped(smaller);
}

test("the module", (t) => {
  rmSync(directory, { force: true, recursive: true });
  mkdirSync(directory, { recursive: true });
  /** @param {string} what @param {number} bytes */
  const report = (what, bytes) =>
    t.diagnostic(`${what.padEnd(24)}${String(bytes).padStart(6)} bytes`);
  const whole = gzipped(module);
  const bare = without(Object.values(FEATURES).flat());
  let shared = whole - bare;
  for (const [feature, exports] of Object.entries(FEATURES)) {
    const bytes = whole - without(exports);
    shared -= bytes;
    report(feature, bytes);
  }
  report("what several need", shared);
  report("data and the allocator", bare);
  report("the whole, gzipped", whole);
  assert.ok(whole <= WASM_MAX, `${whole} bytes gzipped: at most ${WASM_MAX} are allowed`);
});

test("the module of edgeflake/lease", (t) => {
  const size = gzipped(join(root, "packages", "edgeflake", "dist", "edgeflake_lease_bg.wasm"));
  t.diagnostic(`the whole: ${size} bytes gzipped`);
  assert.ok(size <= LEASE_WASM_MAX, `${size} bytes gzipped: at most ${LEASE_WASM_MAX} are allowed`);
});

test("a bundle of edgeflake/js", (t) => {
  mkdirSync(directory, { recursive: true });
  const bundle = join(directory, "translated.js");
  const entry = join(root, "packages", "edgeflake", "entry", "js.js");
  command(esbuild, [entry, "--bundle", "--format=esm", "--minify", `--outfile=${bundle}`], root);
  const size = gzipped(bundle);
  t.diagnostic(`minified: ${size} bytes gzipped`);
  assert.ok(size <= TRANSLATED_MAX, `${size} bytes gzipped: at most ${TRANSLATED_MAX} are allowed`);
});

for (const [name, file, max] of /** @type {[string, string, number][]} */ ([
  ["edgeflake", "workerd.js", JS_MAX],
  ["edgeflake/lease", join("lease", "workerd.js"), LEASE_JS_MAX],
])) {
  test(`the JavaScript that a Worker loads of ${name}`, (t) => {
    mkdirSync(directory, { recursive: true });
    const bundle = join(directory, "worker.js");
    const external = ["--external:*.wasm", "--external:cloudflare:workers"];
    const args = ["--bundle", "--format=esm", ...external, `--outfile=${bundle}`];
    const entry = join(root, "packages", "edgeflake", "dist", file);
    command(esbuild, [entry, ...args, "--minify", "--log-level=warning"], root);
    t.diagnostic(`minified: ${gzipped(bundle)} bytes gzipped`);
    // As wrangler bundles, unless it is told to minify.
    command(esbuild, [entry, ...args, "--log-level=warning"], root);
    const size = gzipped(bundle);
    t.diagnostic(`as it is: ${size} bytes gzipped`);
    assert.ok(size <= max, `${size} bytes gzipped: at most ${max} are allowed`);
  });
}
