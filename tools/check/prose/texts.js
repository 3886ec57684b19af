// The prose of the repository: its pages, and of its source the comments and the messages. Each
// text is Markdown with as many lines as its file has, so that a line in one is that line in the
// other.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { parser as html } from "@lezer/html";
import { parser as javascript } from "@lezer/javascript";
import { parser as rust } from "@lezer/rust";
import { root } from "../../command/paths.js";
import { fail } from "../../command/run.js";

/** The grammar of each kind of source. */
const GRAMMARS = new Map([
  [".rs", rust],
  [".js", javascript],
  [".ts", javascript.configure({ dialect: "ts" })],
  [".html", html],
]);

/** In these a line that begins with a # is a comment. */
const HASH = /(?:\.(?:toml|sh|ya?ml)|^\.ci\/run)$/;

/** What the tests and benches say is what they feed to the code, or the title of a test. */
const NO_MESSAGES = /^(?:tests|benches|fuzz)\/|\/tests\//;

/** A word as it stands in a sentence, unlike a path or an option. */
const WORD = /^["'(`]*[A-Za-z][a-z']*[.,:;?!)"'`]*$/;

/** A message has at least this many words; what is shorter is a name or a key. */
const MESSAGE_WORDS_MIN = 3;

/** Strings for other programs. */
const PROGRAM = /^\s*(?:SELECT|INSERT|CREATE|UPDATE|DELETE|ALTER|import|export|const)\b|[;{}]\n/;

/** The nodes of the grammars that are comments, and those that are strings or shown text. */
const COMMENTS = new Set(["LineComment", "BlockComment", "Comment"]);
const STRINGS = new Set(["String", "RawString", "TemplateString", "Text", "AttributeValue"]);

/**
 * @typedef {object} Text
 * @property {string} file from the root on
 * @property {import("./style.js").Kind} kind
 * @property {string} text in Markdown
 */

/** @returns {Text[]} */
export function texts() {
  return files().flatMap((file) => sourceTexts(file, readFileSync(join(root, file), "utf8")));
}

/**
 * The texts of a file, none if it is of a kind that has no prose.
 *
 * @param {string} file from the root on
 * @param {string} source
 * @returns {Text[]}
 */
export function sourceTexts(file, source) {
  if (file.endsWith(".md")) return [{ file, kind: "page", text: source }];
  if (HASH.test(file)) return [{ file, kind: "comment", text: hashComments(source) }];
  const grammar = GRAMMARS.get(extname(file));
  return grammar ? commentsAndMessages(file, source, grammar) : [];
}

/** The files that git knows, or would. */
function files() {
  const { status, stdout, stderr } = spawnSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"],
    { cwd: root, encoding: "utf8" },
  );
  if (status !== 0) fail(`git ls-files failed: ${stderr}`);
  const deleted = spawnSync("git", ["ls-files", "-z", "--deleted"], {
    cwd: root,
    encoding: "utf8",
  });
  const gone = new Set(deleted.stdout.split("\0"));
  return stdout.split("\0").filter((file) => file !== "" && !gone.has(file));
}

/** @param {string} source */
function hashComments(source) {
  return source
    .split("\n")
    .map((line) => /^\s*#+ (.*)/.exec(line)?.[1] ?? "")
    .join("\n");
}

/**
 * @param {string} file
 * @param {string} source
 * @param {import("@lezer/lr").LRParser} grammar
 * @returns {Text[]}
 */
function commentsAndMessages(file, source, grammar) {
  const comments = new Lines(source);
  const messages = new Lines(source);
  grammar.parse(source).iterate({
    enter({ name, from, to }) {
      if (COMMENTS.has(name)) comments.add(from, commentText(source, from, to));
      if (!STRINGS.has(name) || NO_MESSAGES.test(file)) return;
      const message = messageText(source.slice(from, to));
      if (message !== undefined) messages.add(from, message);
    },
  });
  return [
    { file, kind: "comment", text: comments.text() },
    { file, kind: "message", text: messages.text() },
  ];
}

/**
 * A comment without its marks. One that stands behind code, and each tag of JSDoc, is an item of a
 * list, because it goes on in no other line.
 *
 * @param {string} source
 * @param {number} from
 * @param {number} to
 */
function commentText(source, from, to) {
  const before = source.slice(source.lastIndexOf("\n", from - 1) + 1, from);
  const text = source
    .slice(from, to)
    .replace(/^\/\*+|\*+\/$|^<!--|-->$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\/\/[/!]?|\*(?!\*)) ?/, ""))
    .map((line) => line.replace(/^\s*@(\w+)(?: \{[^}]*\})?(?: \[?[\w.]+\]?)? ?/, "- ").trimEnd())
    .join("\n");
  return before.trim() === "" ? text : `- ${text}`;
}

/**
 * What a string says, or undefined if it says nothing to a reader.
 *
 * @param {string} literal
 */
function messageText(literal) {
  const text = literal
    .replace(/^[rb]*#*["'`]|["'`]#*$/g, "")
    .replaceAll(/\$\{[^}]*\}|\{[^{}]*\}/g, "`0`")
    .replaceAll(/\\(["'`])/g, "$1")
    .replaceAll(/\\n/g, " ")
    .replaceAll(/\\?\n */g, "\n")
    .trim();
  const words = text.split(/\s+/).filter((word) => WORD.test(word));
  const isMessage = words.length >= MESSAGE_WORDS_MIN && !PROGRAM.test(literal);
  return isMessage ? `- ${text}` : undefined;
}

/** Texts at the lines of their file. */
class Lines {
  /** @type {string[]} */
  #lines;
  #source;

  /** @param {string} source */
  constructor(source) {
    this.#source = source;
    this.#lines = source.split("\n").map(() => "");
  }

  /** @param {number} from where in the file it begins @param {string} text */
  add(from, text) {
    const first = this.#source.slice(0, from).split("\n").length - 1;
    text.split("\n").forEach((line, i) => {
      const at = this.#lines[first + i];
      this.#lines[first + i] = at ? `${at}. ${line.replace(/^- /, "")}` : line;
    });
  }

  text() {
    return this.#lines.join("\n");
  }
}
