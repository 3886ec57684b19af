// A WebAssembly module as JavaScript, for platforms that run none: binaryen's wasm2js translates
// each of its instructions.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import binaryen from "binaryen";
import { bin, esbuild } from "../command/paths.js";
import { run } from "../command/run.js";

/** @typedef {{ name: string, params: binaryen.Type[], results: binaryen.Type }} Signature */

/** What modules use that wasm2js knows. */
const FEATURES = ["bulk-memory", "bulk-memory-opt", "mutable-globals", "sign-ext"];

/** The module calls it when its memory has grown. */
const IMPORT = '(import "env" "grown" (func $grown))';

// wasm2js copies a memory that grows, and leaves the views of the old one as they were. It has no
// conversion that saturates.
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

/**
 * The script of a module. Its `instantiate` takes what to call when the memory has grown, and
 * answers the exports of a new instance.
 *
 * @param {string} wasm
 * @param {string} script
 */
export function translate(wasm, script) {
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
  run(join(bin, "wasm2js"), ["-Os", "--emscripten", ...features, source, "-o", script]);
  rmSync(source);
  const translated = readFileSync(script, "utf8").replace("function instantiate", "function run");
  writeFileSync(script, translated + instantiate(exports));
  run(esbuild, [script, "--minify", "--allow-overwrite", "--log-level=warning", `--outfile=${script}`]);
}

/**
 * Removes what only the JavaScript of wasm-bindgen uses, and answers the functions that are left.
 *
 * @param {binaryen.Module} module
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
 * What wasm2js leaves to its caller: a 64-bit integer is two of 32 bits to it, of which a function
 * returns the lower one.
 *
 * @param {Signature[]} exports
 */
function instantiate(exports) {
  const wrappers = exports.filter(has64Bits).map(wrapper);
  return `
export function instantiate(grown) {
  const whole = new BigInt64Array(4);
  const halves = new Int32Array(whole.buffer);
  const setTempRet0 = (high) => {
    halves[1] = high;
  };
  const translated = run({ env: { grown, setTempRet0 } });
  return { ...translated, ${wrappers.join(", ")} };
}`;
}

/** @param {Signature} signature */
function has64Bits({ params, results }) {
  return [...params, results].includes(binaryen.i64);
}

/**
 * The function as WebAssembly would export it.
 *
 * @param {Signature} signature
 */
function wrapper({ name, params, results }) {
  let wholes = 0;
  const set = [];
  const given = params.map((type, index) => {
    if (type !== binaryen.i64) return `p${index}`;
    set.push(`whole[${wholes}] = p${index};`);
    return `halves[${2 * wholes}], halves[${2 * wholes++ + 1}]`;
  });
  const call = `translated.${name}(${given.join(", ")})`;
  const result = results === binaryen.i64 ? `halves[0] = ${call}; return whole[0];` : `return ${call};`;
  return `${name}(${params.map((_, index) => `p${index}`).join(", ")}) { ${set.join(" ")} ${result} }`;
}
