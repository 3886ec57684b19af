// Compiles packages/edgeflake/src to JavaScript and declarations in packages/edgeflake/dist.

import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { esbuild, root } from "../command/paths.js";
import { run } from "../command/run.js";

/** The entry points for workerd, which package.js bundles. */
export const WORKERD = ["workerd", "testing-workerd", "lease/workerd", "postgres/workerd"];

/**
 * Files that are not compiled by default: two files that only declare types, and the entry points
 * for workerd.
 */
const OTHERS = [
  "authority/index.ts",
  "worker/index.ts",
  ...WORKERD.map((entry) => `entrypoints/${entry}.ts`),
];

/** Folders that only ES modules in Node and Workers use; the CommonJS build omits them. */
const ESM_FOLDERS = ["authority", "cli", "entrypoints", "worker"];

/** The entry points that `require` can load. */
const CJS_ENTRIES = [
  ...["inline", "js", "light", "public", "testing"],
  ...["lease/inline", "lease/node", "postgres/inline"],
];

/** The files that wasm-bindgen makes for the modules. */
const MODULES = ["edgeflake", "edgeflake_lease", "edgeflake_postgres"];

const options = ["--target=es2022", "--log-level=warning"];

/**
 * Compiles files without bundling them.
 *
 * @param {string} [checkout]
 * @param {string[]} [files] by default, all files that package.js does not bundle
 */
export function buildJavaScript(checkout = root, files = undefined) {
  const home = join(checkout, "packages", "edgeflake");
  const source = join(home, "src");
  const chosen = files ?? sourcesIn(source).filter((file) => !OTHERS.includes(file));
  const to = [`--outbase=${source}`, `--outdir=${join(home, "dist")}`];
  run(esbuild, [...chosen.map((file) => join(source, file)), "--format=esm", ...options, ...to]);
}

/**
 * Writes the declarations, and removes the private fields of classes from the declarations.
 * Otherwise TypeScript would accept neither an instance from another copy of the package nor a fake
 * in a test.
 */
export function buildDeclarations() {
  run("tsc", ["--project", join(root, "packages", "edgeflake")]);
  const dist = join(root, "packages", "edgeflake", "dist");
  for (const file of globSync("**/*.d.ts", { cwd: dist })) {
    const path = join(dist, file);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/^ *#private;\n/gm, ""));
  }
}

/**
 * Builds the package as CommonJS, file by file, in packages/edgeflake/dist/cjs. Jest and Node
 * before 20.19 or 22.12 need CommonJS, because they cannot `require` an ES module.
 */
export function buildCommonJs() {
  const home = join(root, "packages", "edgeflake");
  const [source, dist] = [join(home, "src"), join(home, "dist")];
  const cjs = join(dist, "cjs");
  rmSync(cjs, { force: true, recursive: true });
  const isEsm = (/** @type {string} */ file) => ESM_FOLDERS.includes(file.split("/")[0]);
  const files = sourcesIn(source).filter((file) => !isEsm(file));
  files.push(...CJS_ENTRIES.map((entry) => `entrypoints/${entry}.ts`));
  const names = MODULES.flatMap((name) => [name, `${name}_inline`]);
  const generated = [...names, "edgeflake_translated"].map((name) => join(dist, `${name}.js`));
  const format = ["--format=cjs", "--minify-whitespace", "--minify-syntax", ...options];
  const to = `--outdir=${cjs}`;
  run(esbuild, [...files.map((file) => join(source, file)), ...format, `--outbase=${source}`, to]);
  run(esbuild, [...generated, ...format, `--outbase=${dist}`, to]);
  const types = ["names", "schemas", ...MODULES].map((name) => `${name}.d.ts`);
  for (const file of [...types, ...files.map((name) => name.replace(/ts$/, "d.ts"))])
    cpSync(join(dist, file), join(cjs, file));
  writeFileSync(join(cjs, "package.json"), '{ "type": "commonjs" }\n');
}

/** @param {string} directory */
function sourcesIn(directory) {
  return globSync("**/*.ts", { cwd: directory }).filter((file) => !file.endsWith(".d.ts"));
}
