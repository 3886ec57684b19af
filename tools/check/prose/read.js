// Reads prose sentence by sentence: counts its words, and says where it leaves the style.

import { toString as textOf } from "nlcst-to-string";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRetext from "remark-retext";
import retextEnglish from "retext-english";
import { unified } from "unified";
import { SKIP, visit } from "unist-util-visit";
import { VFile } from "vfile";
import { counted, rules } from "./style.js";

/**
 * @typedef {Record<keyof typeof counted | "words", number>} Counts
 */

/** What stands for code in a sentence. */
const CODE = "`";

const read = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(urlsAsCode)
  .use(
    remarkRetext,
    unified().use(retextEnglish).use(style),
    // Tables are words beside each other; what is struck out is not said.
    { ignore: ["table", "delete"] },
  );

/**
 * A file with a message for each place that leaves the style.
 *
 * @param {import("./texts.js").Text} text
 * @returns {Promise<{ counts: Counts, file: VFile }>}
 */
export async function readText({ file: path, kind, text }) {
  const file = new VFile({ path, value: text, data: { kind } });
  await read.run(read.parse(file), file);
  return { counts: /** @type {Counts} */ (file.data.counts ?? noCounts()), file };
}

/** @returns {Counts} */
export function noCounts() {
  return { words: 0, persons: 0, connectives: 0, you: 0 };
}

/** A URL that is its own text is no prose. */
function urlsAsCode() {
  return (/** @type {import("mdast").Root} */ tree) => {
    visit(tree, "link", (link, index, parent) => {
      const [child] = link.children;
      if (child?.type !== "text" || !link.url.endsWith(child.value)) return;
      if (parent && index !== undefined) {
        parent.children[index] = {
          type: "inlineCode",
          value: child.value,
          position: link.position,
        };
        return SKIP;
      }
    });
  };
}

function style() {
  return (/** @type {import("nlcst").Root} */ tree, /** @type {VFile} */ file) => {
    const counts = noCounts();
    file.data.counts = counts;
    visit(tree, "SentenceNode", (sentence) => {
      const { text, nodeAt, words } = plain(sentence);
      const lower = text.toLowerCase();
      counts.words += words;
      for (const [name, pattern] of Object.entries(counted)) {
        counts[/** @type {keyof typeof counted} */ (name)] += lower.match(pattern)?.length ?? 0;
      }
      for (const { name, pattern, write, kinds, except } of rules) {
        if (kinds && !kinds.includes(/** @type {import("./style.js").Kind} */ (file.data.kind))) {
          continue;
        }
        if (except?.test(file.path)) continue;
        for (const { index, 0: found } of text.matchAll(pattern)) {
          const place = nodeAt(index)?.position ?? sentence.position;
          file.message(`\`${found}\`: write ${write}`, { place, ruleId: name, source: "prose" });
        }
      }
    });
  };
}

/**
 * A sentence without its code and its breaks of lines, which node each part of it is, and how many
 * words it has.
 *
 * @param {import("nlcst").Sentence} sentence
 */
function plain(sentence) {
  let text = "";
  let words = 0;
  /** @type {{ from: number, node: import("nlcst").SentenceContent }[]} */
  const parts = [];
  for (const node of sentence.children) {
    parts.push({ from: text.length, node });
    if (node.type === "SourceNode") text += CODE;
    else if (node.type === "WhiteSpaceNode") text += " ";
    else text += textOf(node);
    if (node.type === "WordNode" && /[a-z]/i.test(textOf(node))) words++;
  }
  return {
    text,
    words,
    /** @param {number} index */
    nodeAt: (index) => parts.findLast(({ from }) => from <= index)?.node,
  };
}
