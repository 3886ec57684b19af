// node tools docs [--check]: writes the parts of documents and types that are made from the code and
// from www/openapi.json; with --check, fails instead if one is not what it would write.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail, output, run } from "../command/run.js";
import { setup } from "../setup/setup.js";

/**
 * A whole file, or a part of one between two texts that occur there once.
 *
 * @typedef {object} Part
 * @property {string} file from the root on
 * @property {[string, string]} [between]
 * @property {() => Promise<string> | string} text
 */

/** @type {Part[]} */
const parts = [
  { file: "docs/LAYOUTS.md", between: marks("presets"), text: presetsTable },
  { file: "docs/API.md", between: marks("paths"), text: pathsTable },
  { file: "docs/API.md", between: marks("problems"), text: problemsTable },
  { file: "docs/DEPLOYING.md", between: marks("secrets"), text: () => settingsTable("secret") },
  {
    file: "docs/DEPLOYING.md",
    between: marks("bound configuration"),
    text: () => settingsTable("bound"),
  },
  { file: "docs/DEPLOYING.md", between: marks("settings"), text: () => settingsTable("sequencer") },
  { file: "docs/DEPLOYING.md", between: marks("variables"), text: () => settingsTable("worker") },
  { file: "docs/MONITORING.md", between: marks("events"), text: eventsTable },
  { file: "packages/edgeflake/names.d.ts", text: namesOfTypes },
];

const { check } = readArguments({ options: { check: { type: "boolean" } } }).values;
await setup();
run("node", ["tools", "build", "package"]);
/** @type {{ events: { name: string, level: string, meaning: string }[], settings: Setting[] }} */
const { events, settings } = JSON.parse(
  output("cargo", ["run", "--quiet", "--package=edgeflake-worker", "--example=tables"]) ??
    fail("the tables are not there: cargo run --package=edgeflake-worker --example=tables"),
);
for (const file of new Set(parts.map(({ file }) => file))) {
  const path = join(root, file);
  const found = existsSync(path) ? readFileSync(path, "utf8") : "";
  const wanted = await generated(file, found);
  if (found === wanted) continue;
  if (check) fail(`${file} is not what it is made from: npm run docs`);
  writeFileSync(path, wanted);
}

/** The comments around a part of a document. @param {string} name @returns {[string, string]} */
function marks(name) {
  return [`<!-- generated: ${name} -->\n\n`, "\n<!-- end -->"];
}

/**
 * A file with its generated parts as they should be.
 *
 * @param {string} file from the root on
 * @param {string} contents its present text
 */
async function generated(file, contents) {
  for (const { between, text } of parts.filter((part) => part.file === file)) {
    if (!between) return await text();
    const [start, end] = between;
    const [before, rest, ...more] = contents.split(start);
    const length = rest?.indexOf(end) ?? -1;
    if (length < 0 || more.length > 0) {
      throw new Error(`${file}: ${start.trim()} is there ${more.length} times too many, or no end`);
    }
    contents = before + start + (await text()) + rest.slice(length);
  }
  return contents;
}

/**
 * A row of `worker/examples/tables/settings.rs`.
 *
 * @typedef {object} Setting
 * @property {string} name
 * @property {"bound" | "sequencer" | "worker" | "secret"} scope
 * @property {string} allowed
 * @property {string | null} default
 * @property {string} meaning in Markdown, as of docs/
 */

/** @param {Setting["scope"]} scope */
function settingsTable(scope) {
  const chosen = settings.filter((setting) => setting.scope === scope);
  const separated = (/** @type {string} */ text) =>
    text.replace(/\d{4,}/g, (digits) => Number(digits).toLocaleString("en"));
  if (scope === "secret") {
    const rows = chosen.map(({ name, meaning }) => [`\`${name}\``, meaning]);
    return table(["secret", "meaning"], rows);
  }
  const rows = chosen.map(({ name, allowed, default: text, meaning }) => [
    `\`${name}\``,
    separated(allowed),
    text === null ? "" : `\`${text}\``,
    meaning,
  ]);
  return table(["variable", "allowed", "default", "meaning"], rows);
}

function eventsTable() {
  const rows = events.map(({ name, level, meaning }) => [`\`${name}\``, level, meaning]);
  return table(["event", "level", "when"], rows);
}

function namesOfTypes() {
  const lines = settings.map(({ name, default: text, meaning }) => {
    const plain = meaning.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const sentences = text === null ? plain : `${plain} The default is \`${text}\`.`;
    const comment = wrapped(sentences, 93).map((line) => `   * ${line}\n`);
    return `  /**\n${comment.join("")}   */\n  ${name}?: string;\n`;
  });
  return `// \`npm run docs\` writes this file from worker/crate/src/settings/table.rs.

/**
 * The variables and secrets that the objects and the Worker read. Names that begin with
 * \`EDGEFLAKE_\` are edgeflake's, which refuses those that it does not know.
 *
 * \`wrangler types\` knows those of your configuration. For the secrets:
 *
 * \`\`\`ts
 * declare namespace Cloudflare {
 *   interface Env extends Pick<Variables, "EDGEFLAKE_ADMIN_TOKEN"> {}
 * }
 * \`\`\`
 */
export interface Variables {
${lines.join("")}}
`;
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
