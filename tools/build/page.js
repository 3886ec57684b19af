// Builds the page in build/www. Its scripts, styles and modules are in a folder that is named after
// the hash of their content, so a page never loads files of another version.

import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { root } from "../command/paths.js";
import { bundle, finish, generated, hashOf, modules } from "./compile.js";
import { buildJavaScript } from "./javascript.js";
import { buildModule } from "./npm-module.js";
import { repository } from "./published.js";

const source = join(root, "www");
const page = join(root, "build", "www");
const built = join(page, "built");

/** Files that are served unchanged. */
const COPIED = ["_headers", "icon.svg", "openapi.json"];

/** Builds the page, and returns its directory. */
export function buildPage() {
  buildModule(modules.ids);
  buildJavaScript();
  finish(modules.story);
  rmSync(page, { force: true, recursive: true });
  mkdirSync(page, { recursive: true });
  for (const file of COPIED) cpSync(join(source, file), join(page, file));

  const first = buildScripts();
  const later = readdirSync(built).filter((file) => !first.includes(file));
  const files = [...first, ...later].map((file) => join(built, file));
  const index = join(source, "index.html");
  const version = hashOf([...files, index]).slice(0, 12);
  renameSync(built, join(page, version));

  const preloads = first
    .filter((file) => file.endsWith(".js"))
    .map((file) => `<link rel="modulepreload" href="${version}/${file}" />`);
  const linked = readFileSync(index, "utf8")
    .replaceAll("%REPOSITORY%", repository)
    .replaceAll("%VERSION%", version)
    .replace("<!-- %PRELOADS% -->", preloads.join(""));
  writeFileSync(join(page, "index.html"), linked);
  const within = (/** @type {string} */ file) => `./${version}/${file}`;
  // Cache "./" instead of index.html, because some servers redirect from /index.html to the
  // directory.
  const kept = ["./", "./icon.svg", ...first.map(within)];
  bundle([
    join(source, "sw.ts"),
    `--define:FILES=${JSON.stringify(kept)}`,
    `--define:LATER=${JSON.stringify(later.map(within))}`,
    `--define:VERSION=${JSON.stringify(version)}`,
    `--outfile=${join(page, "sw.js")}`,
  ]);
  return page;
}

/** Bundles scripts and styles into `built`. Returns the files that the page loads first. */
function buildScripts() {
  const meta = join(root, "build", "www.json");
  const entries = ["main.tsx", "read/worker.ts", "css/style.css"].map((file) => join(source, file));
  const names = ["--splitting", "--entry-names=[name]", "--chunk-names=[name]-[hash]"];
  bundle([...entries, ...names, `--outdir=${built}`, `--metafile=${meta}`]);
  const wasm = `${modules.story.name}_bg.wasm`;
  cpSync(join(generated(modules.story), wasm), join(built, wasm));
  const { outputs } = JSON.parse(readFileSync(meta, "utf8"));
  const files = Object.keys(outputs);
  const named = (/** @type {string} */ name) => files.find((file) => basename(file) === name) ?? "";
  const first = new Set([named("main.js"), named("style.css")]);
  for (const file of first) {
    for (const { path, kind } of outputs[file].imports) {
      if (kind === "import-statement") first.add(path);
    }
  }
  return [...first].map((file) => basename(file));
}
