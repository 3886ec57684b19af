// Tables of calls that are refused. Each row has a call, and the code and the message of its
// refusal. "..." stands for anything.

import assert from "node:assert/strict";
import { EdgeflakeError } from "edgeflake";

/** @param {string[]} rows @param {Record<string, unknown>} names the values that calls name */
export async function expectRefused(rows, names) {
  for (const row of rows) {
    const [call, refusal] = row.split(" -> ");
    const run = Function(...Object.keys(names), `return async () => ${call};`);
    const error = await run(...Object.values(names))().catch((/** @type {any} */ error) => error);
    assert.ok(error instanceof EdgeflakeError && error instanceof Error, row);
    const expected = RegExp(`^${refusal.split("...").map(RegExp.escape).join(".*")}$`);
    assert.match(`${error.code}: ${error.message}`, expected, row);
  }
}
