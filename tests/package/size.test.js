// What the npm package weighs, and what each feature adds.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { entries, gzipOf } from "../../tools/check/entries.js";
import { bin, root } from "../../tools/command/paths.js";
import { command } from "./harness/packed.js";

const directory = join(root, "build", "size");
const module = join(root, "packages", "edgeflake", "dist", "edgeflake_bg.wasm");

/** The exports without which a feature would not be. @type {Record<string, string[]>} */
const FEATURES = {
  "layouts of a text": ["parseLayout"],
  "known layouts": ["presetLayout", "sources"],
  "text of a layout": ["printLayout"],
  "identify, identifyMany": ["identify", "identifyMany", "mixture"],
  warnings: ["warnings"],
  "decode, decodeMany": ["decode", "decodeMany"],
  "layout.encode": ["pack"],
  "a node by its fields": ["nodeOf"],
  "range, info": ["range", "info"],
  "ids as text": ["encoding", "encode", "parse"],
  generators: [
    "createGenerator",
    "closeGenerator",
    "next",
    "nextTagged",
    "nextSplit",
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
});

for (const entry of entries) {
  test(`${entry.name}: ${entry.as}`, (t) => {
    const size = gzipOf(entry);
    t.diagnostic(`${size} bytes gzipped`);
    assert.ok(size <= entry.gzipMax, `${size} bytes gzipped: at most ${entry.gzipMax} are allowed`);
  });
}

test("each entry has a budget", () => {
  const manifest = join(root, "packages", "edgeflake", "package.json");
  const { exports } = JSON.parse(readFileSync(manifest, "utf8"));
  const named = entries.map(({ name }) => name.replace("edgeflake", "."));
  // These are other ways to load the same module and JavaScript.
  const same = [
    "./authority/node",
    "./inline",
    "./lease/inline",
    "./lease/streaming",
    "./package.json",
    "./streaming",
  ];
  assert.deepEqual([...new Set([...named, ...same])].sort(), Object.keys(exports).sort());
});
