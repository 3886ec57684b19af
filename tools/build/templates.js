// Copies what npm packs for create-edgeflake and what lies outside its directory: the templates and
// the licences. Its script `prepack` runs this file.

import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../command/paths.js";
import { absoluteLinks } from "./published.js";

const home = join(root, "packages", "create-edgeflake");
const source = join(root, "examples", "templates");
const target = join(home, "templates");

/** Files that are left in a template's folder after it was tried there. */
const IGNORED = /(^|[/\\])(node_modules|build|target|Cargo\.lock|\.wrangler|\.dev\.vars.*)$/;

/** Lines of a README that only Cloudflare's gallery and dashboard read. */
const GALLERY = /^<!-- dash-content-.*\n\n?/gm;

/** How a project is created from a template, which a created project need not say. */
const CREATION = /To create a project from this template:[\s\S]*Then start it/;

rmSync(target, { force: true, recursive: true });
cpSync(source, target, { filter: (file) => !IGNORED.test(file), recursive: true });
for (const template of readdirSync(target)) {
  const file = (/** @type {string} */ name) => join(target, template, name);
  // npm packs no .gitignore, and leaves out what one ignores.
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
