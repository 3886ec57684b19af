import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { cache } from "../command/paths.js";
import { fail, install } from "../command/run.js";
import { NPM_OPTIONS } from "./npm.js";

/** The first version of Node that runs TypeScript files. Tests of the page import such files. */
const NODE_MIN = "22.18.0";

/**
 * The version of Node to install if the system's Node is too old. `HASHES` has the hashes of its
 * npm packages.
 */
const VERSION = "24.21.0";
const HASHES = {
  arm64:
    "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  x64: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
};

export const isNewEnough =
  process.versions.node.localeCompare(NODE_MIN, "en", { numeric: true }) >= 0;

/**
 * Runs this process's command again with a Node that is new enough, and exits with its exit code.
 * The new Node is installed from npm, once per machine.
 */
export async function runOnNewNode() {
  const found = `found Node ${process.versions.node}, this repository's tools need ${NODE_MIN} or newer`;
  if (process.platform !== "linux" || !["arm64", "x64"].includes(process.arch)) {
    fail(`${found}: install it from https://nodejs.org`);
  }
  const arch = /** @type {keyof typeof HASHES} */ (process.arch);
  const name = `node-linux-${arch}`;
  const directory = join(cache, `node-${VERSION}`);
  const node = join(directory, "node_modules", name, "bin", "node");
  if (!existsSync(node)) {
    const line = `${found}: npm install of Node ${VERSION} for these tools (about 10 seconds)`;
    const args = ["install", `--prefix=${directory}`, "--no-save", "--ignore-scripts"];
    install(line, "npm", [...args, ...NPM_OPTIONS, `${name}@${VERSION}`]);
    const lock = readFileSync(join(directory, "node_modules", ".package-lock.json"), "utf8");
    const { integrity } = JSON.parse(lock).packages[`node_modules/${name}`];
    if (integrity !== HASHES[arch]) {
      rmSync(directory, { recursive: true });
      fail(`${name} ${VERSION} has the hash ${integrity}; expected ${HASHES[arch]}`);
    }
  }
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
