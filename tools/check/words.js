// node tools words: counts the words of each page as `wc -w` does. The changelog and generated
// parts do not count. Fails if a page, or all pages together, have more words than their limit.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail, output } from "../command/run.js";

/** The largest number of words of a page that is not in `limits`. */
const WORDS_MAX = 3_000;

/** The largest number of words of all pages together. */
const ALL_MAX = 26_000;

/**
 * Pages that may be longer than `WORDS_MAX`, each with its limit. @type {Record<string, number>}
 */
const limits = {
  "docs/DESIGN.md": 4_500,
  "docs/MIGRATING.md": 4_500,
};

/** Matches the parts of a page that `npm run generate` or another command writes. */
const GENERATED = /<!-- generated: .*? -->.*?<!-- end -->/gs;

readArguments({});
const options = ["--cached", "--others", "--exclude-standard"];
const listed = output("git", ["ls-files", ...options, "*.md"]) ?? fail("git lists no pages");
const pages = listed
  .trim()
  .split("\n")
  // Git lists a deleted file until its deletion is staged.
  .filter((file) => file !== "CHANGELOG.md" && existsSync(join(root, file)))
  .map((file) => ({ file, words: countWords(file), limit: limits[file] ?? WORDS_MAX }));

console.log("  words  at most  page");
for (const { file, words, limit } of pages.sort((a, b) => b.words - a.words)) {
  line(words, limit, file);
}
const sum = pages.reduce((sum, { words }) => sum + words, 0);
line(sum, ALL_MAX, `all ${pages.length} pages`);

/** @param {string} file relative to the root */
function countWords(file) {
  const text = readFileSync(join(root, file), "utf8").replace(GENERATED, "");
  return text.split(/\s+/).filter((word) => word !== "").length;
}

/** @param {number} words @param {number} limit @param {string} page */
function line(words, limit, page) {
  const [found, most] = [words, limit].map((value) => value.toLocaleString("en").padStart(7));
  console.log(`${found}  ${most}  ${page}${words > limit ? " (OVER its limit)" : ""}`);
  if (words > limit) process.exitCode = 1;
}
