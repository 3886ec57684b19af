// Runs tables of calls, which are lines of JavaScript. After -> a line has its call's result, as
// `inspect` prints it, or the refusal: `code: message`, or `code in ms: message` if the error has
// `retryInMs`. "..." stands for anything.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inspect } from "node:util";
import { EdgeflakeError } from "edgeflake";

const PRINT = { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: null };

/** @param {() => unknown} call */
async function outcome(call) {
  try {
    return inspect(await call(), PRINT);
  } catch (error) {
    if (!(error instanceof EdgeflakeError)) throw error;
    const { code, message, retryInMs } = error;
    return `${code}${retryInMs === undefined ? "" : ` in ${retryInMs}`}: ${message}`;
  }
}

/**
 * Runs lines in one function.
 *
 * @param {string[]} lines
 * @param {Record<string, unknown>} names the values that the lines use, by name
 */
export async function runCalls(lines, names) {
  /** @param {string} line @param {string} result @param {() => unknown} call */
  const check = async (line, result, call) => {
    const expected = RegExp(`^${result.split("...").map(RegExp.escape).join(".*")}$`);
    assert.match(await outcome(call), expected, line);
  };
  const statements = lines.map((line) => {
    const [call, result] = line.replace(/^ *#/, "//").split(" -> ");
    if (result === undefined) return call;
    const given = [line, result].map((text) => JSON.stringify(text));
    return `await check(${given}, async () => ${call.trim()});`;
  });
  const body = `return async () => {${statements.join("\n")}\n}`;
  const run = Function(...Object.keys(names), "check", body);
  await run(...Object.values(names), check)();
}

/**
 * Adds the tests of a file. Empty lines separate the blocks of the file. The first block explains
 * the file, and each of the others is a test, whose first line is the test's name.
 *
 * @param {URL} file @param {Record<string, unknown>} names
 */
export function addTests(file, names) {
  const [, ...blocks] = readFileSync(file, "utf8").trimEnd().split("\n\n");
  for (const block of blocks) {
    const [name, ...lines] = block.split("\n");
    test(name, () => runCalls(lines, names));
  }
}
