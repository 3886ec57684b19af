// Ends `npm publish` where the modules were taken from another package.

import { readFileSync } from "node:fs";

const record = new URL("dist/modules.json", import.meta.url);
const { taken } = JSON.parse(readFileSync(record, "utf8"));
if (taken) {
  console.error("error: the modules were taken from a package: build with Rust to publish");
  process.exitCode = 1;
}
