// node tools simulate [options]: worlds in which everything goes wrong; see --help.

import { exitCode } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { simulation } from "./simulation-args.js";

await setup();
process.exit(exitCode("cargo", [...simulation("run"), "--", ...process.argv.slice(2)]));
