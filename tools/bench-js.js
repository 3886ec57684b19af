// node tools/bench-js.js [--json]: the npm package beside its peers.

import { join } from "node:path";
import { root } from "./paths.js";
import { run } from "./run.js";
import { installNpmPackages, setup } from "./setup.js";

setup();
installNpmPackages(join(root, "benches", "js"));
run("node", ["tools/build.js", "package"], { stdio: ["ignore", process.stderr, "inherit"] });
run("node", ["benches/js/bench.js", ...process.argv.slice(2)]);
