// build/www: the page with its modules and styles bundled.

import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { esbuild, root } from "../command/paths.js";
import { run } from "../command/run.js";
import { modules } from "./compile.js";
import { buildModule } from "./npm-module.js";

/** Answers the directory. */
export function buildPage() {
  buildModule(modules.ids);
  const source = join(root, "www");
  const page = join(root, "build", "www");
  const wasm = "edgeflake_bg.wasm";

  rmSync(page, { force: true, recursive: true });
  cpSync(source, page, { filter: (path) => !/\.(js|css)$/.test(path), recursive: true });
  // The page imports `edgeflake/streaming` for `edgeflake`: it looks for its module beside the script
  // that loads it, which is the bundle.
  cpSync(join(root, "packages", "edgeflake", "dist", wasm), join(page, wasm));
  const options = ["--bundle", "--minify", "--log-level=warning"];
  const script = ["--format=esm", "--target=es2022", `--outfile=${join(page, "main.js")}`];
  const alias = "--alias:edgeflake=edgeflake/streaming";
  run(esbuild, [join(source, "main.js"), ...options, ...script, alias]);
  run(esbuild, [join(source, "style.css"), ...options, `--outfile=${join(page, "style.css")}`]);

  const files = ["index.html", "main.js", "style.css", wasm, "icon.svg"];
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(join(page, file)));
  // A server answers index.html as its directory, and may redirect from the name.
  const kept = files.map((file) => (file === "index.html" ? "./" : `./${file}`));
  run(esbuild, [
    join(source, "sw.js"),
    "--minify",
    `--define:FILES=${JSON.stringify(kept)}`,
    `--define:VERSION=${JSON.stringify(hash.digest("hex").slice(0, 16))}`,
    `--outfile=${join(page, "sw.js")}`,
    "--log-level=warning",
  ]);
  return page;
}
