// node tools generate [--check]: writes what is generated from tables in Rust: parts of documents,
// the table of encodings, and the OpenAPI file. With --check, it writes nothing, and fails if a
// generated part is out of date.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { readTables } from "./tables.js";

/** @typedef {import("./tables.js").Code} Code @typedef {import("./tables.js").Setting} Setting */

/**
 * A generated part of a document. It stands between the comments `<!-- generated: NAME -->` and
 * `<!-- end -->`. A part without a name is the whole file.
 *
 * @typedef {object} Part
 * @property {string} file relative to the root
 * @property {string} [name]
 * @property {() => string} text
 */

/** @type {Part[]} */
const parts = [
  { file: "docs/LAYOUTS.md", name: "presets", text: presetsTable },
  { file: "docs/API.md", name: "paths", text: pathsTable },
  { file: "docs/API.md", name: "later", text: () => codesTable("later") },
  { file: "docs/API.md", name: "after a change", text: () => codesTable("after-change") },
  { file: "docs/API.md", name: "never", text: () => codesTable("never") },
  { file: "docs/DESIGN.md", name: "states", text: statesTable },
  { file: "docs/OPERATING.md", name: "secrets", text: () => settingsTable("secret") },
  { file: "docs/OPERATING.md", name: "bound configuration", text: () => settingsTable("bound") },
  { file: "docs/OPERATING.md", name: "settings", text: () => settingsTable("sequencer") },
  { file: "docs/OPERATING.md", name: "variables", text: () => settingsTable("worker") },
  { file: "docs/OPERATING.md", name: "metrics", text: metricsTable },
  { file: "docs/OPERATING.md", name: "events", text: eventsTable },
  { file: "docs/LAYOUTS.md", name: "encodings", text: encodingsTable },
  { file: "packages/edgeflake/src/text/encodings.ts", text: encodingRows },
  { file: "www/openapi.json", text: () => `${JSON.stringify(tables.openapi, null, 2)}\n` },
];

const { check } = readArguments({ options: { check: { type: "boolean" } } }).values;
await setup();
const tables = readTables();
for (const file of new Set(parts.map(({ file }) => file))) {
  const path = join(root, file);
  const found = existsSync(path) ? readFileSync(path, "utf8") : "";
  const wanted = generated(file, found);
  if (found === wanted) continue;
  if (check) fail(`${file} is out of date; run: npm run generate`);
  writeFileSync(path, wanted);
}

/**
 * Returns the document with its generated parts up to date.
 *
 * @param {string} file relative to the root
 * @param {string} document its current text
 */
function generated(file, document) {
  for (const part of parts.filter((part) => part.file === file)) {
    if (part.name === undefined) return part.text();
    const start = `<!-- generated: ${part.name} -->\n`;
    const [before, rest, ...more] = document.split(start);
    const end = rest?.indexOf("<!-- end -->") ?? -1;
    if (end < 0 || more.length > 0) {
      throw new Error(`${file} must have ${start.trim()} once, and <!-- end --> after it`);
    }
    document = `${before}${start}\n${part.text()}\n${rest.slice(end)}`;
  }
  return document;
}

function presetsTable() {
  const day = (/** @type {number} */ ms) => new Date(ms).toISOString().replace(/^\+0*|T.*/g, "");
  const ids = ["nodes", "ids per tick"];
  const head = ["preset", "fields", "epoch", "tick", ...ids, "ends", "positive until", "options"];
  return table(head, tables.presets, (preset) => [
    preset.name,
    `\`${preset.layout.slice(0, preset.layout.indexOf(" @"))}\``,
    day(preset.epoch_ms),
    `${preset.tick_ms} ms`,
    preset.nodes.toLocaleString("en"),
    preset.ids_per_tick.toLocaleString("en"),
    day(preset.end_ms),
    day(preset.signed_end_ms),
    preset.options.map((option) => `\`${option}\``).join(", ") || "none",
  ]);
}

function pathsTable() {
  const last = ["least powerful secret that opens it", "units of the rate limit"];
  return table(["request", "does", ...last], tables.routes, (route) => [
    `${route.method} ${route.path}`,
    route.summary,
    route.secret ? `\`${route.secret}\`` : "none",
    route.weight === "ids" ? "1 per 1,000 ids" : `${route.weight ?? "none"}`,
  ]);
}

/** @param {Code["retry"]} retry */
function codesTable(retry) {
  const codes = tables.codes.filter((code) => code.retry === retry);
  const head = ["code", "HTTP", "package", "cause", "do", "alert"];
  return table(head, codes, ({ name, rust, npm, http, cause, remedy, alerts }) => {
    const statuses = http?.statuses ?? [];
    const over = statuses.map(([status, to]) => (to ? `${status} to ${to}` : status)).join(", ");
    const packages = [npm && "npm", rust && "Rust"].filter(Boolean).join(", ");
    return [name, over, packages, cause, remedy, alerts];
  });
}

function encodingsTable() {
  const head = ["encoding", "digits, from 0 on", "characters", "sorts as the ids do", "writes"];
  return table(head, tables.encodings, ({ name, digits, lengths: [min, max], ...others }) => [
    name,
    `\`${ranges(digits)}\``,
    min === max ? `${max}` : `${min} to ${max}`,
    others.sortable ? "yes" : "no",
    others.sentence,
  ]);
}

/** Abbreviates runs of four or more digits to ranges, as in `0-9a-z`. @param {string} digits */
function ranges(digits) {
  const codes = [...digits].map((digit) => digit.charCodeAt(0));
  let text = "";
  for (let first = 0, end = 1; first < codes.length; first = end++) {
    while (codes[end] === codes[end - 1] + 1) end++;
    text += end - first < 4 ? digits.slice(first, end) : `${digits[first]}-${digits[end - 1]}`;
  }
  return text;
}

/** @param {Setting["scope"]} scope */
function settingsTable(scope) {
  const chosen = tables.settings.filter((setting) => setting.scope === scope);
  if (scope === "secret") {
    return table(["secret", "meaning"], chosen, ({ name, meaning }) => [name, meaning]);
  }
  const separated = (/** @type {string} */ text) =>
    text.replace(/\d{4,}/g, (digits) => Number(digits).toLocaleString("en"));
  return table(["variable", "allowed", "default", "meaning"], chosen, (setting) => [
    setting.name,
    separated(setting.allowed),
    setting.default === null ? "" : `\`${setting.default}\``,
    setting.meaning,
  ]);
}

function eventsTable() {
  const head = ["event", "level", "when"];
  return table(head, tables.events, ({ name, level, meaning }) => [name, level, meaning]);
}

function metricsTable() {
  return table(["metric", "says"], tables.metrics, ({ name, help }) => [name, help]);
}

function statesTable() {
  return table(["state", "meaning"], tables.states, ({ name, meaning }) => [name, meaning]);
}

function encodingRows() {
  const rows = tables.encodings.map(({ name, digits, lengths, others, allowed }) => {
    const cells = [name, digits, ...lengths, others, allowed];
    return `  [${cells.map((cell) => JSON.stringify(cell)).join(", ")}],\n`;
  });
  return `// \`npm run generate\` writes this file from the tables in Rust.

import type { Encoding } from "../names.js";

/**
 * The encodings. Each has its name, its digits, the fewest digits that are written, the most digits
 * that are written or read, further characters that are read (each followed by its digit), and the
 * allowed characters for error messages.
 */
// biome-ignore format: one row per encoding
export const ENCODINGS: [Encoding, string, number, number, string, string][] = [
${rows.join("")}];
`;
}

/**
 * Formats a table of Markdown. The first cell of each row is code.
 *
 * @template T @param {string[]} head @param {T[]} rows @param {(row: T) => string[]} cellsOf
 */
function table(head, rows, cellsOf) {
  const body = rows.map(cellsOf).map(([code, ...cells]) => [`\`${code}\``, ...cells]);
  const lines = [head, head.map(() => "---"), ...body];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
