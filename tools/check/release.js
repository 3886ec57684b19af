// node tools release:check [--offline]: whether what is here can be published, as cargo and npm see
// it. Publishes nothing. Offline, crates.io is not asked, and changes that are not committed may be
// there.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../command/arguments.js";
import { root } from "../command/paths.js";
import { fail, run } from "../command/run.js";
import { setup } from "../setup/setup.js";

/** The crates that are published, in the order in which they need each other. */
const crates = ["edgeflake", "edgeflake-wire"];

const { offline } = readArguments({ options: { offline: { type: "boolean" } } }).values;

checkVersions();
await setup();
run("node", ["tools", "build", "package"]);
if (offline) {
  const packages = crates.map((crate) => `--package=${crate}`);
  run("cargo", ["package", "--quiet", "--offline", "--allow-dirty", ...packages]);
} else {
  // All that are not `publish = false`.
  run("cargo", ["publish", "--quiet", "--workspace", "--dry-run"]);
}
run("npm", ["publish", "--dry-run", ...(offline ? ["--offline"] : [])], {
  cwd: join(root, "packages", "edgeflake"),
});

/** Crates, package, changelog and tag say one version; the metadata says where they are from. */
function checkVersions() {
  const cargo = read("Cargo.toml");
  const npm = JSON.parse(read("packages/edgeflake/package.json"));
  const version = cargo.match(/\[workspace\.package\]\nversion = "(.+)"/)?.[1];
  const required = [...cargo.matchAll(/path = .+?, version = "(.+?)"/g)].map(([, found]) => found);
  for (const found of [npm.version, ...required]) {
    if (found !== version) fail(`version ${found} beside ${version} in Cargo.toml: one is allowed`);
  }

  // Set by GitHub's machines.
  const { GITHUB_REF_TYPE, GITHUB_REF_NAME, GITHUB_REPOSITORY } = process.env;
  if (GITHUB_REF_TYPE !== "tag") return;
  if (GITHUB_REF_NAME !== `v${version}`) {
    fail(`the tag is ${GITHUB_REF_NAME}: v${version} is allowed`);
  }
  const repository = `https://github.com/${GITHUB_REPOSITORY}`;
  for (const found of [cargo.match(/repository = "(.+)"/)?.[1], npm.repository.url]) {
    if (!found?.replace(/^git\+|\.git$/g, "").endsWith(repository)) {
      fail(`the repository is ${found}: ${repository} is allowed`);
    }
  }
  if (!read("CHANGELOG.md").includes(`\n## ${version} `)) {
    fail(`CHANGELOG.md has no section ${version}`);
  }
}

/** @param {string} file */
function read(file) {
  return readFileSync(join(root, file), "utf8");
}
