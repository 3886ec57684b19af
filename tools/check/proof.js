// node tools proof [--every] [--drop NAME] [--decisions N] [--seed S]: checks the proof in
// docs/DESIGN.md. It checks the lemmas on the real code, in all states of a small domain. It makes
// N random decisions with the Rust, and checks that the rules transcribed in tests/proof decide the
// same. A solver then checks that the invariant is inductive. With --drop, the solver leaves out
// the hypothesis NAME, and must fail. With --every, it leaves out each hypothesis in turn, and must
// fail each time.

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

/** Fails at the first random decision in which the transcription and the Rust differ. */
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
