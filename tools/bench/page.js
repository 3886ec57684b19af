// node tools bench:page: the page as `npm run dev` serves it.

import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { run } from "../command/run.js";
import { installNpmPackages } from "../setup/npm.js";
import { setup } from "../setup/setup.js";

readArguments({});
await setup("lint");
await installNpmPackages(join(root, "benches", "page"));
run("node", ["tools", "build"]);
run("node", ["benches/page/bench.js"]);
run("node", ["benches/page/playground.js"]);
