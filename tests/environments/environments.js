// Reads environments.txt: what each environment installs, and the steps of its test.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Project } from "./project.js";

/** @import { Options } from "./project.js" */

/** @typedef {Options & { run: (project: Project) => Promise<void> }} Environment */

/**
 * The functions that read the lines about a project's files, by the first word of the line. All
 * other lines are steps, whose first word is a method of the project.
 *
 * @type {Record<string, (rest: string) => Partial<Options>>}
 */
const options = {
  fixture: (fixture) => ({ fixture }),
  example: (example) => ({ example }),
  check: (check) => ({ check }),
  with: (files) => ({ files: files.split(" ") }),
  manifest: (json) => ({ manifest: JSON.parse(json) }),
};

/** @param {string} packages @param {string[]} lines @returns {Environment} */
function environmentOf(packages, lines) {
  const parts = lines.flatMap((line) => line.trim().split("; ")).filter(Boolean);
  const named = parts.map((part) => /** @type {const} */ ([part.split(" ", 1)[0], part]));
  const rest = (/** @type {string} */ part) => part.split(" ").slice(1).join(" ");
  const unknown = named.find(([name]) => !(name in options || name in Project.prototype));
  if (unknown) throw new Error(`environments.txt has an unknown step: ${unknown[0]}`);
  return {
    ...Object.assign({}, ...named.map(([name, part]) => options[name]?.(rest(part)))),
    packages: Object.fromEntries(packages.split(", ").map((text) => text.split(" "))),
    async run(project) {
      for (const [name, part] of named) {
        if (name in options) continue;
        const step = rest(part).replaceAll("{project}", project.directory);
        await /** @type {any} */ (project)[name](step);
      }
    },
  };
}

/** Matches the alternatives in a line. */
const ALTERNATIVES = /\{([^{}]*\|[^{}]*)\}/g;

const text = readFileSync(join(import.meta.dirname, "environments.txt"), "utf8");
const lines = text.split("\n").filter((line) => !/^ *#/.test(line));

/** @type {Record<string, Environment>} */
export const environments = Object.fromEntries(
  lines
    .join("\n")
    .trim()
    .split(/\n(?! )/)
    .flatMap((block) => {
      const [[, names = ""] = []] = block.matchAll(ALTERNATIVES);
      return names.split("|").map((_, i) => {
        const chosen = block.replaceAll(ALTERNATIVES, (_, all) => all.split("|")[i]);
        const [head, ...lines] = chosen.split("\n");
        const [name, packages] = head.split(": ");
        return [name, environmentOf(packages, lines)];
      });
    }),
);
