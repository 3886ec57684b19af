// Links features to the tests that cover them. The features come from the systems from which
// edgeflake was developed (its seeds). tests/seeds.json has a row for each feature. A test's name
// begins with the rows that the test covers, such as S10 in `test("S10 next() waits", ...)` or, in
// Rust, `fn s10_next_waits()`.

import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { root } from "../command/paths.js";
import { cannotRun } from "../command/run.js";

/**
 * A test by its name in the source. If `isPrefix`, the rest of the name is known only when the test
 * runs.
 *
 * @typedef {{ name: string, isPrefix: boolean, file: string, rows: string[] }} NamedTest
 */

/** This file runs the tests of `tests/package/consumer`, which are also run on other platforms. */
const SUITE = "tests/package/suite.test.js";

const RUST = {
  files: "{src,tests/core,wire,worker}/**/*.rs",
  tests: /#\[test\]\s*(?:#\[[^\]]*\]\s*)*fn (?<name>(?:[SHJGQ]\d+b?_)+\w+)\(/gi,
};

const JAVASCRIPT = {
  files: "tests/{docs,package,package/consumer,page,templates,tools,worker}/*.js",
  tests: /(["'`])(?<name>(?:[SHJGQ]\d+b? )+.*?)(?<end>\1|\$\{)/g,
};

/** Tables of tests, each beside the file that runs it. */
const TABLES = {
  files: "tests/package/*.txt",
  tests: /^(?<name>(?:[SHJGQ]\d+b? )+.*)$/gm,
};

/** Matches the rows at the beginning of a test's name. */
const ROWS = /^(?:[SHJGQ]\d+b?[ _])+/i;

/**
 * The rows by number, each with its feature. If edgeflake lacks the feature or a part of it, the
 * row has a verdict, and needs no test.
 *
 * @type {Map<string, { feature: string, verdict?: string }>}
 */
export const seeds = new Map();
for (const rows of Object.values(
  JSON.parse(readFileSync(join(root, "tests/seeds.json"), "utf8")),
)) {
  for (const [row, found] of Object.entries(rows)) {
    seeds.set(row, typeof found === "string" ? { feature: found } : found);
  }
}

/** Returns the tests whose names begin with rows. */
export function namedTests() {
  return [RUST, JAVASCRIPT, TABLES].flatMap(({ files, tests }) =>
    globSync(files, { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(tests)].map(({ groups }) => {
        const { name, end } = /** @type {{ name: string, end?: string }} */ (groups);
        const rows = name.match(ROWS)?.[0].trim().split(/[ _]/).filter(Boolean) ?? [];
        return { name, isPrefix: end === "${", file, rows: rows.map(rowOf) };
      }),
    ),
  );
}

/** Converts `s17b` in the name of a test to the row `S17b`. @param {string} text */
const rowOf = (text) => text[0].toUpperCase() + text.slice(1);

/**
 * Lists the rows with neither a test nor a verdict, and the tests whose rows are not in the table.
 *
 * @param {NamedTest[]} tests
 */
export function unheld(tests) {
  const held = new Set(tests.flatMap(({ rows }) => rows));
  return [
    ...[...seeds].flatMap(([row, { feature, verdict }]) =>
      verdict || held.has(row) ? [] : `no test has the row ${row} in its name: ${feature}`,
    ),
    ...tests.flatMap(({ name, file, rows }) =>
      rows
        .filter((row) => !seeds.has(row))
        .map((row) => `${file}: "${name}": there is no row ${row}`),
    ),
  ];
}

/** Runs the tests that cover rows, prints a line for each, and returns an exit code. */
export async function seedTests() {
  const tests = namedTests();
  const results = [
    ...runRust(tests.filter(({ file }) => file.endsWith(".rs"))),
    ...(await runJavaScript(tests.filter(({ file }) => !file.endsWith(".rs")))),
  ];
  const problems = unheld(tests);
  const lines = [];
  for (const [row, { feature, verdict }] of seeds) {
    if (verdict) lines.push(`${row.padEnd(5)} ${feature}: ${verdict}`);
    for (const { name, isPrefix, file, rows } of tests) {
      if (!rows.includes(row)) continue;
      const of = results.filter((result) =>
        isPrefix ? result.name.startsWith(name) : result.name === name,
      );
      const isPassed = of.every(({ isPassed }) => isPassed);
      const result = of.length === 0 ? "DID NOT RUN" : isPassed ? "passed" : "FAILED";
      lines.push(`${row.padEnd(5)} ${result}: ${name}${isPrefix ? "..." : ""} (${file})`);
      if (result !== "passed") problems.push(`${row}, ${feature}: ${result}: ${name}`);
    }
  }
  console.log([...lines, ...problems.map((problem) => `error: ${problem}`)].join("\n"));
  return problems.length > 0 ? 1 : 0;
}

/** @param {NamedTest[]} tests */
function runRust(tests) {
  const args = ["test", "--workspace", "--all-features", "--lib", "--test=core", "--no-fail-fast"];
  const { error, stdout } = spawnSync("cargo", [...args, "--", ...tests.map(({ name }) => name)], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (error) cannotRun("cargo", error);
  console.log(stdout);
  return [...stdout.matchAll(/^test (?:\w+::)*(\w+) \.\.\. (\w+)/gm)].map(([, name, result]) => ({
    name,
    isPassed: result === "ok",
  }));
}

/** @param {NamedTest[]} tests */
async function runJavaScript(tests) {
  const files = tests
    .map(({ file }) => file.replace(/\.txt$/, ".test.js"))
    .map((file) => (file.endsWith(".test.js") ? file : SUITE));
  /** @type {{ name: string, isPassed: boolean }[]} */
  const results = [];
  const stream = run({
    files: [...new Set(files)].map((file) => join(root, file)),
    testNamePatterns: [ROWS],
    concurrency: availableParallelism(),
    timeout: 180_000,
  });
  stream.on("test:pass", ({ name, skip }) => results.push({ name, isPassed: skip === undefined }));
  stream.on("test:fail", ({ name }) => results.push({ name, isPassed: false }));
  for await (const text of stream.compose(spec)) process.stdout.write(text);
  return results;
}
