// Checks that the Markdown refers only to files, anchors, scripts, names and figures that exist.
// Also checks the workflows, which run with the rights of this repository: they must pin each
// action by its digest, and a job that may publish must build nothing.

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
