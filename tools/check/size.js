// node tools size [names]: prints the size of each entry point of the npm package beside its
// budget, and the sizes of the Worker's and the authority's modules by part. With names, it lists
// the largest functions of the parts whose names begin with one of these names, such as core::fmt.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { readArguments } from "../command/arguments.js";
import { esbuild, root } from "../command/paths.js";
import { fail } from "../command/run.js";

const home = join(root, "packages", "edgeflake");
const dist = join(home, "dist");

const KIB = 1024;

/**
 * The entry points as users load them, with their size budgets in KiB, which leave some room for
 * changes. A Worker may be larger, because Cloudflare accepts 3 MB and no user waits until a Worker
 * is loaded, whereas each visitor of a page loads the npm module.
 *
 * @type {[name: string, as: string, gzipMaxKib: number, gzip: () => number][]}
 */
const entries = [
  ["edgeflake", "module", 26, () => gzipOf("edgeflake_bg.wasm")],
  ["edgeflake", "minified bundle", 36, () => gzipOfBundle("inline")],
  ["edgeflake/js", "minified bundle", 56, () => gzipOfBundle("js")],
  ["edgeflake/light", "minified bundle", 4, () => gzipOfBundle("light")],
  ["edgeflake/light", "isId alone, minified", 2, () => gzipOfBundle("light", "{ isId }")],
  ["edgeflake/public", "minified bundle", 6, () => gzipOfBundle("public")],
  ["edgeflake/testing", "minified bundle", 3, () => gzipOfBundle("testing")],
  ["edgeflake/lease", "module", 37, () => gzipOf("edgeflake_lease_bg.wasm")],
  ["edgeflake/lease", "minified bundle", 48, () => gzipOfBundle("lease/inline")],
  ["edgeflake/postgres", "module", 36, () => gzipOf("edgeflake_postgres_bg.wasm")],
  ["edgeflake/postgres", "minified bundle", 42, () => gzipOfBundle("postgres/inline")],
  ["edgeflake/worker", "all uploaded files", 220, () => gzipOf(...uploaded("worker"))],
  ["edgeflake/authority", "all uploaded files", 110, () => gzipOf(...uploaded("authority"))],
];

/** Parts smaller than this number of bytes are printed as one sum. */
const PART_MIN = 512;
const FUNCTIONS_SHOWN = 40;

/** Matches a crate, or for the standard library a crate and a module. */
const CRATES = /\b(core|alloc|std)::(\w+)|\b([a-z]\w+)(?=::)/;

const { positionals: asked } = readArguments({ allowPositionals: true });
if (!existsSync(join(dist, "worker"))) fail("the package is not built: npm run build");
if (asked.length === 0) reportEntries();
for (const name of ["worker", "authority"]) reportModule(name);

/**
 * Prints the size of each entry point beside its budget. The command fails if a size is too large.
 */
function reportEntries() {
  console.log("    gzip  at most  entry");
  for (const [name, as, gzipMaxKib, measure] of entries) {
    const [gzip, most] = [measure(), gzipMaxKib * KIB];
    const end = gzip > most ? " (OVER its budget)" : "";
    if (end) process.exitCode = 1;
    console.log(`${whole(gzip).padStart(8)}  ${whole(most).padStart(7)}  ${name}: ${as}${end}`);
  }
  console.log();
}

/** @param {string} module of a Worker */
function reportModule(module) {
  // This copy of the module has the names of its functions.
  const named = join(root, "build", "names", `${module}.wasm`);
  if (!existsSync(named)) fail(`${relative(root, named)} is not there: npm run build`);
  const wasm = readFileSync(join(dist, module, "index_bg.wasm"));
  const { functions, data } = measured(named);
  if (asked.length > 0) {
    const wanted = functions.filter(({ part }) => asked.some((start) => part.startsWith(start)));
    for (const { name, bytes } of largest(wanted).slice(0, FUNCTIONS_SHOWN)) line(bytes, name);
    return;
  }

  const parts = Object.entries(Object.groupBy(functions, ({ part }) => part)).map(
    ([name, members = []]) => ({ name, bytes: sum(members) }),
  );
  const rest = wasm.length - sum(functions) - data;
  parts.push({ name: "(data)", bytes: data }, { name: "(everything else)", bytes: rest });
  const small = parts.filter(({ bytes }) => bytes < PART_MIN);
  console.log(`edgeflake/${module}: ${functions.length} functions\n`);
  console.log("   bytes  part");
  for (const { name, bytes } of largest(parts)) if (bytes >= PART_MIN) line(bytes, name);
  line(sum(small), `(${small.length} smaller ones)`);

  const brotli = brotliCompressSync(wasm).length;
  console.log(`\n${whole(wasm.length)} bytes of WebAssembly, ${whole(brotli)} with brotli\n`);
}

/**
 * Returns the bytes of each function and of the data, as Binaryen counts them. Binaryen can only
 * print these numbers, so it runs in a separate process. The exports are removed first, because
 * Binaryen would also calculate for each export how much smaller the module would be without it,
 * which takes a minute.
 *
 * @param {string} file a module with the names of its functions
 */
function measured(file) {
  const script = `
    import binaryen from "binaryen";
    import { readFileSync } from "node:fs";
    const module = binaryen.readBinary(readFileSync(${JSON.stringify(file)}));
    for (let left = module.getNumExports(); left > 0; left--) {
      module.removeExport(binaryen.getExportInfo(module.getExportByIndex(0)).name);
    }
    module.runPasses(["func-metrics"]);`;
  const args = ["--input-type=module", "--eval", script];
  const options = { cwd: root, maxBuffer: 1 << 26 };
  const text = execFileSync(process.execPath, args, { ...options, encoding: "utf8" });
  const functions = [...text.matchAll(/^func: (.*)\n \[binary-bytes\] *: (\d+)/gm)].map(
    ([, found, bytes]) => {
      // Remove hashes, as in `core[c5930c85a12de822]::fmt::write` or `f::h26e523bbd4b24b00`.
      const name = found.replaceAll(/\[[0-9a-f]{16}\]|::h[0-9a-f]{16}(?=$|[[.])/g, "");
      return { name, part: partOf(name), bytes: Number(bytes) };
    },
  );
  if (functions.length === 0) fail(`Binaryen did not measure ${file}`);
  return { functions, data: Number(text.match(/^ \[memory-data\] *: (\d+)/m)?.[1]) };
}

/** @param {{ bytes: number }[]} parts */
function sum(parts) {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** @template {{ bytes: number }} T @param {T[]} parts */
function largest(parts) {
  return parts.toSorted((a, b) => b.bytes - a.bytes);
}

/** @param {number} bytes @param {string} name */
function line(bytes, name) {
  console.log(`${whole(bytes).padStart(8)}  ${name}`);
}

/**
 * Returns the crate that a function's name mentions first: for `<T as Trait>::f` the crate of T or,
 * if T is primitive, the crate of the trait. If a crate inlines code of another crate, this code
 * counts as code of the crate that inlines it.
 *
 * @param {string} name
 */
function partOf(name) {
  const [, std, module, crate] = name.match(CRATES) ?? [];
  if (std) return `${std}::${module}`;
  return crate ?? "(no crate)";
}

/** @param {number} value */
function whole(value) {
  return value.toLocaleString("en");
}

/** Lists the files of a Worker that wrangler uploads. @param {string} name */
function uploaded(name) {
  return ["glue.js", "index.js", "index_bg.wasm"].map((file) => `${name}/${file}`);
}

/** @param {string[]} files of dist */
function gzipOf(...files) {
  return files.reduce((sum, file) => sum + compressed(readFileSync(join(dist, file))), 0);
}

/** Bundles an entry point, or one of its exports, for browsers. @param {string} entry */
function gzipOfBundle(entry, exported = "*") {
  const input = `export ${exported} from "./dist/entrypoints/${entry}.js";\n`;
  const options = ["--bundle", "--format=esm", "--minify", "--platform=browser"];
  return compressed(execFileSync(esbuild, options, { cwd: home, input }));
}

/** @param {Buffer} content */
function compressed(content) {
  return gzipSync(content, { level: 9 }).length;
}
