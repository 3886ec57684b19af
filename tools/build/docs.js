// node tools docs [--check]: writes what is made from the tables in src/ and from www/openapi.json;
// with --check, fails instead if a file is not what it would write.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail, output } from "../command/run.js";
import { setup } from "../setup/setup.js";

/**
 * A whole file, or a part of one between two texts that occur there once.
 *
 * @typedef {object} Part
 * @property {string} file from the root on
 * @property {[string, string]} [between]
 * @property {() => string} text
 */

/**
 * What `worker/examples/tables` prints.
 *
 * @typedef {object} Tables
 * @property {{ name: string, digits: string, lengths: [number, number], sortable: boolean,
 *   sentence: string }[]} encodings
 * @property {{ name: string, title: string, options: string[], layout: string, epoch_ms: number,
 *   tick_ms: number, nodes: number, ids_per_tick: number, end_ms: number,
 *   signed_end_ms: number }[]} presets
 */

/** @type {Part[]} */
const parts = [
  { file: "docs/LAYOUTS.md", between: marks("presets"), text: presetsTable },
  { file: "docs/API.md", between: marks("paths"), text: pathsTable },
  { file: "docs/API.md", between: marks("problems"), text: problemsTable },
  { file: "packages/edgeflake/README.md", between: marks("encodings"), text: encodingsTable },
  { file: "packages/edgeflake/src/names.ts", text: namesOfTypes },
  { file: "packages/edgeflake/src/testing/encodings.ts", text: encodingsOfFakes },
  {
    file: "www/openapi.json",
    between: ['"Encoding": {\n        "type": "string",\n        "enum": [\n', "        ]"],
    text: () => `${encodings.map(({ name }) => `          "${name}"`).join(",\n")}\n`,
  },
];

const ENCODING_HEAD = ["encoding", "digits, from 0 on", "characters", "sorts as the ids do"];

const { check } = readArguments({ options: { check: { type: "boolean" } } }).values;
await setup();
/** @type {Tables} */
const { encodings, presets } = JSON.parse(
  output("cargo", ["run", "--quiet", "--package=edgeflake-worker", "--example=tables"]) ??
    fail("the tables are not there: cargo run --package=edgeflake-worker --example=tables"),
);
for (const file of new Set(parts.map(({ file }) => file))) {
  const path = join(root, file);
  const found = existsSync(path) ? readFileSync(path, "utf8") : "";
  const wanted = generated(file, found);
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
function generated(file, contents) {
  for (const { between, text } of parts.filter((part) => part.file === file)) {
    if (!between) return text();
    const [start, end] = between;
    const [before, rest, ...more] = contents.split(start);
    const length = rest?.indexOf(end) ?? -1;
    if (length < 0 || more.length > 0) {
      throw new Error(`${file}: ${start.trim()} is there ${more.length} times too many, or no end`);
    }
    contents = before + start + text() + rest.slice(length);
  }
  return contents;
}

function presetsTable() {
  const day = (/** @type {number} */ ms) => new Date(ms).toISOString().replace(/^\+0*|T.*/g, "");
  return table(
    [
      "preset",
      "fields",
      "epoch",
      "tick",
      "nodes",
      "ids per tick",
      "ends",
      "positive until",
      "options",
    ],
    presets.map((preset) => [
      `\`${preset.name}\``,
      `\`${preset.layout.slice(0, preset.layout.indexOf(" @"))}\``,
      day(preset.epoch_ms),
      `${preset.tick_ms} ms`,
      preset.nodes.toLocaleString("en"),
      preset.ids_per_tick.toLocaleString("en"),
      day(preset.end_ms),
      day(preset.signed_end_ms),
      preset.options.map((option) => `\`${option}\``).join(", ") || "none",
    ]),
  );
}

/** The columns of an encoding that fit beside each other in a comment. */
function encodingColumns() {
  return encodings.map(({ name, digits, lengths: [min, max], sortable }) => [
    `\`${name}\``,
    `\`${ranges(digits)}\``,
    min === max ? `${max}` : `${min} to ${max}`,
    sortable ? "yes" : "no",
  ]);
}

function encodingsTable() {
  const rows = encodingColumns().map((row, i) => [...row, encodings[i].sentence]);
  return table([...ENCODING_HEAD, "writes"], rows);
}

/**
 * Digits with a range for each run of four or more, as in `0-9a-z`.
 *
 * @param {string} digits
 */
function ranges(digits) {
  const codes = [...digits].map((digit) => digit.charCodeAt(0));
  let text = "";
  for (let first = 0, end = 1; first < codes.length; first = end++) {
    while (codes[end] === codes[end - 1] + 1) end++;
    text += end - first < 4 ? digits.slice(first, end) : `${digits[first]}-${digits[end - 1]}`;
  }
  return text;
}

/** @param {string} sources */
function writtenFrom(sources) {
  return `// \`npm run docs\` writes this file from ${sources}.\n\n`;
}

function namesOfTypes() {
  const union = (/** @type {{ name: string }[]} */ rows) =>
    rows.map(({ name }) => `\n  | "${name}"`).join("");
  const lines = table(ENCODING_HEAD, encodingColumns()).trimEnd().replace(/^/gm, " * ");
  return `${writtenFrom("src/text/encoding.rs and src/preset/")}/**
 * How an id is written as text. \`base64url-bytes\` writes its eight bytes, and all others write its
 * number in these digits.
 *
${lines}
 *
 * An encoding with a fixed number of characters pads with leading zeros. \`parse\` reads leading
 * zeros up to the most characters in every encoding, and their absence in all except
 * \`base64url-bytes\`.
 */
export type Encoding =${union(encodings)};

/** A name that \`Layout.preset\` knows. */
export type PresetName =${union(presets)};
`;
}

function encodingsOfFakes() {
  const rows = encodings.map(
    ({ name, digits, lengths: [min] }) => `  ["${name}", "${digits}", ${min}],\n`,
  );
  return `${writtenFrom("src/text/encoding.rs")}/** Each encoding with its digits, and the fewest characters that it writes. */
export const ENCODINGS = /** @type {[string, string, number][]} */ ([
${rows.join("")}]);
`;
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
