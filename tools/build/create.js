// node tools create DIRECTORY [--template NAME]: creates a project as `npm create edgeflake` does,
// but with edgeflake from this checkout. The project depends on the npm package packed here; a Rust
// project depends on the crates in this checkout.
//
//   -t, --template NAME  worker (the default), hono or rust

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve, sep } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail, run } from "../command/run.js";
import { setup } from "../setup/setup.js";
import { pack } from "./published.js";

const {
  positionals: [directory, ...others],
  values: { template },
} = readArguments({
  allowPositionals: true,
  options: { template: { type: "string", short: "t", default: "worker" } },
});

if (others.length > 0)
  fail(`found ${others.join(" ")} after the directory, where only options are allowed`);
const templates = readdirSync(join(root, "examples", "templates"));
if (!templates.includes(template)) {
  fail(`no template is named ${template}; give ${templates.join(", ")}`);
}

// npm runs its scripts in the checkout, and sets INIT_CWD to the user's directory.
const cwd = process.env.INIT_CWD ?? process.cwd();
const project = resolve(cwd, directory ?? ".");
if (!relative(root, project).startsWith(`..${sep}`)) {
  fail(`${project} is in this checkout; name a directory outside of it, such as ../my-worker`);
}

const isRust = template === "rust";
const scratch = mkdtempSync(join(tmpdir(), "edgeflake-create-"));
process.once("exit", () => rmSync(scratch, { force: true, recursive: true }));
await setup();
if (!isRust) run("node", ["tools", "build", "package"]);
const tarball = isRust ? undefined : pack("edgeflake", scratch);
const create = pack("create-edgeflake", scratch);
run("tar", ["-xzf", create, "-C", scratch]);
const program = join(scratch, "package", "cli.js");
run("node", [program, project, `--template=${template}`], { cwd });

if (tarball === undefined) {
  const path = JSON.stringify(join(root, "worker", "crate"));
  replace("Cargo.toml", /^edgeflake-workers = .*/m, `edgeflake-workers = { path = ${path} }`);
} else {
  cpSync(tarball, join(project, basename(tarball)));
  replace("package.json", /"edgeflake": ".*"/, `"edgeflake": "file:${basename(tarball)}"`);
}

/** @param {string} file of the project @param {RegExp} old @param {string} line */
function replace(file, old, line) {
  const path = join(project, file);
  writeFileSync(path, readFileSync(path, "utf8").replace(old, line));
}
