// Checks that only the tables in Rust list names of encodings, presets, error codes, states and
// variables. Everything else is generated from these tables, and no other file may list several
// names, except those in `ALLOWED`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../tools/command/paths.js";

const read = (/** @type {string} */ file) => readFileSync(join(root, file), "utf8");
const generated = read("packages/edgeflake/dist/names.d.ts");

/** Returns the names in a union of the generated types. @param {string} type */
function union(type) {
  const [, names = ""] = RegExp(`export type ${type} =([^;]*);`).exec(generated) ?? [];
  return [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
}

/** Each kind of name, and the least number of names that counts as a list. */
const KINDS = /** @type {const} */ ([
  ["encodings", union("Encoding"), 3],
  ["presets", union("PresetName"), 3],
  ["error codes", union("ErrorCode"), 10],
  ["states", union("LeaseState"), 3],
  ["variables", [...generated.matchAll(/^ *(EDGEFLAKE_\w+)\?/gm)].map(([, name]) => name), 3],
]);

/** Files that may use several names, each with the reason. */
const ALLOWED = new Map([
  ["src/code/table.rs", "the table"],
  ["src/lease/holder/state.rs", "the table"],
  ["src/identify/model.rs", "it says how often people meet ids of these systems"],
  ["src/identify/spread.rs", "it has the typical values of these systems"],
  ["src/preset/example.rs", "the table"],
  ["src/preset/library.rs", "the table"],
  ["src/preset/service.rs", "the table"],
  ["src/text/encoding.rs", "the table"],
  ["worker/crate/src/settings/table.rs", "the table"],
  [".dev.vars.example", "it has a line per secret, which tests/worker/deploy.test.js compares"],
  ["package.json", "Cloudflare's button asks for these secrets"],
  ["tools/check/deployed.js", "it uses each token for the routes that it opens"],
  ["packages/edgeflake/src/cli/dev.ts", "it sets the variables of the local Worker"],
  ["wire/src/reply.rs", "the messages of version 1 name refusals so, whatever the codes are"],
  ["worker/crate/src/settings/variables.rs", "errors about two variables name both"],
  ["www/parts/copy.tsx", "it offers these encodings first"],
  ["www/read/cells.ts", "it guesses the encoding of a pasted text"],
  ["www/read/links.ts", "it reads the addresses of these systems"],
  ["www/verdict.ts", "it knows the words that name these systems"],
]);

test("no file but the tables lists names of them", () => {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  const isCode = (/** @type {string} */ file) =>
    /\.(rs|tsx?|js|json|toml|example)$/.test(file) &&
    !/^(tests|docs|benches)\/|\/tests\.rs$|lock|text\/encodings\.ts$|openapi\.json$/.test(file);
  const found = files.split("\0").filter(isCode).filter(listsNames);
  assert.deepEqual(found.sort(), [...ALLOWED.keys()].sort());
});

/** Tells whether a file lists names, in its code or data. @param {string} file */
function listsNames(file) {
  const [code = ""] = read(file).split("\n#[cfg(test)]");
  const text = code.replace(/\/\*[\s\S]*?\*\/|^\s*(\/\/|#).*$/gm, "");
  const isThere = (/** @type {string} */ name) =>
    RegExp(name.startsWith("EDGEFLAKE_") ? `\\b${name}\\b` : `["'\`]${name}["'\`]`).test(text);
  return KINDS.some(([, names, least]) => names.filter(isThere).length >= least);
}
