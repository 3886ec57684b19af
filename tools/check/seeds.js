// Links features to the tests that cover them. The features come from the systems from which
// edgeflake was developed (its seeds). tests/seeds.json has a row for each feature. A test's name
// begins with the rows that the test covers, such as S10 in `test("S10 next() waits", ...)` or, in
// Rust, `fn s10_next_waits()`.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../command/paths.js";

/** @typedef {{ name: string, file: string, rows: string[] }} NamedTest by its name in the source */

const RUST = {
  files: "{src,tests/core,wire,worker}/**/*.rs",
  tests: /#\[test\]\s*(?:#\[[^\]]*\]\s*)*fn (?<name>(?:[SHJGQ]\d+b?_)+\w+)\(/gi,
};

const JAVASCRIPT = {
  files: "tests/{docs,package,package/consumer,page,templates,tools,worker}/*.js",
  tests: /(["'`])(?<name>(?:[SHJGQ]\d+b? )+.*?)(?:\1|\$\{)/g,
};

/** Tables of tests, each beside the file that runs it. */
const TABLES = {
  files: "tests/package/*.txt",
  tests: /^(?<name>(?:[SHJGQ]\d+b? )+.*)$/gm,
};

/** Matches the rows at the beginning of a test's name. */
export const ROWS = /^(?:[SHJGQ]\d+b?[ _])+/i;

/**
 * The rows by number, each with its feature. If edgeflake lacks the feature or a part of it, the
 * row has a verdict, and needs no test.
 *
 * @type {Map<string, string | { feature: string, verdict: string }>}
 */
const seeds = new Map(
  Object.values(JSON.parse(readFileSync(join(root, "tests/seeds.json"), "utf8"))).flatMap((rows) =>
    Object.entries(rows),
  ),
);

/** Returns the tests whose names begin with rows. @returns {NamedTest[]} */
export function namedTests() {
  return [RUST, JAVASCRIPT, TABLES].flatMap(({ files, tests }) =>
    globSync(files, { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(tests)].map(({ groups }) => {
        const name = `${groups?.name}`;
        const rows = name.match(ROWS)?.[0].trim().split(/[ _]/).filter(Boolean) ?? [];
        // In Rust, `s17b` stands for the row `S17b`.
        return { name, file, rows: rows.map((row) => row[0].toUpperCase() + row.slice(1)) };
      }),
    ),
  );
}

/**
 * Lists the rows with neither a test nor a verdict, and the tests whose rows are not in the table.
 *
 * @param {NamedTest[]} tests
 */
export function unheld(tests) {
  const held = new Set(tests.flatMap(({ rows }) => rows));
  return [
    ...[...seeds]
      .filter(([row, found]) => typeof found === "string" && !held.has(row))
      .map(([row, feature]) => `no test has the row ${row} in its name: ${feature}`),
    ...tests.flatMap(({ name, file, rows }) =>
      rows
        .filter((row) => !seeds.has(row))
        .map((row) => `${file}: "${name}": there is no row ${row}`),
    ),
  ];
}
