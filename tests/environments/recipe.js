// The files that docs/FRAMEWORKS.md shows: each block of code that begins with a file's name.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/command/paths.js";

const BLOCK = /^```\w+\n\/\/ (\S+\.\w+)\n([\s\S]*?)^```$/gm;

/**
 * The files of a section, by their names.
 *
 * @param {string} heading
 */
export function recipe(heading) {
  const page = readFileSync(join(root, "docs", "FRAMEWORKS.md"), "utf8");
  const section = page.split(/^### /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const files = [...section.matchAll(BLOCK)].map(([, name, content]) => ({ name, content }));
  if (files.length === 0) throw new Error(`docs/FRAMEWORKS.md has no files below "${heading}"`);
  return files;
}
