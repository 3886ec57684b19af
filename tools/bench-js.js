// node tools/bench-js.js: the npm package beside its peers.

import { join } from "node:path";
import { root } from "./paths.js";
import { run } from "./run.js";
import { installNpmPackages, setup } from "./setup.js";

setup();
installNpmPackages(join(root, "benches", "js"));
run("node", ["tools/build.js", "package"]);
run("node", ["benches/js/bench.js"]);
