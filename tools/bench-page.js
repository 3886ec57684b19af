// node tools/bench-page.js: the page as `npm run dev` serves it.

import { join } from "node:path";
import { root } from "./paths.js";
import { run } from "./run.js";
import { installNpmPackages, setup } from "./setup.js";

setup();
installNpmPackages(join(root, "benches", "page"));
run("node", ["tools/build.js"]);
run("node", ["benches/page/bench.js"]);
