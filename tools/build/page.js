// build/www: the page with its modules and styles bundled.

import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { esbuild, root } from "../command/paths.js";
import { run } from "../command/run.js";
import { finish, generated, modules } from "./compile.js";
import { buildJavaScript } from "./javascript.js";
import { buildModule } from "./npm-module.js";
import { repository } from "./published.js";

/** The script that the page imports when the playground is first used. */
const playground = "clock/clock.js";

/** Answers the directory. */
export function buildPage() {
  buildModule(modules.ids);
  buildJavaScript();
  const source = join(root, "www");
  const page = join(root, "build", "www");

  rmSync(page, { force: true, recursive: true });
  const rust = join(source, "clock", "module");
  const isCopied = (/** @type {string} */ path) => path !== rust && !/\.(js|css)$/.test(path);
  cpSync(source, page, { filter: isCopied, recursive: true });
  const html = join(page, "index.html");
  writeFileSync(html, readFileSync(html, "utf8").replaceAll("%REPOSITORY%", repository));
  const options = ["--bundle", "--minify", "--log-level=warning"];
  const script = ["--format=esm", "--target=es2022", `--outfile=${join(page, "main.js")}`];
  const external = `--external:./${playground}`;
  run(esbuild, [join(source, "main.js"), ...options, ...script, external]);
  run(esbuild, [join(source, "style.css"), ...options, `--outfile=${join(page, "style.css")}`]);

  const later = buildPlayground(source, page);

  const files = ["index.html", "main.js", "style.css", "icon.svg"];
  const hash = createHash("sha256");
  for (const file of [...files, ...later]) hash.update(readFileSync(join(page, file)));
  // A server answers index.html as its directory, and may redirect from the name.
  const kept = files.map((file) => (file === "index.html" ? "./" : `./${file}`));
  run(esbuild, [
    join(source, "sw.js"),
    "--minify",
    `--define:FILES=${JSON.stringify(kept)}`,
    `--define:LATER=${JSON.stringify(later.map((file) => `./${file}`))}`,
    `--define:VERSION=${JSON.stringify(hash.digest("hex").slice(0, 16))}`,
    `--outfile=${join(page, "sw.js")}`,
    "--log-level=warning",
  ]);
  return page;
}

/**
 * The playground, which the page loads on its first use. Answers its files.
 *
 * @param {string} source
 * @param {string} page
 */
function buildPlayground(source, page) {
  const { clock } = modules;
  finish(clock);
  const [glue, wasm] = [`${clock.name}.js`, `${clock.name}_bg.wasm`];
  for (const file of [glue, wasm]) {
    cpSync(join(generated(clock), file), join(page, "clock", file));
  }
  const styles = "clock/clock.css";
  run(esbuild, [
    join(source, playground),
    join(source, styles),
    "--bundle",
    "--minify",
    "--format=esm",
    "--target=es2022",
    `--alias:edgeflake-clock=./${glue}`,
    `--external:./${glue}`,
    `--outbase=${source}`,
    `--outdir=${page}`,
    "--log-level=warning",
  ]);
  return [playground, styles, `clock/${glue}`, `clock/${wasm}`];
}
