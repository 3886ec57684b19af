// Fails where a page, a comment or a message leaves the style.

import { reporter } from "vfile-reporter";
import { fail } from "../../command/run.js";
import { readText } from "./read.js";
import { texts } from "./texts.js";

export async function lintProse() {
  const found = [];
  for (const text of texts()) {
    const { file } = await readText(text);
    if (file.messages.length > 0) found.push(file);
  }
  if (found.length === 0) return;
  console.error(reporter(found));
  fail("the prose leaves the style: CONTRIBUTING.md says how this repository writes");
}
