// The files of the projects: those of a fixture in fixtures.txt, and those that docs/FRAMEWORKS.md
// shows in blocks of code that begin with a file's name.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/command/paths.js";

const BLOCK = /^```\w+\n\/\/ (\S+\.\w+)\n([\s\S]*?)^```$/gm;
const FILE = /^-- (.+) --\n/m;

/** Reads the files of a fixture, by their names. @param {string} fixture */
export function fixtureFiles(fixture) {
  const [, ...parts] = readFileSync(join(import.meta.dirname, "fixtures.txt"), "utf8").split(FILE);
  const files = [];
  for (let i = 0; i < parts.length; i += 2) {
    const [folder, ...path] = parts[i].split("/");
    if (folder === fixture) files.push({ name: path.join("/"), content: parts[i + 1] });
  }
  if (files.length === 0) throw new Error(`fixtures.txt has no files of "${fixture}"`);
  return files;
}

/** Reads the files of a section, by their names. @param {string} heading */
export function recipe(heading) {
  const page = readFileSync(join(root, "docs", "FRAMEWORKS.md"), "utf8");
  const section = page.split(/^### /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const files = [...section.matchAll(BLOCK)].map(([, name, content]) => ({ name, content }));
  if (files.length === 0) throw new Error(`docs/FRAMEWORKS.md has no files below "${heading}"`);
  return files;
}
