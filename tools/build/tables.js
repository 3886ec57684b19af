// Reads the Rust tables from which documents and types are generated.

import { fail, output } from "../command/run.js";

/**
 * @typedef {object} Tables the JSON that worker/examples/tables.rs prints
 * @property {Code[]} codes
 * @property {Encoding[]} encodings
 * @property {{ name: string, level: string, meaning: string }[]} events
 * @property {{ name: string, help: string }[]} metrics
 * @property {Preset[]} presets
 * @property {Route[]} routes
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
 * @typedef {object} Encoding
 * @property {string} name
 * @property {string} digits
 * @property {[number, number]} lengths
 * @property {string} others further readable characters, each followed by the digit it stands for
 * @property {string} allowed
 * @property {boolean} sortable
 * @property {string} sentence
 *
 * @typedef {object} Preset
 * @property {string} name
 * @property {string} title
 * @property {string[]} options
 * @property {string} layout
 * @property {number} epoch_ms
 * @property {number} tick_ms
 * @property {number} nodes
 * @property {number} ids_per_tick
 * @property {number} end_ms
 * @property {number} signed_end_ms
 *
 * @typedef {object} Route
 * @property {string} method
 * @property {string} path
 * @property {string} summary
 * @property {string | null} secret the least powerful secret that opens the route
 * @property {number | "ids" | null} weight the units of the rate limit that a request uses
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
