// The tables of mutants in tests/mutants, and the copies of the checkout in which they are tried.

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
 * @typedef {{ file: string, find: string, replace: string }} Replacement
 *
 * @typedef {object} Row a table of a file; tests/mutants/core.toml describes its keys
 * @property {string} name that of the table
 * @property {string} breaks
 * @property {string} [place]
 * @property {string[]} found_by
 * @property {string} [model]
 * @property {Replacement[]} [also]
 *
 * @typedef {Row & Replacement} Mutant
 */

export const KINDS = /** @type {const} */ (["core", "javascript", "worker"]);

/** Build outputs stay in a copy, so that only the files that a mutant changes are compiled again. */
const COMPILED = ["target", "build"];

/**
 * Reads a table.
 *
 * @param {typeof KINDS[number]} kind
 * @returns {Promise<Mutant[]>}
 */
export async function readMutants(kind) {
  // The commands are loaded before npm has installed anything, so this import is late.
  const { parse } = await import("smol-toml");
  const text = readFileSync(join(root, "tests", "mutants", `${kind}.toml`), "utf8");
  const { equivalent: _, ...rows } = parse(text);
  return Object.entries(rows).map(([name, row]) => ({ name, .../** @type {any} */ (row) }));
}

/**
 * Returns the files that a mutant changes, each with its present and its broken text. It throws if a
 * text to replace does not occur exactly once.
 *
 * @param {Mutant} mutant
 * @param {string} directory a checkout
 */
export function brokenTexts({ name, file, find, replace, also = [] }, directory) {
  /** @type {Map<string, { sound: string, broken: string }>} */
  const texts = new Map();
  for (const replacement of [{ file, find, replace }, ...also]) {
    const path = join(directory, replacement.file);
    if (!existsSync(path)) throw new Error(`mutant ${name}: there is no file ${replacement.file}`);
    const { sound, broken } = texts.get(path) ?? both(readFileSync(path, "utf8"));
    const parts = broken.split(replacement.find);
    if (parts.length !== 2) {
      const found = `${replacement.file} has its text ${parts.length - 1} times, allowed is once`;
      throw new Error(`mutant ${name}: ${found}: ${replacement.find}`);
    }
    texts.set(path, { sound, broken: parts.join(replacement.replace) });
  }
  return texts;
}

/** @param {string} text */
const both = (text) => ({ sound: text, broken: text });

/**
 * Breaks a copy of the checkout, and returns a function that restores it.
 *
 * @param {Mutant} mutant
 * @param {string} copy
 */
export function apply(mutant, copy) {
  const texts = brokenTexts(mutant, copy);
  for (const [path, { broken }] of texts) writeFileSync(path, broken);
  return () => {
    for (const [path, { sound }] of texts) writeFileSync(path, sound);
  };
}

/**
 * Makes a directory a copy of the checkout, with the built package and the npm packages. Files get
 * the time of the copy, because a mutant whose run was interrupted would stay compiled otherwise.
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
