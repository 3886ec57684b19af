// What Markdown says is there: files, anchors, scripts, and what is made from the code.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, test } from "node:test";
import { generated, parts } from "../../tools/build/generated.js";
import { namedTests, seeds, unheld } from "../../tools/check/seeds.js";
import { document, documents, files } from "./harness/markdown.js";

/** The commands of a document: its template's own, or those of the repository. @param {string} file */
function scriptsOf(file) {
  const [template] = /^templates\/[^/]+\//.exec(file) ?? [""];
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

for (const file of new Set(parts.map(({ file }) => file))) {
  test(`${file} is what npm run docs writes`, async () => {
    assert.equal(read(file), await generated(file));
  });
}

test("each feature of the systems before leads to where it is here, or is left out", () => {
  const [, features] = document("docs/MIGRATING.md").text.split(
    "## Every feature, and where it is",
  );
  const tables = features.split(/^### /m).slice(1);
  assert.equal(tables.length, 3);
  for (const table of tables) {
    const [, , ...rows] = table.match(/^\|.*$/gm) ?? [];
    assert.ok(rows.length >= 10, table);
    for (const row of rows) assert.match(row, / \| .*(\]\(|\bleft out\b)/, row);
  }
});

test("each feature of the systems before is held by a test that has its row in its name", () => {
  const tests = namedTests();
  assert.deepEqual(unheld(tests), []);
  // A test less, and a row more.
  const without = tests.filter(({ rows }) => !rows.includes("H29"));
  assert.deepEqual(unheld(without), [
    `no test has the row H29 in its name: ${seeds.get("H29")?.feature}`,
  ]);
  const more = { name: "s41_more", isPrefix: false, file: "more.rs", rows: ["S41"] };
  assert.deepEqual(unheld([...tests, more]), ['more.rs: "s41_more" names no row: S41']);
});

/** What a document names all of: by a source, and a pattern whose group finds them there. */
const NAMED = /** @type {const} */ ([
  ["docs/ERRORS.md", "src/error.rs", /=> "([a-z-]+)"/g, 15],
  ["docs/ERRORS.md", "src/lease/error.rs", /=> "([a-z-]+)"/g, 7],
  ["docs/ERRORS.md", "src/lease/message/refusal.rs", /=> "([a-z-]+)"/g, 10],
  ["docs/ERRORS.md", "worker/authority/src/problem.rs", /Self::new\(\s*\d+,\s*"([a-z-]+)"/g, 10],
  ["docs/ERRORS.md", "packages/edgeflake/index.d.ts", /(?<=ErrorCode =[^;]*)"([a-z-]+)"/g, 20],
  ["docs/MONITORING.md", "worker/src/routes/metrics.rs", /name: "(\w+)"/g, 4],
]);

for (const [file, source, pattern, least] of NAMED) {
  test(`${file} has all names of ${source}`, () => {
    const names = [...read(source).matchAll(pattern)].map(([, name]) => name);
    assert.ok(names.length >= least, `${names.length} names`);
    const { text } = document(file);
    const missing = names.filter((name) => !new RegExp(`\`${name}\\b`).test(text));
    assert.deepEqual(missing, []);
  });
}
