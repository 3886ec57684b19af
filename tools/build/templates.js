// Copies the templates and the licences into create-edgeflake's directory, because its npm package
// contains them. The package's script `prepack` runs this file.

import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../command/paths.js";
import { absoluteLinks } from "./published.js";

const home = join(root, "packages", "create-edgeflake");
const source = join(root, "examples", "templates");
const target = join(home, "templates");

/** Matches files that remain in a template's folder after someone tried the template there. */
const IGNORED = /(^|[/\\])(node_modules|build|target|Cargo\.lock|\.wrangler|\.dev\.vars.*)$/;

/** Matches the lines of a README that only Cloudflare's gallery and dashboard use. */
const GALLERY = /^<!-- dash-content-.*\n\n?/gm;

/**
 * Matches the README's passage on creating a project from the template, which is removed because a
 * created project does not need it.
 */
const CREATION = /To create a project from this template[\s\S]*Then start it/;

rmSync(target, { force: true, recursive: true });
cpSync(source, target, { filter: (file) => !IGNORED.test(file), recursive: true });
for (const template of readdirSync(target)) {
  const file = (/** @type {string} */ name) => join(target, template, name);
  // npm never packs a .gitignore, and omits the files that a .gitignore lists.
  renameSync(file(".gitignore"), file("gitignore"));
  const { cloudflare: _, ...manifest } = JSON.parse(readFileSync(file("package.json"), "utf8"));
  writeFileSync(file("package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const readme = readFileSync(file("README.md"), "utf8");
  writeFileSync(
    file("README.md"),
    absoluteLinks(readme, `examples/templates/${template}`)
      .replace(GALLERY, "")
      .replace(CREATION, "Start the Worker"),
  );
}
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) {
  cpSync(join(root, name), join(home, name));
}
