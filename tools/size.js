// node tools/size.js [names]: the size of the built modules by part, and whether they keep their
// budgets. With names: the largest functions of the parts whose names begin so, such as core::fmt.

import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { root } from "./paths.js";
import { fail } from "./run.js";
import { functions, sections } from "./wasm.js";

const KIB = 1024;

const modules = [
  {
    title: "Worker",
    shipped: join(root, "build", "worker", "index_bg.wasm"),
    named: join(root, "build", "names", "worker.wasm"),
    gzipMax: 130 * KIB,
  },
];

/** Parts below this many bytes are added up. */
const PART_MIN = 512;
const FUNCTIONS_SHOWN = 40;

/** A crate, or of the standard library a module too. */
const CRATES = /\b(core|alloc|std)::(\w+)|\b([a-z]\w+)(?=::)/;

const asked = process.argv.slice(2);
let isOver = false;
for (const module of modules) {
  if (!existsSync(module.named))
    fail(`${relative(root, module.named)} is not there: npm run build`);
  report(module);
}
process.exit(isOver ? 1 : 0);

/** @param {(typeof modules)[number]} module */
function report({ title, shipped, named, gzipMax }) {
  const wasm = readFileSync(shipped);
  const defined = functions(readFileSync(named)).map(({ name, code }) => ({
    name: readable(name),
    part: partOf(readable(name)),
    bytes: code.length,
    codes: [code],
  }));
  if (asked.length > 0) {
    const wanted = defined.filter(({ part }) => asked.some((start) => part.startsWith(start)));
    for (const { name, bytes } of largest(wanted).slice(0, FUNCTIONS_SHOWN)) line(bytes, 0, name);
    return;
  }

  const rest = sections(wasm).filter(({ name }) => name !== "code");
  const parts = Object.entries(Object.groupBy(defined, ({ part }) => part)).map(
    ([name, members = []]) => {
      const codes = members.flatMap((member) => member.codes);
      const bytes = codes.reduce((sum, code) => sum + code.length, 0);
      return { name, bytes, gzip: gzip(Buffer.concat(codes)) };
    },
  );
  const all = [
    ...parts,
    ...rest.map(({ name, whole }) => ({
      name: `(${name})`,
      bytes: whole.length,
      gzip: gzip(whole),
    })),
  ];
  const [shown, small] = [all.filter(isLarge), all.filter((part) => !isLarge(part))];
  const sum = (/** @type {"bytes" | "gzip"} */ of) =>
    small.reduce((sum, part) => sum + part[of], 0);
  console.log(`${title}: ${defined.length} functions; a part's gzip is that of the part alone\n`);
  console.log("   bytes     gzip  part");
  for (const { name, bytes, gzip } of largest(shown)) line(bytes, gzip, name);
  line(sum("bytes"), sum("gzip"), `(${small.length} smaller ones)`);

  const total = gzip(wasm);
  const brotli = brotliCompressSync(wasm).length;
  const over = total > gzipMax;
  isOver ||= over;
  console.log(`
${whole(wasm.length)} bytes, ${whole(brotli)} with brotli, ${whole(total)} with gzip
${over ? "OVER the budget: at most" : "within the budget of"} ${whole(gzipMax)} with gzip (130 KiB)`);
}

/** @param {{ bytes: number }} part */
function isLarge({ bytes }) {
  return bytes >= PART_MIN;
}

/** @template {{ bytes: number }} T @param {T[]} parts */
function largest(parts) {
  return parts.toSorted((a, b) => b.bytes - a.bytes);
}

/** @param {number} bytes @param {number} gzip @param {string} name */
function line(bytes, gzip, name) {
  const columns = [bytes, gzip].map((value) => (value === 0 ? "" : whole(value)).padStart(8));
  console.log(`${columns.join(" ")}  ${name}`);
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

/** @param {Buffer} bytes */
function gzip(bytes) {
  return gzipSync(bytes, { level: 9 }).length;
}

/** @param {number} value */
function whole(value) {
  return value.toLocaleString("en");
}
