import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { root } from "../command/paths.js";
import { fail } from "../command/run.js";
import { cargoModules, installCargoTool } from "../setup/rust.js";

/** The crates that are checked. `examples/` and `benches/` have two or three files each. */
const crates = [
  "edgeflake",
  "edgeflake-wire",
  "edgeflake-worker",
  "edgeflake-authority",
  "edgeflake-workers",
  "edgeflake-wasm-ids",
  "edgeflake-wasm-lease",
  "edgeflake-clock",
];

/**
 * Fails when files of a crate import each other in a circle. cargo-modules finds what each module
 * uses, wherever a `pub use` has moved it; tsort, which every system has, finds the circles.
 *
 * That a parent declares its children with `mod` does not count. Its `pub use` of a child does, and
 * so does each type in the signature of an inherent method, for the module of the method's own
 * type.
 */
export async function checkCycles() {
  installCargoTool(cargoModules);
  const waiting = [...crates];
  await Promise.all(Array.from({ length: availableParallelism() }, checkWaiting));

  async function checkWaiting() {
    for (let crate = waiting.shift(); crate; crate = waiting.shift()) await check(crate);
  }
}

/** @param {string} crate */
async function check(crate) {
  const only = ["externs", "sysroot", "owns", "fns", "traits", "types"].map(
    (what) => `--no-${what}`,
  );
  const args = [
    "modules",
    "dependencies",
    `--package=${crate}`,
    "--lib",
    "--all-features",
    ...only,
  ];
  const child = spawn(cargoModules.path, args, { cwd: root });
  let [graph, log] = ["", ""];
  child.stdout.on("data", (part) => {
    graph += part;
  });
  child.stderr.on("data", (part) => {
    log += part;
  });
  const [code] = await once(child, "close");
  // `    "crate::a" -> "crate::b" [label="uses", ...]; // "uses" edge`
  const uses = [...graph.matchAll(/^ *"(.+)" -> "(.+)" \[label="uses"/gm)];
  if (code !== 0 || uses.length === 0) fail(`cargo-modules found no uses in ${crate}: ${log}`);

  const input = uses.map(([, from, to]) => `${from} ${to}\n`).join("");
  const { status, stderr } = spawnSync("tsort", { encoding: "utf8", input });
  if (status !== 0)
    fail(
      `files of ${crate} import each other in a circle; move what they share into a file of its own:\n${stderr}`,
    );
}
