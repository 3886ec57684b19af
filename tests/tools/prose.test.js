// The prose linter finds what leaves the style, and nothing in code; the count leaves out what is
// no prose.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readText } from "../../tools/check/prose/read.js";
import { rules } from "../../tools/check/prose/style.js";
import { sourceTexts } from "../../tools/check/prose/texts.js";

/** @typedef {import("../../tools/check/prose/style.js").Kind} Kind */

/** What is found in a text, as `line:column name`. @param {string} text @param {Kind} [kind] */
async function found(text, kind = "page", file = "a.md") {
  const { messages } = (await readText({ file, kind, text })).file;
  return messages.map(({ line, column, ruleId }) => `${line}:${column} ${ruleId}`);
}

describe("the linter", () => {
  test("says where a word of ours is", async () => {
    assert.deepEqual(await found("The field wins.\nA courier asks."), ["2:3 courier"]);
    assert.deepEqual(await found("Settings that\nnobody\nhas set."), ["2:1 person"]);
    assert.deepEqual(await found("It has 64 ids a ms, not 64 ids per ms."), ["1:8 rate"]);
    assert.deepEqual(await found("It answers a problem of RFC 9457."), ["1:14 of-chain"]);
  });

  test("reads no code and no URL", async () => {
    assert.deepEqual(await found("`nobody` and <http://nobody.example>\n\n    a courier"), []);
    assert.deepEqual(await found("```\nwhoever\n```"), []);
  });

  test("knows which texts and which files a rule is for", async () => {
    assert.deepEqual(await found("The spans overlap."), ["1:5 span"]);
    assert.deepEqual(await found("The spans overlap.", "comment", "a.rs"), []);
    for (const page of ["DECISIONS", "DESIGN", "PROOF", "WITNESS"]) {
      assert.deepEqual(await found("The spans overlap.", "page", `docs/${page}.md`), []);
    }
  });

  test("wants a subject", async () => {
    assert.deepEqual(await found("Not at all: it is off.", "comment"), ["1:1 no subject"]);
    assert.deepEqual(await found("Since it is off.", "comment"), ["1:1 no subject"]);
    assert.deepEqual(await found("Since it is off, it costs nothing.", "comment"), []);
  });
});

test("every exception has a reason", () => {
  for (const { name, except, because } of rules) {
    assert.equal(because !== undefined, except !== undefined, name);
  }
});

test("the count leaves out code, tables and URLs", async () => {
  const text = [
    "# You count",
    "`because` None is here, for example, at <http://you.example/because>.",
    "",
    "| you | nobody |",
    "|---|---|",
    "| because | none |",
    "",
    "```",
    "you",
    "```",
  ].join("\n");
  const { counts } = await readText({ file: "a.md", kind: "page", text });
  assert.deepEqual(counts, { words: 8, persons: 1, connectives: 1, you: 1 });
});

describe("comments and messages stand at the lines of their source", () => {
  /** @param {string} file @param {string[]} lines */
  function linesOf(file, ...lines) {
    return sourceTexts(file, lines.join("\n")).map(({ kind, text }) => ({
      kind,
      lines: text.split("\n").flatMap((line, i) => (line === "" ? [] : [`${i + 1} ${line}`])),
    }));
  }

  test("in Rust", () => {
    const source = [
      "//! The module.",
      "fn f() { // behind",
      '    panic!("two words"); panic!("three {more} of \\"words\\" here");',
      "}",
    ];
    assert.deepEqual(linesOf("src/a.rs", ...source), [
      { kind: "comment", lines: ["1 The module.", "2 - behind"] },
      { kind: "message", lines: ['3 - three `0` of "words" here'] },
    ]);
    assert.deepEqual(linesOf("tests/a.rs", ...source)[1], { kind: "message", lines: [] });
  });

  test("in JavaScript", () => {
    const source = [
      "/**",
      " * What it does.",
      " *",
      " * @param {string} a what is a",
      " */",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source that is read
      "throw new Error(`found ${a + 1}, only one is allowed`);",
      'import { root } from "../../command/paths.js";',
    ];
    assert.deepEqual(linesOf("www/a.js", ...source), [
      { kind: "comment", lines: ["2 What it does.", "4 - what is a"] },
      { kind: "message", lines: ["6 - found `0`, only one is allowed"] },
    ]);
  });

  test("in a page of the browser, and behind a #", () => {
    assert.deepEqual(linesOf("www/a.html", "<!-- A note -->", "<p>Paste an id here</p>"), [
      { kind: "comment", lines: ["1  A note"] },
      { kind: "message", lines: ["2 - Paste an id here"] },
    ]);
    assert.deepEqual(linesOf("a.toml", "a = 1", "# One of them."), [
      { kind: "comment", lines: ["2 One of them."] },
    ]);
  });
});
