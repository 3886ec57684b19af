// A figure or promise that stands on more than one page is the same on each, and is what its source
// says: a constant in the code, or the page that has it in full.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { entries } from "../../tools/check/entries.js";
import { document } from "./harness/markdown.js";

/** The text of a page as one line, so that a sentence may go over several. @param {string} file */
function page(file) {
  return document(file).text.replace(/\s+/g, " ");
}

/**
 * What the group of a pattern finds in a source, as a number where it is one.
 *
 * @param {string} file
 * @param {RegExp} pattern
 */
function constant(file, pattern) {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const [, found] = pattern.exec(source) ?? [];
  assert.ok(found, `${file} has no ${pattern}`);
  return Number(found.replaceAll("_", ""));
}

/** @param {number} value */
const grouped = (value) => value.toLocaleString("en");

const WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** The rows of the first table below a heading. @param {string} file @param {string} heading */
function rowsBelow(file, heading) {
  const [, below] = document(file).text.split(`\n## ${heading}\n`);
  assert.ok(below, `${file} has no ${heading}`);
  const [, table] = below.split(/\|(?:\s*:?-+:?\s*\|)+\n/);
  return table.split("\n\n")[0].trim().split("\n");
}

const leaseMs = constant("src/lease/message/settings.rs", /\blease_ms: ([\d_]+)/);
/** A renewal is due at half of the lease, and later by up to a part of it. */
const laterPart = constant("src/lease/holder/lease.rs", /lease_ticks \/ (\d+)\)/);
const leastLeftS = Math.floor((leaseMs * (1 / 2 - 1 / laterPart)) / 1000);
const waitMs = constant("src/lease/holder/wait.rs", /REQUEST_WAIT_MAX_MS: u64 = ([\d_]+)/);
const directoryWaitMs = constant("worker/ids/src/clock.rs", /ANSWER_MAX_MS: u64 = ([\d_]+)/);
const operations = constant(
  "src/lease/message/settings.rs",
  /\boperations_per_second_max: ([\d_]+)/,
);
const schema = constant("worker/authority/src/objects/schema.rs", /UPGRADES: \[&\[&str\]; (\d+)\]/);
/** A budget in KiB. @param {string} name @param {string} as */
function budget(name, as) {
  const entry = entries.find((entry) => entry.name === name && entry.as === as);
  assert.ok(entry, `${name}: ${as}`);
  return `${entry.gzipMax / 1024} KiB`;
}
const whole = "uploaded in all";
const bundle = "minified bundle";
const assumptions = rowsBelow("docs/GUARANTEES.md", "What it assumes").length;
const [isolates] =
  /(?<=up to )[\d,]+(?= \| `edge`, 64 shards \|)/.exec(page("docs/SCALE.md")) ?? [];

const left = `${Math.floor(leastLeftS / 60)} min ${leastLeftS % 60} s to ${leaseMs / 60_000} minutes`;

/** The figure, the page, and the sentence or part of one that it has. @type {[string, string, string][]} */
const FIGURES = [
  ["the time left without an authority", "README.md", left],
  ["the time left without an authority", "docs/DEPLOYING.md", left],
  ["the part left without an authority", "docs/MONITORING.md", "three eighths of a lease"],
  ["the part left without an authority", "docs/WITNESS.md", "three eighths of a lease"],
  ["the part left without an authority", "docs/GUARANTEES.md", "three eighths of the lease time"],
  ["the part left without an authority", "docs/MIGRATING.md", "three eighths of their time"],
  [
    "the part left without an authority",
    "packages/edgeflake/README.md",
    "three eighths of its lease",
  ],
  ["the lease time", "docs/DEPLOYING.md", `is ${grouped(leaseMs)} (${leaseMs / 60_000} minutes)`],
  [
    "the waits",
    "docs/OPERATIONS.md",
    `${waitMs / 1000} s, and up to ${directoryWaitMs / 1000} s for`,
  ],
  [
    "the waits",
    "docs/GUARANTEES.md",
    `${waitMs / 1000} s for ids, and before that up to ${directoryWaitMs / 1000} s for the directory`,
  ],
  ["the waits", "packages/edgeflake/README.md", `A call waits at most ${waitMs / 1000} s`],
  [
    "operations per second",
    "docs/OPERATIONS.md",
    `| ${grouped(operations)} per second; batches are refused from half`,
  ],
  [
    "operations per second",
    "docs/OPERATIONS.md",
    `more than ${operations / 2} operations per second`,
  ],
  ["operations per second", "docs/FIGURES.md", `MAX\` is ${grouped(operations)} unless you set it`],
  [
    "operations per second",
    "docs/DESIGN.md",
    `at most ${grouped(operations)} operations per second`,
  ],
  ["isolates on 20 bits", "docs/LAYOUTS.md", `| 30,000 | ${isolates} |`],
  ["isolates on 20 bits", "docs/DESIGN.md", `20 bits ${isolates} (`],
  ["the schema of the storage", "docs/VERSIONS.md", `| storage of the objects | ${schema} |`],
  ["the schema of the storage", "CHANGELOG.md", `version ${schema} of their rows`],
  [
    "the budgets of the Worker",
    "docs/DECISIONS.md",
    `${budget("edgeflake/worker", whole)} for the Worker and ${budget("edgeflake/authority", whole)} for the objects alone`,
  ],
  [
    "the budgets of the npm module",
    "docs/DECISIONS.md",
    `${budget("edgeflake", "module")} for the module of \`edgeflake\` and ${budget("edgeflake", bundle)} for its bundle`,
  ],
  [
    "the budgets of the lease module",
    "docs/DECISIONS.md",
    `${budget("edgeflake/lease", "module")} for the module of \`edgeflake/lease\` and ${budget("edgeflake/lease", bundle)} for its bundle`,
  ],
  ["the assumptions", "docs/GUARANTEES.md", `There are ${WORDS[assumptions]} assumptions.`],
  ["the assumptions", "README.md", `there are [${WORDS[assumptions]}](docs/GUARANTEES.md`],
  ["the assumptions", "docs/DESIGN.md", `[${WORDS[assumptions]} assumptions](GUARANTEES.md`],
];

describe("the figures", () => {
  for (const [what, file, said] of FIGURES) {
    test(`${what}: ${file}`, () => {
      assert.ok(page(file).includes(said), `${file} does not say "${said}"`);
    });
  }

  test("the isolates of 20 bits were simulated", () => {
    assert.ok(new RegExp(`\\| +${isolates} \\| +64 \\| +20 \\|`).test(page("docs/SCALE.md")));
  });

  test("the README's are those of docs/FIGURES.md", () => {
    const rows = rowsBelow("README.md", "Figures").map((row) => row.split("|")[2].trim());
    const figures = page("docs/FIGURES.md");
    for (const value of rows.join(", ").match(/\d[\d,]*\d(?: ms)?(?! KB)/g) ?? []) {
      // The module and its JavaScript are one sum here, and two sizes there.
      if (value !== "31") assert.ok(figures.includes(value), `docs/FIGURES.md has no ${value}`);
    }
  });
});

test("each error is explained once", () => {
  const codes = document("docs/ERRORS.md")
    .text.split("\n")
    .filter((row) => row.startsWith("| `"))
    .flatMap((row) => row.split(" | ")[0].match(/`[a-z-]+`/g) ?? []);
  assert.ok(codes.length > 40, `${codes.length} codes`);
  assert.deepEqual(
    codes.filter((code, i) => codes.indexOf(code) !== i),
    [],
  );
});

test("the changelog has the headings of Keep a Changelog", () => {
  const kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
  const headings = document("CHANGELOG.md").text.match(/^###? .*$/gm) ?? [];
  assert.ok(headings.some((heading) => heading === "### Added"));
  for (const heading of headings) {
    const isKind = kinds.some((kind) => heading === `### ${kind}`);
    assert.ok(isKind || /^## (?:Unreleased|\d+\.\d+\.\d+ )/.test(heading), heading);
  }
});

test("the README has at most 150 lines", () => {
  const lines = document("README.md").text.trimEnd().split("\n").length;
  assert.ok(lines <= 150, `${lines} lines: move what only some readers need to docs/`);
});
