// node tools environments [NAME ...] uses the npm package in these environments, or in all, as a
// user would. Each environment is one test. This needs Chromium, and a network to install the
// environments.
//
//   --keep  keeps the projects in the temporary directory, and prints their paths

import { describe, test } from "node:test";
import { pack } from "../../tools/build/published.js";
import { readArguments } from "../../tools/command/arguments.js";
import { fail, run } from "../../tools/command/run.js";
import { pagePrograms, requirePrograms } from "../../tools/setup/programs.js";
import { setup } from "../../tools/setup/setup.js";
import { temporary } from "../harness/temporary.js";
import { environments } from "./environments.js";
import { Project } from "./project.js";

const { values, positionals } = readArguments({
  allowPositionals: true,
  options: { keep: { type: "boolean", default: false } },
});

const names = positionals.length ? positionals : Object.keys(environments);
const unknown = names.find((name) => !Object.hasOwn(environments, name));
if (unknown)
  fail(`unknown environment ${unknown}; allowed: ${Object.keys(environments).join(", ")}`);

await setup("lint");
requirePrograms(pagePrograms);
run("node", ["tools", "build", "package"]);
const tarball = pack("edgeflake", temporary());

const isLinux = process.platform === "linux" && process.arch === "x64";
const NEEDS_LINUX = /^(bun|deno|node|react-native)\b/;

describe("environments", { concurrency: 2 }, () => {
  for (const name of names) {
    const environment = environments[name];
    const [version] = Object.values(environment.packages);
    const skip =
      !isLinux &&
      NEEDS_LINUX.test(name) &&
      "environments.txt has its programs only for Linux on x64";
    test(`${name}, ${version}`, { skip }, async (t) => {
      const project = new Project(name, environment, tarball);
      if (values.keep) t.diagnostic(`kept in ${project.directory}`);
      t.after(() => project.end(values.keep));
      await project.install();
      await environment.run(project);
    });
  }
});
