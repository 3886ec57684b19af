// node tools bench:js [--rounds N] [--json]: the npm package beside its peers, in Node and in
// Chromium.

import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { run } from "../command/run.js";
import { installNpmPackages } from "../setup/npm.js";
import { lacking, pagePrograms, requirePrograms } from "../setup/programs.js";
import { setup } from "../setup/setup.js";

// They are read again, and checked, by what runs with them.
readArguments({ options: { rounds: { type: "string" }, json: { type: "boolean" } } });
await setup("lint");
await installNpmPackages(join(root, "benches", "js"));
if (lacking(pagePrograms).length === 0) requirePrograms(pagePrograms);
run("node", ["tools", "build", "package"], { stdio: ["ignore", process.stderr, "inherit"] });
// Without a way to collect garbage, mitata takes a GB before each row to have it collected.
run("node", ["--expose-gc", "benches/js/bench.js", ...process.argv.slice(2)]);
