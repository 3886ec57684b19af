// node tools check [--env NAME] [--config FILE]: checks the [vars] of wrangler.toml with the code
// in worker/crate/src/settings/, as the deployed Worker does.

import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { run } from "../command/run.js";
import { setup } from "../setup/setup.js";

const { env, config } = readArguments({
  options: { config: { type: "string" }, env: { type: "string" } },
}).values;

await setup();
// Import wrangler only here, because the set-up may have to install it first.
const { unstable_readConfig: readConfig } = await import("wrangler");
const { vars } = readConfig({ config: config ?? join(root, "wrangler.toml"), env });

console.log("check: compiles the Worker's own code (a minute the first time)");
const text = (/** @type {unknown} */ value) =>
  typeof value === "string" ? value : JSON.stringify(value);
run("cargo", [
  "run",
  "--quiet",
  "--package=edgeflake-worker",
  "--example=check",
  "--",
  ...Object.entries(vars).map(([name, value]) => `${name}=${text(value)}`),
]);
console.log("the variables are valid");
