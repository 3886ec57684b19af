// Reads environments.txt: what each environment installs, and the steps of its test.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @import { Options, Project, Server } from "./project.js"
 *
 * @typedef {Options & { run: (project: Project) => Promise<void> }} Environment
 */

/**
 * The functions that read the lines about a project's files, by the first word of the line.
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

/**
 * The steps of a test, by the first word of their line. A step that needs a server uses the server
 * that was started last. A page shows the program's output in the places "server" and "client", or
 * only in "client".
 *
 * @type {Record<string, (project: Project, rest: string, server: Server) => Promise<unknown>>}
 */
const steps = {
  run: (project, line) => project.run(line),
  output: (project, line) => project.expectOutput(line),
  /** Starts a server; variables may precede the command. */
  serve(project, line) {
    const [, variables, command] = /^((?:[A-Z]+=\S+ )*)(.*)$/.exec(line) ?? [];
    const pairs = variables.trim().split(" ").filter(Boolean);
    return project.serve(command, Object.fromEntries(pairs.map((pair) => pair.split("="))));
  },
  files: (project, folder) => project.serveFiles(folder),
  stop: (_, __, server) => server.stop(),
  answer: (project, path, server) => project.expectAnswer(server, path),
  "edited-answer": (project, path, server) => project.expectEditedAnswer(server, path),
  page: (project, places, server) => project.expectPage(server, placesOf(places)),
  "edited-page": (project, places, server) => project.expectEditedPage(server, placesOf(places)),
  /** Asks several paths for ids. All evaluations of the program must share one generator. */
  async entries(project, paths, server) {
    const entries = paths.split(" ").map((path) => (path === "/" ? "" : path));
    for (const entry of entries) await project.expectAnswer(server, entry);
    await project.expectShared(server, entries);
  },
  ids: (project, path, server) => project.expectIds(server, path),
  /** Serves a program beside `edgeflake dev`. The program issues an id at a path. */
  "beside-edgeflake-dev"(project, rest) {
    const [, path, command] = /^(\S+) (.*)$/.exec(rest) ?? [];
    return project.besideEdgeflakeDev(async () =>
      project.expectIds(await project.serve(command), path),
    );
  },
  module: (project, file) => project.expectBundle(file),
  script: (project, file) => project.expectBundle(file, false),
};

/** @param {string} places */
const placesOf = (places) => (places ? places.split(" ") : undefined);

/** @param {string} packages @param {string[]} lines @returns {Environment} */
function environmentOf(packages, lines) {
  const parts = lines.flatMap((line) => line.trim().split("; ")).filter(Boolean);
  const named = parts.map((part) => /** @type {const} */ ([part.split(" ", 1)[0], part]));
  const rest = (/** @type {string} */ part) => part.split(" ").slice(1).join(" ");
  const unknown = named.find(([name]) => !(name in options || name in steps));
  if (unknown) throw new Error(`environments.txt has an unknown step: ${unknown[0]}`);
  return {
    ...Object.assign({}, ...named.map(([name, part]) => options[name]?.(rest(part)))),
    packages: Object.fromEntries(packages.split(", ").map((text) => text.split(" "))),
    async run(project) {
      /** @type {any} */
      let server;
      for (const [name, part] of named) {
        const found = await steps[name]?.(
          project,
          rest(part).replaceAll("{project}", project.directory),
          server,
        );
        if (name === "serve" || name === "files") server = found;
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
