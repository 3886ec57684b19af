// Reads the repository's Markdown: its links, anchors and code.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import GithubSlugger from "github-slugger";
import { lexer, walkTokens } from "marked";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * @typedef {object} Block
 * @property {string} language
 * @property {string} code
 *
 * @typedef {object} Document
 * @property {string} file relative to the root
 * @property {string} text
 * @property {string[]} links
 * @property {Set<string>} anchors of its headings, as GitHub makes them
 * @property {Block[]} blocks
 * @property {Set<string>} code the texts of inline code
 */

/** All files that git tracks, or that `git add` would add. */
export const files = list(["--cached", "--others", "--exclude-standard"]);

/** @type {Document[]} */
export const documents = files.filter((file) => file.endsWith(".md")).map(read);

/** Reads the document at a path. @param {string} file */
export function document(file) {
  const found = documents.find((document) => document.file === file);
  if (!found) throw new Error(`there is no ${file}`);
  return found;
}

/** @param {string[]} options @returns {string[]} */
function list(options) {
  const { status, stdout, stderr } = spawnSync("git", ["ls-files", "-z", ...options], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`git ls-files failed: ${stderr}`);
  const deleted = options.includes("--cached") ? new Set(list(["--deleted"])) : new Set();
  return stdout.split("\0").filter((file) => file !== "" && !deleted.has(file));
}

/** @param {string} file @returns {Document} */
function read(file) {
  const text = readFileSync(`${root}/${file}`, "utf8");
  const slugger = new GithubSlugger();
  /** @type {Document} */
  const document = { file, text, links: [], anchors: new Set(), blocks: [], code: new Set() };
  walkTokens(lexer(text), (token) => {
    if (token.type === "link" || token.type === "image") document.links.push(token.href);
    if (token.type === "heading") document.anchors.add(slugger.slug(plain(token.tokens ?? [])));
    if (token.type === "codespan") document.code.add(token.text);
    if (token.type === "code") {
      document.blocks.push({ language: token.lang ?? "", code: `${token.text}\n` });
    }
  });
  return document;
}

/** @param {import("marked").Token[]} tokens @returns {string} */
function plain(tokens) {
  return tokens
    .map((token) => ("tokens" in token && token.tokens ? plain(token.tokens) : token.raw))
    .join("")
    .replaceAll("`", "");
}
