// What the modules are built from, in short. Where two checkouts have the same, so are their modules.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { root } from "../command/paths.js";

/** Directories of which no module is built, in the checkout and anywhere in it. */
const OTHERS = ["build", "docs", "fuzz"];
const ANYWHERE = ["benches", "dist", "examples", "node_modules", "target", "templates", "tests"];

const RUST = /(\.rs|^Cargo\.(toml|lock)|^rust-toolchain\.toml)$/;

/** How cargo, edgeflake-bindgen and wasm-opt are called, and what has the version of the last. */
const BUILD = ["tools/build/compile.js", "package.json"];

/** The JavaScript that is bundled around a module is no part of it. */
const AROUND = /from "edgeflake-module"/;

/** A hash of the Rust, the JavaScript that it imports, and how they are built. */
export function rustSources() {
  const hash = createHash("sha256");
  const add = (/** @type {string} */ name, /** @type {string} */ content) =>
    hash.update(`${name}\0${content.length}\0${content}`);
  for (const file of listed(root, false).sort()) {
    const content = readFileSync(join(root, file), "utf8");
    if (!file.endsWith(".js") || !AROUND.test(content)) add(file, content);
  }
  const [compile, manifest] = BUILD.map((file) => readFileSync(join(root, file), "utf8"));
  add(BUILD[0], compile);
  add("binaryen", JSON.parse(manifest).dependencies.binaryen);
  return hash.digest("hex");
}

/**
 * The files below a directory, from the root on.
 *
 * @param {string} directory
 * @param {boolean} isCrate whether it belongs to a crate that may import JavaScript
 * @returns {string[]}
 */
function listed(directory, isCrate) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      if (/^\./.test(entry.name) || ANYWHERE.includes(entry.name)) return [];
      if (directory === root && OTHERS.includes(entry.name)) return [];
      return listed(path, isCrate || existsSync(join(path, "Cargo.toml")));
    }
    const isSource = RUST.test(entry.name) || (isCrate && entry.name.endsWith(".js"));
    return isSource ? [relative(root, path).replaceAll(sep, "/")] : [];
  });
}
