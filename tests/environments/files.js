// The files of the fixtures, which are in fixtures.txt.

import { readFileSync } from "node:fs";
import { join } from "node:path";

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
