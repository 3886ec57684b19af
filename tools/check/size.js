// node tools size [names]: prints the size of each entry point of the npm package beside its
// budget, and the sizes of the Worker's and the authority's modules by part. With names, it lists
// the largest functions of the parts whose names begin with one of these names, such as core::fmt.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { readArguments } from "../command/arguments.js";
import { esbuild, root } from "../command/paths.js";
import { fail, run } from "../command/run.js";

const home = join(root, "packages", "edgeflake");
const dist = join(home, "dist");

const KIB = 1024;

/**
 * An entry point as one kind of user loads it.
 *
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} as how the entry point is loaded, or which part of it is measured
 * @property {number} gzipMax in bytes
 * @property {string[]} [files] relative to the package's directory
 * @property {string} [bundle] a file relative to the package's directory, which esbuild bundles
 * @property {string} [imports] the only name that the program imports; by default, all names
 */

/**
 * The entry points with their size budgets, which leave some room for changes. A Worker may be
 * larger, because Cloudflare accepts 3 MB and no user waits until a Worker is loaded, whereas each
 * visitor of a page loads the npm module.
 *
 * @type {Entry[]}
 */
const entries = [
  { name: "edgeflake", as: "module", gzipMax: 26 * KIB, files: ["dist/edgeflake_bg.wasm"] },
  {
    name: "edgeflake",
    as: "minified bundle",
    gzipMax: 36 * KIB,
    bundle: "dist/entrypoints/inline.js",
  },
  {
    name: "edgeflake/js",
    as: "minified bundle",
    gzipMax: 56 * KIB,
    bundle: "dist/entrypoints/js.js",
  },
  {
    name: "edgeflake/light",
    as: "minified bundle",
    gzipMax: 4 * KIB,
    bundle: "dist/entrypoints/light.js",
  },
  {
    name: "edgeflake/light",
    as: "isId alone, minified",
    gzipMax: 2 * KIB,
    bundle: "dist/entrypoints/light.js",
    imports: "isId",
  },
  {
    name: "edgeflake/public",
    as: "minified bundle",
    gzipMax: 6 * KIB,
    bundle: "dist/entrypoints/public.js",
  },
  {
    name: "edgeflake/testing",
    as: "minified bundle",
    gzipMax: 3 * KIB,
    bundle: "dist/entrypoints/testing.js",
  },
  {
    name: "edgeflake/lease",
    as: "module",
    gzipMax: 37 * KIB,
    files: ["dist/edgeflake_lease_bg.wasm"],
  },
  {
    name: "edgeflake/lease",
    as: "minified bundle",
    gzipMax: 48 * KIB,
    bundle: "dist/entrypoints/lease/inline.js",
  },
  {
    name: "edgeflake/postgres",
    as: "module",
    gzipMax: 36 * KIB,
    files: ["dist/edgeflake_postgres_bg.wasm"],
  },
  {
    name: "edgeflake/postgres",
    as: "minified bundle",
    gzipMax: 42 * KIB,
    bundle: "dist/entrypoints/postgres/inline.js",
  },
  {
    name: "edgeflake/worker",
    as: "all uploaded files",
    gzipMax: 220 * KIB,
    files: uploaded("worker"),
  },
  {
    name: "edgeflake/authority",
    as: "all uploaded files",
    gzipMax: 110 * KIB,
    files: uploaded("authority"),
  },
];

/** The modules for Workers. The path `named` leads to a copy with function names. */
const modules = ["worker", "authority"].map((name) => ({
  title: `edgeflake/${name}`,
  file: join(dist, name, "index_bg.wasm"),
  named: join(root, "build", "names", `${name}.wasm`),
}));

/** Parts smaller than this number of bytes are printed as one sum. */
const PART_MIN = 512;
const FUNCTIONS_SHOWN = 40;

/** Matches a crate, or for the standard library a crate and a module. */
const CRATES = /\b(core|alloc|std)::(\w+)|\b([a-z]\w+)(?=::)/;

const { positionals: asked } = readArguments({ allowPositionals: true });
if (!existsSync(join(dist, "worker"))) fail("the package is not built: npm run build");
if (asked.length === 0) reportEntries();
for (const module of modules) reportModule(module);

/**
 * Prints the size of each entry point beside its budget. The command fails if a size is too large.
 */
function reportEntries() {
  console.log("    gzip  at most  entry");
  for (const entry of entries) {
    const gzip = gzipOf(entry);
    const isOver = gzip > entry.gzipMax;
    if (isOver) process.exitCode = 1;
    const [found, most] = [whole(gzip).padStart(8), whole(entry.gzipMax).padStart(7)];
    console.log(
      `${found}  ${most}  ${entry.name}: ${entry.as}${isOver ? " (OVER its budget)" : ""}`,
    );
  }
  console.log();
}

/** @param {(typeof modules)[number]} module */
function reportModule({ title, file, named }) {
  if (!existsSync(named)) fail(`${relative(root, named)} is not there: npm run build`);
  const wasm = readFileSync(file);
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
  const all = [
    ...parts,
    { name: "(data)", bytes: data },
    { name: "(everything else)", bytes: rest },
  ];
  const small = all.filter((part) => !isLarge(part));
  console.log(`${title}: ${functions.length} functions\n`);
  console.log("   bytes  part");
  for (const { name, bytes } of largest(all.filter(isLarge))) line(bytes, name);
  line(sum(small), `(${small.length} smaller ones)`);

  const brotli = brotliCompressSync(wasm).length;
  console.log(`
${whole(wasm.length)} bytes of WebAssembly, ${whole(brotli)} with brotli
`);
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
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", script],
    { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 },
  );
  const functions = [...stdout.matchAll(/^func: (.*)\n \[binary-bytes\] *: (\d+)/gm)].map(
    ([, found, bytes]) => {
      const name = readable(found);
      return { name, part: partOf(name), bytes: Number(bytes) };
    },
  );
  const data = Number(stdout.match(/^ \[memory-data\] *: (\d+)/m)?.[1]);
  if (status !== 0 || functions.length === 0) fail(`Binaryen did not measure ${file}: ${stderr}`);
  return { functions, data };
}

/** @param {{ bytes: number }[]} parts */
function sum(parts) {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** @param {{ bytes: number }} part */
function isLarge({ bytes }) {
  return bytes >= PART_MIN;
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
 * Removes the hashes from a name, such as `core[c5930c85a12de822]::fmt::write` or
 * `f::h26e523bbd4b24b00`.
 *
 * @param {string} name
 */
function readable(name) {
  return name.replaceAll(/\[[0-9a-f]{16}\]|::h[0-9a-f]{16}(?=$|[[.])/g, "");
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

/** Returns the gzipped size of an entry point. @param {Entry} entry */
function gzipOf({ files = [], bundle, imports = "*" }) {
  const found = files.map((file) => readFileSync(join(home, file)));
  if (bundle) found.push(bundled(bundle, imports));
  return found.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
}

/** Lists the files of a Worker that wrangler uploads. @param {string} name */
function uploaded(name) {
  return ["glue.js", "index.js", "index_bg.wasm"].map((file) => `dist/${name}/${file}`);
}

/** Bundles an export, or `*`, for browsers. @param {string} file @param {string} name */
function bundled(file, name) {
  const directory = mkdtempSync(join(tmpdir(), "edgeflake-size-"));
  try {
    const [program, output] = ["program.js", "bundle.js"].map((file) => join(directory, file));
    const exported = name === "*" ? name : `{ ${name} }`;
    writeFileSync(program, `export ${exported} from ${JSON.stringify(join(home, file))};\n`);
    const options = ["--bundle", "--format=esm", "--minify", "--platform=browser"];
    run(esbuild, [program, ...options, `--outfile=${output}`, "--log-level=warning"]);
    return readFileSync(output);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
