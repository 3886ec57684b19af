// node tools size [names]: the size of the built Worker and authority by part, and whether they keep
// their budgets. With names: the largest functions of the parts whose names begin so, such as core::fmt.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail } from "../command/run.js";

const KIB = 1024;

const dist = join(root, "packages", "edgeflake", "dist");

/** What a Worker uploads of each entry, and the gzipped bytes that it may have in all. */
const entries = [
  {
    title: "edgeflake/worker",
    directory: join(dist, "worker"),
    named: join(root, "build", "names", "worker.wasm"),
    gzipMax: 144 * KIB,
  },
  {
    title: "edgeflake/authority",
    directory: join(dist, "authority"),
    named: join(root, "build", "names", "authority.wasm"),
    gzipMax: 72 * KIB,
  },
];

/** Parts below this many bytes are added up. */
const PART_MIN = 512;
const FUNCTIONS_SHOWN = 40;

/** A crate, or of the standard library a module too. */
const CRATES = /\b(core|alloc|std)::(\w+)|\b([a-z]\w+)(?=::)/;

const { positionals: asked } = readArguments({ allowPositionals: true });
let isOver = false;
for (const entry of entries) {
  if (!existsSync(entry.named)) fail(`${relative(root, entry.named)} is not there: npm run build`);
  report(entry);
}
process.exit(isOver ? 1 : 0);

/** @param {(typeof entries)[number]} entry */
function report({ title, directory, named, gzipMax }) {
  const wasm = readFileSync(join(directory, "index_bg.wasm"));
  const scripts = ["index.js", "glue.js"].map((file) => readFileSync(join(directory, file)));
  const script = Buffer.concat(scripts);
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

  const [ofWasm, ofScript] = [wasm, script].map((bytes) => gzipSync(bytes, { level: 9 }).length);
  const total = ofWasm + ofScript;
  const brotli = brotliCompressSync(wasm).length;
  const over = total > gzipMax;
  isOver ||= over;
  console.log(`
${whole(wasm.length)} bytes of WebAssembly, ${whole(brotli)} with brotli, ${whole(ofWasm)} with gzip
${whole(script.length)} bytes of JavaScript, ${whole(ofScript)} with gzip
${over ? "OVER the budget: at most" : "within the budget of"} ${whole(gzipMax)} with gzip in all (${gzipMax / KIB} KiB); ${whole(total)}
`);
}

/**
 * The bytes of each function and of the data, as Binaryen counts them. It prints them, so it runs
 * in a process of its own; and without exports, because for each of these it would count what could
 * be removed without it, which takes a minute.
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
 * Without the hashes in it: `core[c5930c85a12de822]::fmt::write` and `f::h26e523bbd4b24b00`.
 *
 * @param {string} name
 */
function readable(name) {
  return name.replaceAll(/\[[0-9a-f]{16}\]|::h[0-9a-f]{16}(?=$|[[.])/g, "");
}

/**
 * The crate whose name comes first: of `<T as Trait>::f` that of T, of a primitive type that of the
 * trait. What one crate inlines from another counts as its own.
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
