// node tools dev [wrangler's arguments]: serves the Worker and the page on this machine.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bin, root } from "../command/paths.js";
import { installNpmPackages } from "../setup/npm.js";
import { installRust } from "../setup/rust.js";
import { prepareEnvironment } from "../setup/setup.js";

const args = process.argv.slice(2);

prepareEnvironment();
process.env.EDGEFLAKE_PROFILE = "development";
await Promise.all([
  installNpmPackages(root, { production: true }),
  installRust().then(compileFirst),
]);

/** Compiles modules while npm installs packages. wrangler.toml's build command builds the rest. */
async function compileFirst() {
  if (process.env.EDGEFLAKE_BUILT) return;
  const { compileAll, isCompiled, modules } = await import("../build/compile.js");
  const { story, ids, worker } = modules;
  if (!isCompiled(worker)) console.log("build: compiles the Worker, once (about 1 minute)");
  await compileAll([worker, ids, story]);
}

const { port = "8787" } = parseArgs({
  args,
  options: { port: { type: "string" } },
  strict: false,
}).values;
console.log(
  `When wrangler says "Ready", run: curl -X POST 'http://localhost:${port}/v1/ids?count=3'`,
);

// wrangler first runs the build command of wrangler.toml.
const wrangler = spawn(
  join(bin, "wrangler"),
  // On your own machine, callers need no token to get ids or to read, so you can try edgeflake
  // without setting a secret.
  ["dev", "--var", "EDGEFLAKE_PUBLIC_ISSUE:true", "--var", "EDGEFLAKE_PUBLIC_READ:true", ...args],
  { cwd: root, stdio: "inherit" },
);
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => wrangler.kill(signal));
}
wrangler.on("exit", (code) => process.exit(code ?? 1));
