// node tools/docs.js: writes the parts of docs/ that are made from the code and from
// www/openapi.json.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generated, parts } from "./generated.js";
import { root } from "./paths.js";
import { run } from "./run.js";
import { setup } from "./setup.js";

setup();
run("node", ["tools/build.js", "package"]);
for (const file of new Set(parts.map(({ file }) => file))) {
  writeFileSync(join(root, file), await generated(file));
}
