// The modules that pages and programs load, in packages/edgeflake/dist.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../command/paths.js";
import { run } from "../command/run.js";
import { copyModule, generated, isDevelopment, modules } from "./compile.js";
import { inlined } from "./inlined.js";
import { ready } from "./taken.js";

/** @param {import("./compile.js").Module} module */
export function buildModule(module) {
  if (ready(module)) {
    const wasm = join(generated(module), `${module.name}_bg.wasm`);
    const text = inlined(readFileSync(wasm));
    const inline = join(generated(module), `${module.name}_inline.js`);
    writeFileSync(inline, `export const text = ${JSON.stringify(text)};\n`);
    // Of a bundle, too, the module is beside the script.
    const url = join(generated(module), `${module.name}_url.js`);
    const expression = `new URL("${module.name}_bg.wasm", import.meta.url)`;
    writeFileSync(url, `export const url = ${expression};\n`);
    if (module === modules.ids && !isDevelopment) {
      const translated = join(generated(module), `${module.name}_translated`);
      const tool = join(root, "tools", "build", "translate.js");
      run(process.execPath, [tool, wasm, `${translated}.js`]);
      const type = `(grown: () => void) => import("./${module.name}.js").InitOutput`;
      writeFileSync(`${translated}.d.ts`, `export const instantiate: ${type};\n`);
    }
  }
  copyModule(module, join(root, "packages", "edgeflake", "dist"));
}
