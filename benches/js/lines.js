// The command line between two pipes, from its start to its end, beside a program that copies.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const LINES = 1_000_000;
const FIRST = 1541815603606036480n;

const cli = fileURLToPath(new URL("../../packages/edgeflake/cli.js", import.meta.url));
const COPY = "process.stdin.pipe(process.stdout)";

/** @type {[string, string[]][]} */
const PROGRAMS = [
  ["floor: a program that copies the lines", ["--eval", COPY]],
  ["edgeflake decode --layout twitter", [cli, "decode", "--layout", "twitter"]],
  ["edgeflake decode --layout twitter --json", [cli, "decode", "--layout", "twitter", "--json"]],
  ["edgeflake decode, in the likeliest layout", [cli, "decode"]],
];

/** @param {number} rounds @returns {Promise<import("./rows.js").Measured[]>} */
export async function measuredLines(rounds) {
  const input = Array.from({ length: LINES }, (_, i) => `${FIRST + BigInt(i) * 4_194_304_001n}\n`);
  const text = input.join("");
  const rows = PROGRAMS.map(([name, args]) => {
    const group = `${LINES} lines from a pipe to a pipe, a line`;
    return { group, name, args, nanos: /** @type {number[]} */ ([]) };
  });
  for (let round = 0; round < rounds; round++) {
    for (const { name, args, nanos } of rows) {
      const start = performance.now();
      const { code, ids } = await fed(args, text);
      nanos.push(((performance.now() - start) * 1e6) / LINES);
      if (code !== 0 || ids !== LINES) throw new Error(`${name}: ${ids} ids of ${LINES}, ${code}`);
    }
  }
  return rows.map(({ group, name, nanos }) => ({ group, name, nanos }));
}

/** Feeds a program, and counts the lines of its output that begin with an id. @param {string[]} args @param {string} text */
async function fed(args, text) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  let ids = 0;
  let isStart = true;
  child.stdout.on("data", (/** @type {Buffer} */ piece) => {
    // A byte that is no space follows each line feed that ends what is said of an id.
    if (isStart && piece[0] !== 0x20) ids += 1;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) {
      if (at + 1 < piece.length && piece[at + 1] !== 0x20) ids += 1;
    }
    isStart = piece.at(-1) === 10;
  });
  child.stdin.end(text);
  const [code] = await once(child, "close");
  return { code, ids };
}
