// Generates the npm package's types from tables in Rust: the names that Rust defines, and the
// objects that the HTTP API accepts and returns.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTables } from "./tables.js";

/**
 * A schema of the OpenAPI file.
 *
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string | string[]} [type]
 * @property {unknown[]} [enum]
 * @property {string} [description]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {boolean} [additionalProperties]
 */

/** The schemas that become types. `RENAMED` has the types that are not named like their schemas. */
const SCHEMAS = ["DecodedId", "Reading", "UnixTime", "Warning", "Sequencer", "Configuration"];
const RENAMED = new Map([
  ["Sequencer", "SequencerStatus"],
  ["Configuration", "SequencerOptions"],
]);

/**
 * Writes the types, and the constant `UNREADABLE`, which names.d.ts declares.
 *
 * @param {string} dist
 */
export function buildTypes(dist) {
  const tables = readTables();
  writeFileSync(join(dist, "names.d.ts"), namesOf(tables));
  writeFileSync(join(dist, "names.js"), `export const UNREADABLE = ${tables.unreadable};\n`);
  const { schemas } = tables.openapi.components;
  const types = SCHEMAS.map((name) => {
    const type = `export interface ${RENAMED.get(name) ?? name} ${typeOf(schemas[name])}`;
    return `${comment(schemas[name].description)}${type}\n`;
  });
  const imported = 'import type { Encoding } from "./names.js";\n';
  writeFileSync(join(dist, "schemas.d.ts"), [imported, ...types].join("\n"));
}

/** @param {import("./tables.js").Tables} tables */
function namesOf({ codes, encodings, events, presets, settings, states }) {
  const variables = settings.map(({ name, default: text, meaning }) => {
    const plain = meaning.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const sentences = text === null ? plain : `${plain} The default is \`${text}\`.`;
    return `  ${comment(sentences)}  ${name}?: string;\n`;
  });
  const meanings = states.map(({ name, meaning }) => `- \`${name}\`: ${meaning}`);
  return `/**
 * The name of a way to write an id as text; \`docs/LAYOUTS.md\` has a table of their digits. An
 * encoding with a fixed number of characters pads with leading zeros. \`parse\` reads leading zeros
 * up to the most characters in every encoding, and their absence in all except \`base64url-bytes\`.
 */
export type Encoding = ${union(encodings)};

/** The name of a layout that \`Layout.preset\` knows. */
export type PresetName = ${union(presets)};

/** The name of an event in the log. */
export type EventName = ${union(events)};

/** The HTTP status of an answer if an object cannot read its storage. */
export declare const UNREADABLE: number;

/** The code of an \`EdgeflakeError\`; \`docs/API.md\` explains each. */
export type ErrorCode = ${union(codes.filter(({ npm }) => npm))};

${comment(["The state of a `LeasedGenerator`.", "", ...meanings].join("\n"))}\
export type LeaseState = ${union(states)};

/**
 * The variables and secrets that the objects and the Worker read. edgeflake refuses a variable that
 * it does not know if the name begins with \`EDGEFLAKE_\`.
 *
 * \`wrangler types\` declares the variables in your configuration. Declare the secrets yourself:
 *
 * \`\`\`ts
 * declare namespace Cloudflare {
 *   interface Env extends Pick<Variables, "EDGEFLAKE_ADMIN_TOKEN"> {}
 * }
 * \`\`\`
 */
export interface Variables {
${variables.join("")}}
`;
}

/** @param {{ name: string }[]} rows */
function union(rows) {
  return rows.map(({ name }) => JSON.stringify(name)).join(" | ");
}

/** @param {string | undefined} text */
function comment(text) {
  return text === undefined ? "" : `/**\n * ${text.replaceAll("\n", "\n * ")}\n */\n`;
}

/** @param {Schema} schema @returns {string} */
function typeOf({ $ref, type, enum: values, items, properties, required, additionalProperties }) {
  if ($ref !== undefined) return `${$ref.split("/").at(-1)}`;
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(type))
    return type.map((one) => typeOf({ type: one, properties, required })).join(" | ");
  if (type === "array" && items) return `${typeOf(items)}[]`;
  if (type === "integer") return "number";
  if (!properties) return `${type}`;
  // A caller may pass undefined for an option, but answers have no undefined properties.
  const isOption = additionalProperties === false;
  const members = Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required?.includes(name);
    const key = `${JSON.stringify(name)}${isOptional ? "?" : ""}`;
    const end = isOption && isOptional ? " | undefined" : "";
    return `${comment(schema.description)}${key}: ${typeOf(schema)}${end};\n`;
  });
  return `{\n${members.join("")}}`;
}
