// node tools docs: writes the parts of docs/ that are made from the code and from
// www/openapi.json.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { run } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { generated, parts } from "./generated.js";

readArguments({});
await setup();
run("node", ["tools", "build", "package"]);
for (const file of new Set(parts.map(({ file }) => file))) {
  writeFileSync(join(root, file), await generated(file));
}
