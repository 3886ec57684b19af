// node tools release:check [--offline]: checks whether cargo and npm would publish this checkout.
// It publishes nothing, but packs the npm packages into build/release as they would be published.
// With --offline, it does not ask crates.io, does not compile the core for microcontrollers, and
// allows uncommitted changes.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { crates, pack, packages, repository, version } from "../build/published.js";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail, run } from "../command/run.js";
import { setup } from "../setup/setup.js";

const { offline } = readArguments({ options: { offline: { type: "boolean" } } }).values;

checkVersions();
// RFC 2606 reserves `.invalid`, so the placeholder leads to no real repository.
if (!offline && new URL(repository).hostname.endsWith(".invalid")) {
  fail(
    `the repository is ${repository}, a placeholder; write the real address in Cargo.toml, as ` +
      "`repository` of `workspace.package`",
  );
}
await setup();
run("node", ["tools", "build", "package"]);
// Use a new target directory per run, because cargo caches the unpacked sources of a version by the
// path of that directory. In the same directory, cargo would compile a crate with sources of an
// earlier run.
const target = mkdtempSync(join(root, "build", "packaging-"));
process.once("exit", () => rmSync(target, { force: true, recursive: true }));
const into = `--target-dir=${target}`;
// The packed sources are compiled with every feature, as docs.rs documents them.
const compiling = ["--quiet", "--all-features", into];
if (offline) {
  const selected = Object.keys(crates).map((crate) => `--package=${crate}`);
  run("cargo", ["package", ...compiling, "--offline", "--allow-dirty", ...selected]);
} else {
  // `--workspace` selects all crates without `publish = false`.
  run("cargo", ["publish", ...compiling, "--workspace", "--dry-run"]);
  // These processors have no 64-bit atomics.
  for (const processor of ["thumbv7em-none-eabihf", "riscv32imac-unknown-none-elf"]) {
    run("rustup", ["target", "add", processor]);
    run("cargo", ["check", "--quiet", "--package=edgeflake", `--target=${processor}`, into]);
  }
}
const packed = join(root, "build", "release");
rmSync(packed, { force: true, recursive: true });
for (const name of packages) {
  const tarball = pack(name, packed);
  run("npm", ["publish", "--dry-run", ...(offline ? ["--offline"] : []), tarball]);
}

/**
 * Checks that crates, packages, templates, changelog and tag have the same version, and that CI
 * runs in the repository that Cargo.toml names.
 */
function checkVersions() {
  const cargo = read("Cargo.toml");
  const npm = packages.map((name) => JSON.parse(read(`packages/${name}/package.json`)));
  const templates = readdirSync(join(root, "examples", "templates")).map(dependency);
  const required = [...cargo.matchAll(/path = .+?, version = "=?(.+?)"/g)].map(
    ([, found]) => found,
  );
  for (const found of [...npm.map(({ version }) => version), ...templates, ...required]) {
    if (found !== version)
      fail(`found version ${found}, but Cargo.toml has ${version}; set both to the same version`);
  }

  // GitHub Actions sets these variables.
  const { GITHUB_REF_TYPE, GITHUB_REF_NAME, GITHUB_REPOSITORY } = process.env;
  if (GITHUB_REF_TYPE !== "tag") return;
  if (GITHUB_REF_NAME !== `v${version}`) {
    fail(`the tag is ${GITHUB_REF_NAME}, but for Cargo.toml it must be v${version}`);
  }
  const own = `https://github.com/${GITHUB_REPOSITORY}`;
  if (repository !== own) fail(`Cargo.toml has the repository ${repository}, but this is ${own}`);
  if (!read("CHANGELOG.md").includes(`\n## ${version} `)) {
    fail(`CHANGELOG.md has no section ${version}; rename "Unreleased" to the version and the date`);
  }
}

/** Returns the edgeflake version that a template depends on. @param {string} template */
function dependency(template) {
  const folder = `examples/templates/${template}`;
  if (existsSync(join(root, folder, "Cargo.toml"))) {
    return read(`${folder}/Cargo.toml`).match(/^edgeflake-workers = "(.+)"$/m)?.[1];
  }
  const { dependencies } = JSON.parse(read(`${folder}/package.json`));
  return dependencies.edgeflake.replace(/^\^/, "");
}

/** @param {string} file */
function read(file) {
  return readFileSync(join(root, file), "utf8");
}
