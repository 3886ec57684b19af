// node tools/simulate.js [options]: worlds in which everything goes wrong; see --help.

import { exitCode } from "./run.js";
import { setup } from "./setup.js";
import { simulation } from "./simulation.js";

setup();
process.exit(exitCode("cargo", [...simulation("run"), "--", ...process.argv.slice(2)]));
