// node tools/bench-js.js [--rounds N] [--json]: the npm package beside its peers, in Node and in
// Chromium.

import { join } from "node:path";
import { root } from "./paths.js";
import { lacking, pagePrograms, requirePrograms } from "./programs.js";
import { run } from "./run.js";
import { installNpmPackages, setup } from "./setup.js";

setup();
installNpmPackages(join(root, "benches", "js"));
if (lacking(pagePrograms).length === 0) requirePrograms(pagePrograms);
run("node", ["tools/build.js", "package"], { stdio: ["ignore", process.stderr, "inherit"] });
// Without a way to collect garbage, mitata takes a GB before each row to have it collected.
run("node", ["--expose-gc", "benches/js/bench.js", ...process.argv.slice(2)]);
