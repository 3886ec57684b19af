// node tools/build/translate.js MODULE SCRIPT: translates a WebAssembly module to JavaScript, for
// platforms that cannot compile WebAssembly. binaryen's wasm2js translates each instruction. The
// JavaScript is not written by hand, because it could then return other ids in rare cases, and the
// mistake would show only after such ids are stored. SCRIPT exports `instantiate`, which takes a
// function to call when the memory has grown, and returns the exports of a new instance. The module
// of `edgeflake/lease` is not translated, because wasm2js does not support functions with several
// results.
//
// This script runs as a separate process, because it imports binaryen. Other commands are loaded
// before the set-up has installed binaryen.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import binaryen from "binaryen";
import { bin, esbuild } from "../command/paths.js";
import { run } from "../command/run.js";
import { lowMemoryUnused } from "./compile.js";

/** @typedef {{ name: string, params: binaryen.Type[], results: binaryen.Type }} Signature */

const [wasm, script] = process.argv.slice(2);

/** The features that the modules use and that wasm2js supports. */
const FEATURES = ["bulk-memory", "bulk-memory-opt", "mutable-globals", "sign-ext"];

const IMPORT = '(import "env" "grown" (func $grown))';

// When the memory grows, wasm2js copies the memory, and existing views still show the old memory.
// Therefore the module calls `grown` when the memory has grown. wasm2js does not support saturating
// conversions, so `$saturated` replaces them.
const FUNCTIONS = `
  (func $grow (param $pages i32) (result i32)
    (local.set $pages (memory.grow (local.get $pages)))
    (call $grown)
    (local.get $pages))
  (func $saturated (param $number f64) (result i64)
    (if (f64.ge (local.get $number) (f64.const 18446744073709551616))
      (then (return (i64.const -1))))
    (if (f64.gt (local.get $number) (f64.const 0))
      (then (return (i64.trunc_f64_u (local.get $number)))))
    (i64.const 0))`;

const module = binaryen.readBinary(readFileSync(wasm));
module.setFeatures(binaryen.Features.All);
const exports = removeGlue(module);
const text = module
  .emitText()
  .replace("(module", `(module ${IMPORT}`)
  .replaceAll("(memory.grow", "(call $grow")
  .replaceAll("(i64.trunc_sat_f64_u", "(call $saturated")
  .replace(/\)\s*$/, `${FUNCTIONS})`);
const source = `${script}.wat`;
writeFileSync(source, text);
const features = FEATURES.map((feature) => `--enable-${feature}`);
run(join(bin, "wasm2js"), [
  "-Os",
  lowMemoryUnused,
  "--emscripten",
  ...features,
  source,
  "-o",
  script,
]);
rmSync(source);
const translated = readFileSync(script, "utf8").replace("function instantiate", "function run");
writeFileSync(script, translated + instantiate(exports));
const options = ["--minify", "--allow-overwrite", "--log-level=warning"];
run(esbuild, [script, ...options, `--outfile=${script}`]);

/**
 * Removes the exports that only wasm-bindgen's JavaScript uses, and returns the remaining
 * functions.
 *
 * @param {binaryen.Module} module @returns {Signature[]}
 */
function removeGlue(module) {
  const exports = Array.from({ length: module.getNumExports() }, (_, index) =>
    binaryen.getExportInfo(module.getExportByIndex(index)),
  );
  for (const { name } of exports) if (name.startsWith("__")) module.removeExport(name);
  module.runPasses(["remove-unused-module-elements"]);
  return exports
    .filter(({ kind, name }) => kind === binaryen.ExternalFunction && !name.startsWith("__"))
    .map(({ name, value }) => {
      const { params, results } = binaryen.getFunctionInfo(module.getFunction(value));
      return { name, params: binaryen.expandType(params), results };
    });
}

/**
 * Wraps the exports with 64-bit parameters or results. wasm2js splits a 64-bit parameter into two
 * of 32 bits, the low half first. Of a 64-bit result, the translated function returns the low half,
 * and passes the high half to `setTempRet0`.
 *
 * @param {Signature[]} exports
 */
function instantiate(exports) {
  const wrapped = exports.filter(({ params, results }) =>
    [...params, results].includes(binaryen.i64),
  );
  const longest = Math.max(...exports.map(({ params }) => params.length));
  return `
export function instantiate(grown) {
  const wholes = new BigInt64Array(${longest});
  const halves = new Int32Array(wholes.buffer);
  const setTempRet0 = (high) => {
    halves[1] = high;
  };
  const translated = run({ env: { grown, setTempRet0 } });
  return { ...translated, ${wrapped.map(wrapper)} };
}`;
}

/**
 * Returns the source of a method with the parameters and the result of WebAssembly's JavaScript
 * API.
 *
 * @param {Signature} signature
 */
function wrapper({ name, params, results }) {
  const names = params.map((_, index) => `p${index}`);
  const wholes = names.filter((_, index) => params[index] === binaryen.i64);
  const given = names.flatMap((name) => {
    const low = 2 * wholes.indexOf(name);
    return low < 0 ? name : [`halves[${low}]`, `halves[${low + 1}]`];
  });
  const split = wholes.map((name, at) => `wholes[${at}] = ${name};`).join(" ");
  const call = `translated.${name}(${given})`;
  const isWhole = results === binaryen.i64;
  const end = isWhole ? `halves[0] = ${call}; return wholes[0];` : `return ${call};`;
  return `${name}(${names}) { ${split} ${end} }`;
}
