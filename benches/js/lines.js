// Measures the command line between two pipes of a shell, from its start to its end, beside a
// program that copies.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const LINES = 1_000_000;
const FIRST = 1541815603606036480n;

const cli = fileURLToPath(new URL("../../packages/edgeflake/dist/cli/cli.js", import.meta.url));
const COPY = "process.stdin.pipe(process.stdout)";

/** @type {[string, string[]][]} */
const PROGRAMS = [
  ["floor: a program that copies the lines", ["--eval", COPY]],
  ["edgeflake decode --layout twitter", [cli, "decode", "--layout", "twitter"]],
  ["edgeflake decode --layout twitter --json", [cli, "decode", "--layout", "twitter", "--json"]],
  ["edgeflake decode, in the likeliest layout", [cli, "decode"]],
];

/**
 * Runs a Node program between two pipes. It counts ids by the only line of each that does not begin
 * with a space.
 */
const PIPES = `input=$1; shift; cat "$input" | "$@" | LC_ALL=C grep -c '^[^ ]'`;

/** @param {number} rounds @returns {import("./rows.js").Measured[]} */
export function measuredLines(rounds) {
  const group = `${LINES} lines from a pipe to a pipe, a line`;
  const rows = PROGRAMS.map(([name, args]) => {
    return { group, name, args, nanos: /** @type {number[]} */ ([]) };
  });
  const folder = mkdtempSync(join(tmpdir(), "edgeflake-lines-"));
  try {
    const input = join(folder, "ids.txt");
    const ids = Array.from({ length: LINES }, (_, i) => `${FIRST + BigInt(i) * 4_194_304_001n}\n`);
    writeFileSync(input, ids.join(""));
    for (let round = 0; round < rounds; round++) {
      for (const { name, args, nanos } of rows) {
        const start = performance.now();
        const { status, stdout, stderr } = spawnSync(
          "bash",
          ["-o", "pipefail", "-c", PIPES, "bash", input, process.execPath, ...args],
          { encoding: "utf8" },
        );
        nanos.push(((performance.now() - start) * 1e6) / LINES);
        if (status !== 0 || stderr !== "" || Number(stdout) !== LINES) {
          throw new Error(`${name}: ${stdout.trim()} lines of ${LINES}, ${status}, ${stderr}`);
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return rows.map(({ name, nanos }) => ({ group, name, nanos }));
}
