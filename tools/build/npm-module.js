// Builds the modules that pages and programs load, in packages/edgeflake/dist.

import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../command/paths.js";
import { run } from "../command/run.js";
import { finish, generated, isDevelopment, modules } from "./compile.js";

/** @param {import("./compile.js").Module} module */
export function buildModule(module) {
  const directory = generated(module);
  if (finish(module)) {
    const wasm = join(directory, `${module.name}_bg.wasm`);
    const text = inlined(readFileSync(wasm));
    const inline = join(directory, `${module.name}_inline.js`);
    writeFileSync(inline, `export const text = ${JSON.stringify(text)};\n`);
    if (module === modules.ids && !isDevelopment) {
      const translated = join(directory, `${module.name}_translated`);
      const tool = join(root, "tools", "build", "translate.js");
      run(process.execPath, [tool, wasm, `${translated}.js`]);
      const type = `(grown: () => void) => import("./${module.name}.js").InitOutput`;
      writeFileSync(`${translated}.d.ts`, `export const instantiate: ${type};\n`);
    }
  }
  cpSync(directory, join(root, "packages", "edgeflake", "dist"), {
    filter: (path) => !path.endsWith("made-from"),
    recursive: true,
  });
}

// These numbers must be the same as in packages/edgeflake/src/module/inlined.ts. The first
// character is "#". This character and the characters after it are printable, and none of them is a
// double quote.
const FIRST = 35;
const SINGLES = 90;
const ESCAPES = 2;
const DIGITS = SINGLES + ESCAPES;

/** @param {Uint8Array} bytes */
function inlined(bytes) {
  const codes = [];
  for (const byte of bytes) {
    const rest = byte - SINGLES;
    if (rest < 0) codes.push(FIRST + ESCAPES + byte);
    else codes.push(FIRST + Math.floor(rest / DIGITS), FIRST + (rest % DIGITS));
  }
  return Buffer.from(codes).toString("latin1");
}
