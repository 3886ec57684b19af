// Checks that the Markdown refers only to files, anchors, scripts, names and figures that exist, and
// that only the tables in Rust list names of encodings, presets, error codes, states and variables.
// Everything else is generated from these tables, and no other file may list several names, except
// those in `ALLOWED`. Also checks the workflows, which run with the rights of this repository: they
// must pin each action by its digest, and a job that may publish must build nothing.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, test } from "node:test";
import { namedTests, unheld } from "../../tools/check/seeds.js";
import { document, documents, files } from "./harness/markdown.js";

/**
 * Returns the npm scripts that a document may name: those of its template, or those of the
 * repository.
 *
 * @param {string} file
 */
function scriptsOf(file) {
  const [template] = /^examples\/templates\/[^/]+\//.exec(file) ?? [""];
  return JSON.parse(read(`${template}package.json`)).scripts;
}

/** @param {string} file */
function read(file) {
  return readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
}

for (const { file, links, code } of documents) {
  describe(file, () => {
    test("every link leads somewhere", () => {
      for (const link of links.filter((link) => !/^https?:/.test(link))) {
        const [path, anchor] = link.split("#");
        const joined = posix.join(posix.dirname(file), path).replace(/\/$/, "");
        const target = path === "" ? file : joined;
        const isThere = files.some((known) => known === target || known.startsWith(`${target}/`));
        assert.ok(isThere, `${link}: no such file`);
        if (anchor === undefined) continue;
        assert.ok(document(target).anchors.has(anchor), `${link}: no such heading`);
      }
    });

    test("every script is one", () => {
      for (const [, script] of [...code].join("\n").matchAll(/npm run ([\w:]+)/g)) {
        assert.ok(Object.hasOwn(scriptsOf(file), script), `npm run ${script}`);
      }
    });
  });
}

test("each feature in tests/seeds.json has a test whose name begins with the feature's row", () => {
  assert.deepEqual(unheld(namedTests()), []);
});

test("the README's figures are those of docs/FIGURES.md", () => {
  const [, below = ""] = document("README.md").text.split("\n## Figures\n");
  const values =
    below
      .split("\n## ")[0]
      .match(/^\|.*/gm)
      ?.map((row) => row.split("|")[2]) ?? [];
  const numbers = values.join(", ").match(/\d[\d,]*\d(?: ms)?(?!\d* KB)/g) ?? [];
  assert.notEqual(numbers.length, 0);
  const { text } = document("docs/FIGURES.md");
  assert.deepEqual(
    numbers.filter((number) => !text.includes(number)),
    [],
  );
});

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
  const isCode = (/** @type {string} */ file) =>
    /\.(rs|tsx?|js|json|toml|example)$/.test(file) &&
    !/^(tests|docs|benches)\/|\/tests\.rs$|lock|text\/encodings\.ts$|openapi\.json$/.test(file);
  const found = files.filter(isCode).filter(listsNames);
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

for (const file of readdirSync(new URL("../../.github/workflows/", import.meta.url))) {
  const text = read(`.github/workflows/${file}`);

  test(`each action in ${file} is pinned by its digest, and says its version`, () => {
    const actions = text.match(/^.*\buses:.*$/gm) ?? [];
    assert.ok(actions.length > 0);
    for (const action of actions) {
      assert.match(action, /uses: [\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test(`no job in ${file} may publish and builds`, () => {
    const [, jobs = ""] = text.split(/^jobs:$/m);
    for (const job of jobs.split(/^ {2}(?=[\w-]+:$)/m)) {
      if (!job.includes("id-token: write")) continue;
      assert.doesNotMatch(job, /npm (run|ci|install|exec)|npx|\.ci\/|node |cargo (build|test|run)/);
      assert.match(job, /--no-verify|--ignore-scripts/);
    }
  });
}
