// node tools generate [--check]: writes the parts of documents, types and the OpenAPI file that are
// made from tables in Rust; with --check, fails instead if one is not what it would write.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail, output, run } from "../command/run.js";
import { setup } from "../setup/setup.js";

/**
 * @typedef {object} Tables worker/examples/tables prints them.
 * @property {Code[]} codes
 * @property {Route[]} routes
 * @property {object} openapi
 *
 * @typedef {object} Code
 * @property {string} name
 * @property {"later" | "after-change" | "never"} retry
 * @property {boolean} rust whether the crate returns it
 * @property {boolean} npm whether the npm package throws it
 * @property {{ statuses: [status: number, to: string][] } | null} http
 * @property {string} cause
 * @property {string} remedy
 * @property {string} alerts
 *
 * @typedef {object} Route
 * @property {string} method
 * @property {string} path
 * @property {string} summary
 * @property {string | null} secret the least powerful one that opens it
 * @property {number | "ids" | null} weight the units of the rate limit
 */

/**
 * A part stands between two comments: `<!-- generated: NAME -->` and `<!-- end -->`. Without a name,
 * it is the whole file.
 *
 * @typedef {object} Part
 * @property {string} file from the root on
 * @property {string} [name]
 * @property {() => Promise<string> | string} text
 */

/** @type {Part[]} */
const parts = [
  { file: "docs/LAYOUTS.md", name: "presets", text: presetsTable },
  { file: "docs/API.md", name: "paths", text: pathsTable },
  { file: "docs/API.md", name: "problems", text: problemsTable },
  { file: "docs/ERRORS.md", name: "later", text: () => codesTable("later") },
  { file: "docs/ERRORS.md", name: "after a change", text: () => codesTable("after-change") },
  { file: "docs/ERRORS.md", name: "never", text: () => codesTable("never") },
  { file: "packages/edgeflake/names.d.ts", text: names },
  { file: "www/openapi.json", text: () => `${JSON.stringify(tables.openapi, null, 2)}\n` },
];

const { check } = readArguments({ options: { check: { type: "boolean" } } }).values;
await setup();
run("node", ["tools", "build", "package"]);
const printer = ["run", "--quiet", "--package=edgeflake-worker", "--example=tables"];
const printed = output("cargo", printer);
/** @type {Tables} */
const tables = JSON.parse(printed ?? fail(`no tables: cargo ${printer.join(" ")} says why`));
for (const file of new Set(parts.map(({ file }) => file))) {
  const found = readFileSync(join(root, file), "utf8");
  const wanted = await generated(file, found);
  if (found === wanted) continue;
  if (check) fail(`${file} is not what it is made from: npm run generate`);
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
    if (part.name === undefined) return part.text();
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

function pathsTable() {
  const rows = tables.routes.map(({ method, path, summary, secret, weight }) => [
    `\`${method} ${path}\``,
    summary,
    secret ? `\`${secret}\`` : "none",
    weight === "ids" ? "1 per 1,000 ids" : `${weight ?? "none"}`,
  ]);
  return table(
    ["request", "does", "least powerful secret that opens it", "units of the rate limit"],
    rows,
  );
}

function problemsTable() {
  const rows = tables.codes.flatMap(({ name, http }) => {
    if (!http) return [];
    const statuses = http.statuses.map(([status, to]) => (to ? `${status} to ${to}` : `${status}`));
    return [[`\`${name}\``, statuses.join(", ")]];
  });
  return table(["problem", "status"], rows.sort());
}

/** @param {Code["retry"]} retry */
function codesTable(retry) {
  const rows = tables.codes
    .filter((code) => code.retry === retry)
    .map(({ name, rust, npm, http, cause, remedy, alerts }) => {
      const where = [http && "HTTP", npm && "npm", rust && "Rust"];
      return [`\`${name}\``, where.filter(Boolean).join(", "), cause, remedy, alerts];
    });
  return table(["code", "where", "cause", "do", "alert"], rows);
}

/** The names that the types of the npm package list. */
function names() {
  const codes = tables.codes.filter(({ npm }) => npm).map(({ name }) => name);
  return `// \`npm run generate\` writes this file.

/** Stable names of errors. docs/ERRORS.md explains each. */
export type ErrorCode =${union(codes)};
`;
}

/** @param {string[]} names */
function union(names) {
  return names
    .sort()
    .map((name) => `\n  | "${name}"`)
    .join("");
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(head, rows) {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
