// node tools bench:page: the page as `npm run dev` serves it.

import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { run } from "../command/run.js";
import { installNpmPackages, setup } from "../setup/setup.js";

readArguments({});
setup();
installNpmPackages(join(root, "benches", "page"));
run("node", ["tools", "build"]);
run("node", ["benches/page/bench.js"]);
