import { spawn } from "node:child_process";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../command/paths.js";
import { fail } from "../command/run.js";
import { installNpmPackages } from "./npm.js";

/** The first Node that wrangler and the linter of openapi.json run on, by their `engines`. */
export const NODE_MIN = "22.12.0";

/** @param {string} version */
export function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  const [majorMin, minorMin] = NODE_MIN.split(".").map(Number);
  return major > majorMin || (major === majorMin && minor >= minorMin);
}

/**
 * Runs this process's command again on the Node that npm installs with the other packages, and ends as
 * that one ends.
 */
export async function runOnNewNode() {
  const found = `found Node ${process.versions.node}, this repository's tools need ${NODE_MIN} or newer`;
  if (process.platform !== "linux" || !["arm64", "x64"].includes(process.arch)) {
    fail(`${found}: install it from https://nodejs.org`);
  }
  console.log(`set-up: ${found}, so this runs on a Node from npm`);
  const node = join(root, "node_modules", `node-linux-${process.arch}`, "bin", "node");
  await installNpmPackages(root, { production: true, brings: node });
  const child = spawn(node, process.argv.slice(1), {
    env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` },
    stdio: "inherit",
  });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
  });
}
