// node tools docs [--check]: writes the parts of documents and types that are made from the code and
// from www/openapi.json; with --check, fails instead if one is not what it would write.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail, run } from "../command/run.js";
import { setup } from "../setup/setup.js";

/**
 * A part stands between two comments: `<!-- generated: NAME -->` and `<!-- end -->` in Markdown,
 * `// generated: NAME` and `// end` in TypeScript.
 *
 * @typedef {object} Part
 * @property {string} file from the root on
 * @property {string} name
 * @property {() => Promise<string> | string} text
 */

/** @type {Part[]} */
const parts = [
  { file: "docs/LAYOUTS.md", name: "presets", text: presetsTable },
  { file: "docs/API.md", name: "paths", text: pathsTable },
  { file: "docs/API.md", name: "problems", text: problemsTable },
  { file: "docs/DEPLOYING.md", name: "secrets", text: () => settingsTable("secret") },
  { file: "docs/DEPLOYING.md", name: "bound configuration", text: () => settingsTable("bound") },
  { file: "docs/DEPLOYING.md", name: "settings", text: () => settingsTable("sequencer") },
  { file: "docs/DEPLOYING.md", name: "variables", text: () => settingsTable("worker") },
  { file: "packages/edgeflake/names.d.ts", name: "variables", text: variablesType },
];

const { check } = readArguments({ options: { check: { type: "boolean" } } }).values;
await setup();
run("node", ["tools", "build", "package"]);
const tables = readTables();
for (const file of new Set(parts.map(({ file }) => file))) {
  const found = readFileSync(join(root, file), "utf8");
  const wanted = await generated(file, found);
  if (found === wanted) continue;
  if (check) fail(`${file} is not what it is made from: npm run docs`);
  writeFileSync(join(root, file), wanted);
}

/**
 * A document with its generated parts as they should be.
 *
 * @param {string} file from the root on
 * @param {string} document its present text
 */
async function generated(file, document) {
  for (const part of parts.filter((part) => part.file === file)) {
    const comment = (/** @type {string} */ text) =>
      file.endsWith(".md") ? `<!-- ${text} -->` : `// ${text}`;
    const start = `${comment(`generated: ${part.name}`)}\n`;
    const [before, rest, ...more] = document.split(start);
    const end = rest?.indexOf(comment("end")) ?? -1;
    if (end < 0 || more.length > 0) {
      throw new Error(`${file}: ${start.trim()} is there ${more.length} times too many, or no end`);
    }
    document = `${before}${start}\n${await part.text()}\n${rest.slice(end)}`;
  }
  return document;
}

/**
 * @typedef {object} Setting
 * @property {string} name
 * @property {"bound" | "sequencer" | "worker" | "secret"} scope
 * @property {string} allowed
 * @property {string | null} default
 * @property {string} meaning in Markdown, as of docs/
 *
 * @returns {{ settings: Setting[] }}
 */
function readTables() {
  const args = ["run", "--quiet", "--package=edgeflake-worker", "--example=tables"];
  const { status, stdout } = spawnSync("cargo", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) fail("the tables cannot be printed");
  return JSON.parse(stdout);
}

/** @param {Setting["scope"]} scope */
function settingsTable(scope) {
  const settings = tables.settings.filter((setting) => setting.scope === scope);
  const separated = (/** @type {string} */ text) =>
    text.replace(/\d{4,}/g, (digits) => Number(digits).toLocaleString("en"));
  if (scope === "secret") {
    const rows = settings.map(({ name, meaning }) => [`\`${name}\``, meaning]);
    return table(["secret", "meaning"], rows);
  }
  const rows = settings.map(({ name, allowed, default: text, meaning }) => [
    `\`${name}\``,
    separated(allowed),
    text === null ? "" : `\`${text}\``,
    meaning,
  ]);
  return table(["variable", "allowed", "default", "meaning"], rows);
}

function variablesType() {
  const lines = tables.settings.map(({ name, default: text, meaning }) => {
    const plain = meaning.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const sentences = text === null ? plain : `${plain} The default is \`${text}\`.`;
    const comment = wrapped(sentences, 93).map((line) => `   * ${line}\n`);
    return `  /**\n${comment.join("")}   */\n  ${name}?: string;\n`;
  });
  return `export interface Variables {\n${lines.join("")}}\n`;
}

/**
 * The lines of a text that have at most `width` characters each.
 *
 * @param {string} text
 * @param {number} width
 */
function wrapped(text, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

async function presetsTable() {
  // Imported late, because the package must be built first.
  const { Layout, presets } = await import("edgeflake");
  const day = (/** @type {Date} */ date) => date.toISOString().replace(/^\+0*|T.*/g, "");
  const rows = presets().map((name) => {
    const layout = Layout.preset(name);
    const { nodes, idsPerTick, expiresAt, fitsSignedUntil } = layout.info();
    const text = `${layout}`;
    return [
      `\`${name}\``,
      `\`${text.slice(0, text.indexOf(" @"))}\``,
      day(new Date(layout.epochMs)),
      `${layout.tickMs} ms`,
      nodes.toLocaleString("en"),
      idsPerTick.toLocaleString("en"),
      day(expiresAt),
      day(fitsSignedUntil),
    ];
  });
  return table(
    ["preset", "fields", "epoch", "tick", "nodes", "ids per tick", "ends", "positive until"],
    rows,
  );
}

/**
 * @typedef {object} Operation
 * @property {string} summary
 * @property {Record<string, string[]>[]} [security] the least first
 * @property {number | "ids"} [x-edgeflake-weight] what it counts as against the rate limit
 * @property {Record<string, { $ref?: string }>} responses
 *
 * @typedef {{ description: string, content?: Record<string, unknown> }} Answer
 */

/**
 * @typedef {object} Description
 * @property {Record<string, Record<string, Operation>>} paths
 * @property {{ responses: Record<string, Answer> }} components
 *
 * @returns {Description}
 */
function openapi() {
  return JSON.parse(readFileSync(join(root, "www", "openapi.json"), "utf8"));
}

function pathsTable() {
  const rows = Object.entries(openapi().paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const { summary, security = [], "x-edgeflake-weight": weight } = operation;
      const secrets = security.flatMap(Object.keys);
      const least = secrets[0]?.toUpperCase();
      const units = weight === "ids" ? "1 per 1,000 ids" : `${weight ?? "none"}`;
      return [
        `\`${method.toUpperCase()} ${path}\``,
        summary,
        least ? `\`${least}\`` : "none",
        units,
      ];
    }),
  );
  return table(
    ["request", "does", "least powerful secret that opens it", "units of the rate limit"],
    rows,
  );
}

function problemsTable() {
  const { paths, components } = openapi();
  /** @type {Map<string, Set<string>>} */
  const statuses = new Map();
  for (const operation of Object.values(paths).flatMap(Object.values)) {
    for (const [status, { $ref = "" }] of Object.entries(operation.responses)) {
      const answer = components.responses[$ref.split("/").at(-1) ?? ""];
      if (!answer?.content?.["application/problem+json"]) continue;
      for (const [, name] of answer.description.matchAll(/`([a-z-]+)`/g)) {
        statuses.set(name, (statuses.get(name) ?? new Set()).add(status));
      }
    }
  }
  const names = [...statuses.keys()].sort();
  const rows = names.map((name) => [
    `\`${name}\``,
    [...(statuses.get(name) ?? [])].sort().join(", "),
  ]);
  return table(["problem", "status"], rows);
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(head, rows) {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
