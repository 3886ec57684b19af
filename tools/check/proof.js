// node tools proof [--every] [--drop NAME] [--decisions N] [--seed S]: what docs/DESIGN.md proves.
// The lemmas, of the real code in all states of a small domain; that their transcription in
// tests/proof decides as the Rust does, in N random decisions; and that the invariant is inductive,
// by a solver. --drop leaves one hypothesis out of that, --every each in turn: then it must fail.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail, run } from "../command/run.js";
import { pythonEnvironment } from "../setup/programs.js";
import { setup } from "../setup/setup.js";

const { values } = readArguments({
  options: {
    every: { type: "boolean", default: false },
    drop: { type: "string" },
    decisions: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
  },
});

await setup();
const folder = join(root, "tests", "proof");
const python = join(pythonEnvironment("z3-solver", join(folder, "requirements.txt")), "python");
const rust = ["proof", "--"];

run("cargo", [...rust, "lemmas"]);
await compare();
const every = values.every ? ["--every"] : [];
const drop = values.drop === undefined ? [] : ["--drop", values.drop];
run(python, ["-B", join(folder, "induction.py"), ...every, ...drop]);

/** Fails at the first random decision that the transcription and the Rust make differently. */
async function compare() {
  const decisions = spawn("cargo", [...rust, "decisions", values.seed, values.decisions], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const reads = spawn(python, ["-B", join(folder, "decisions.py")], {
    cwd: root,
    stdio: [decisions.stdout, "inherit", "inherit"],
  });
  // Without a reader, `decisions` would wait forever to write.
  reads.once("exit", (code) => code !== 0 && decisions.kill());
  const codes = await Promise.all([once(decisions, "exit"), once(reads, "exit")]);
  if (codes.some(([code]) => code !== 0))
    fail("the transcription and the Rust differ; correct the one that is wrong");
}
