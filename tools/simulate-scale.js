// node tools/simulate-scale.js [options]: how far it goes, in a table; see --help.

import { exitCode } from "./run.js";
import { setup } from "./setup.js";
import { simulation } from "./simulation.js";

setup();
process.exit(exitCode("cargo", [...simulation("run", "scale"), "--", ...process.argv.slice(2)]));
