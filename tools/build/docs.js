// node tools docs [--check]: writes the parts of docs/ that are made from the code and from
// www/openapi.json; with --check, fails instead if one is not what it would write.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail, run } from "../command/run.js";
import { setup } from "../setup/setup.js";

/**
 * A part stands between two comments: `<!-- generated: NAME -->` and `<!-- end -->`.
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
];

const { check } = readArguments({ options: { check: { type: "boolean" } } }).values;
await setup();
run("node", ["tools", "build", "package"]);
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
    const start = `<!-- generated: ${part.name} -->\n`;
    const [before, rest, ...more] = document.split(start);
    const end = rest?.indexOf("<!-- end -->") ?? -1;
    if (end < 0 || more.length > 0) {
      throw new Error(`${file}: ${start.trim()} is there ${more.length} times too many, or no end`);
    }
    document = `${before}${start}\n${await part.text()}\n${rest.slice(end)}`;
  }
  return document;
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
