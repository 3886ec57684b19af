// Reads the Rust tables from which documents and types are generated.

import { fail, output } from "../command/run.js";

/**
 * @typedef {object} Tables the JSON that worker/examples/tables.rs prints
 * @property {Code[]} codes
 * @property {{ name: string, digits: string, lengths: [min: number, max: number], others: string,
 *   allowed: string, sortable: boolean, sentence: string }[]} encodings
 * @property {{ name: string, level: string, meaning: string }[]} events
 * @property {{ name: string, help: string }[]} metrics
 * @property {{ name: string, options: string[], layout: string, epoch_ms: number, tick_ms: number,
 *   nodes: number, ids_per_tick: number, end_ms: number, signed_end_ms: number }[]} presets
 * @property {{ method: string, path: string, summary: string, secret: string | null,
 *   weight: number | "ids" | null }[]} routes
 * @property {{ components: { schemas: Record<string, import("./types.js").Schema> } }} openapi
 * @property {Setting[]} settings
 * @property {number} unreadable the HTTP status of an object that cannot read its storage
 * @property {{ name: string, meaning: string }[]} states
 *
 * @typedef {object} Code
 * @property {string} name
 * @property {"later" | "after-change" | "never"} retry
 * @property {boolean} rust whether a crate returns it
 * @property {boolean} npm whether the npm package throws it
 * @property {{ statuses: [status: number, to: string][] } | null} http
 * @property {string} cause
 * @property {string} remedy
 * @property {string} alerts
 *
 * @typedef {object} Setting
 * @property {string} name
 * @property {"bound" | "sequencer" | "worker" | "secret"} scope
 * @property {string} allowed
 * @property {string | null} default
 * @property {string} meaning in Markdown, with links as in docs/
 */

/** @returns {Tables} */
export function readTables() {
  const printer = ["run", "--quiet", "--package=edgeflake-worker", "--example=tables"];
  const printed = output("cargo", printer);
  return JSON.parse(
    printed ?? fail(`cannot read the tables; to see why, run: cargo ${printer.join(" ")}`),
  );
}
