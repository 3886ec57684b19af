// node tools simulate:scale [options]: how far it goes, in a table; see --help.

import { exitCode } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { simulation } from "./simulation-args.js";

await setup();
process.exit(exitCode("cargo", [...simulation("run", "scale"), "--", ...process.argv.slice(2)]));
