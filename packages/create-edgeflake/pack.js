// Copies what npm packs and what lies outside this directory: the templates and the licences.

import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { absoluteLinks } from "../../tools/build/published.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const source = join(root, "examples", "templates");
const target = fileURLToPath(new URL("templates", import.meta.url));

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
  cpSync(join(root, name), fileURLToPath(new URL(name, import.meta.url)));
}
