// Builds the modules that pages and programs load, in packages/edgeflake/dist.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../command/paths.js";
import { run } from "../command/run.js";
import { copyModule, finish, generated, isDevelopment, modules } from "./compile.js";

/** @param {import("./compile.js").Module} module */
export function buildModule(module) {
  if (finish(module)) {
    const wasm = join(generated(module), `${module.name}_bg.wasm`);
    const text = inlined(readFileSync(wasm));
    const inline = join(generated(module), `${module.name}_inline.js`);
    writeFileSync(inline, `export const text = ${JSON.stringify(text)};\n`);
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

// These numbers must be the same as in packages/edgeflake/src/module/inlined.ts. The first
// character is "#". This character and the characters after it are printable, and none of them is a
// double quote.
const FIRST = 35;
const SINGLES = 90;
const ESCAPES = 2;
const DIGITS = SINGLES + ESCAPES;

/** @param {Uint8Array} bytes */
function inlined(bytes) {
  let text = "";
  for (const byte of bytes) {
    if (byte < SINGLES) {
      text += character(byte + ESCAPES);
    } else {
      const rest = byte - SINGLES;
      text += character(Math.floor(rest / DIGITS)) + character(rest % DIGITS);
    }
  }
  return text;
}

/** @param {number} digit */
function character(digit) {
  return String.fromCharCode(FIRST + digit);
}
