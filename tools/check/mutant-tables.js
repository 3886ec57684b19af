// Reads the tables of mutants in tests/mutants, and applies mutants to copies of the checkout.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { copyCheckout } from "../command/checkout.js";
import { root } from "../command/paths.js";

/**
 * A row of a table; tests/mutants/core.toml describes its keys.
 *
 * @typedef {object} Mutant
 * @property {string} name
 * @property {string} place the check that finds the mutant
 * @property {string} breaks
 * @property {string[]} found_by
 * @property {string} [model]
 * @property {[file: string, texts: string[]][]} changes per file, the texts to replace, each
 * followed by its mutated text
 */

export const KINDS = /** @type {const} */ (["core", "javascript", "worker"]);

/**
 * The simulation's options, by the `place` of the mutants that it finds: most mutants of the core.
 */
export const WORLDS = new Map([
  ["simulation", []],
  ["database", ["--database"]],
]);

/** Build outputs stay in a copy, so that only files that a mutant changes are compiled again. */
const COMPILED = ["target", "build"];

/** @param {typeof KINDS[number]} kind @returns {Promise<Mutant[]>} */
export async function readMutants(kind) {
  // Import smol-toml only here, because commands are loaded before npm has installed any package.
  const { parse } = await import("smol-toml");
  const text = readFileSync(join(root, "tests", "mutants", `${kind}.toml`), "utf8");
  return Object.entries(parse(text)).flatMap(([place, rows]) =>
    Object.entries(rows).map(([name, { breaks, found_by, model, ...files }]) => {
      const changes = /** @type {any} */ (Object.entries(files));
      return { name, place, breaks, found_by, model, changes };
    }),
  );
}

/**
 * Returns the files that a mutant changes, each with its current and its mutated text. Throws if a
 * text to replace does not occur exactly once.
 *
 * @param {Mutant} mutant @param {string} directory a checkout
 */
export function brokenTexts({ name, changes }, directory) {
  return changes.map(([file, texts]) => {
    const path = join(directory, file);
    if (!existsSync(path)) throw new Error(`mutant ${name}: there is no file ${file}`);
    const sound = readFileSync(path, "utf8");
    let broken = sound;
    for (let i = 0; i < texts.length; i += 2) {
      const parts = broken.split(anySpace(texts[i]));
      if (parts.length !== 2) {
        const found = `${file} has this text ${parts.length - 1} times instead of once`;
        throw new Error(`mutant ${name}: ${found}: ${texts[i]}`);
      }
      broken = parts.join(texts[i + 1]);
    }
    return { path, sound, broken };
  });
}

/** Matches a text in which each run of spaces may be any white space. @param {string} text */
const anySpace = (text) =>
  RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/\s+/g, "\\s+"));

/**
 * Applies a mutant to a copy of the checkout, and returns a function that restores the copy.
 *
 * @param {Mutant} mutant @param {string} copy
 */
export function apply(mutant, copy) {
  const texts = brokenTexts(mutant, copy);
  for (const { path, broken } of texts) writeFileSync(path, broken);
  return () => {
    for (const { path, sound } of texts) writeFileSync(path, sound);
  };
}

/**
 * Turns a directory into a copy of the checkout, with the built package and the npm packages. Files
 * get the time of the copy as their modification time. Otherwise cargo would not recompile a file
 * that an interrupted run had left mutated.
 *
 * @param {string} copy
 */
export function makeCopy(copy) {
  mkdirSync(copy, { recursive: true });
  for (const name of readdirSync(copy)) {
    if (!COMPILED.includes(name)) rmSync(join(copy, name), { recursive: true, force: true });
  }
  copyCheckout(copy);
  const built = "packages/edgeflake/dist";
  if (existsSync(join(root, built))) {
    cpSync(join(root, built), join(copy, built), { recursive: true });
  }
  const modules = join(copy, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules"))) {
    const target = name === "edgeflake" ? join(copy, "packages") : join(root, "node_modules");
    symlinkSync(join(target, name), join(modules, name));
  }
}
