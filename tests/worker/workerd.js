// The built Worker with the handles of `entry.js` in a workerd of its own, without wrangler: a
// process of as many isolates as a test wants, which can be killed.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";

const root = new URL("../..", import.meta.url).pathname;

/** The first one is what workerd starts; each is named by its place, from which it imports. */
const modules = {
  "tests/worker/entry.js": "esModule",
  "tests/worker/clock.js": "esModule",
  "build/worker/index.js": "esModule",
  "build/worker/index_bg.wasm": "wasm",
};

// The npm package's main file exports the path of its binary.
const { default: workerd } = createRequire(import.meta.url)("workerd");

/** The header of a request from which workerd makes `request.cf`. */
export const CF_HEADER = "cf-blob";

/** The Durable Objects. */
const classes = ["Authority", "Directory"];

/**
 * @typedef {object} Options
 * @property {string} directory where the configuration is written
 * @property {string} storage the directory of the Durable Objects' storage
 * @property {string[]} isolates their names; the first one has the Durable Objects
 * @property {Record<string, string>} vars without more, ids are for everybody
 */

/** @param {Options} options */
export async function startWorkerd(options) {
  const config = join(options.directory, "workerd.capnp");
  writeFileSync(config, configuration(options));
  // What the Worker logs is of calls that fail as tests want them to.
  const logs = process.env.WORKERD_LOGS ? "inherit" : "ignore";
  const child = spawn(workerd, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", logs, logs, "pipe"],
  });
  const exited = once(child, "exit");

  /** @type {Map<string, number>} */
  const ports = new Map();
  const control = /** @type {import("node:stream").Readable} */ (child.stdio[3]);
  for await (const line of createInterface({ input: control })) {
    const { event, socket, port } = JSON.parse(line);
    if (event === "listen") ports.set(socket, port);
    if (ports.size === options.isolates.length) break;
  }
  if (ports.size < options.isolates.length) throw new Error("workerd did not start");

  return {
    /** @param {string} isolate @param {string} path @param {RequestInit} [init] POST without more */
    fetch: (isolate, path, init) =>
      fetch(`http://127.0.0.1:${ports.get(isolate)}${path}`, { method: "POST", ...init }),

    /** As `kill -9`: nothing is closed, nothing is said. */
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** @param {Options} options */
function configuration({ directory, storage, isolates, vars }) {
  const text = JSON.stringify;
  // Of an embedded file, workerd wants to know where it is from the configuration.
  const embedded = Object.entries(modules).map(([path, kind]) => {
    const file = text(join(relative(directory, root), path));
    return `(name = ${text(path)}, ${kind} = embed ${file})`;
  });
  const owner = isolates[0];
  const bindings = Object.entries({ PUBLIC_ISSUE: "true", ...vars }).map(
    ([name, value]) => `(name = ${text(name)}, text = ${text(value)})`,
  );
  const service = (/** @type {string} */ name) => {
    const owned = name === owner;
    const namespaces = classes.map((className) => {
      const from = owned ? "" : `, serviceName = ${text(owner)}`;
      const namespace = `(className = "${className}"${from})`;
      return `(name = "${className.toUpperCase()}", durableObjectNamespace = ${namespace})`;
    });
    const owns = classes.map(
      (className) => `(className = "${className}", uniqueKey = "${className}", enableSql = true)`,
    );
    return `(name = ${text(name)}, worker = (
      compatibilityDate = "2026-10-01",
      modules = [${embedded.join(", ")}],
      bindings = [
        ${[...namespaces, ...bindings].join(", ")}
      ],
      durableObjectNamespaces = [
        ${owned ? owns.join(", ") : ""}
      ],
      durableObjectStorage = (localDisk = "storage"),
    ))`;
  };
  const disk = `(name = "storage", disk = (path = ${text(storage)}, writable = true))`;
  const socket = (/** @type {string} */ name) =>
    `(name = ${text(name)}, address = "127.0.0.1:0", http = (cfBlobHeader = "${CF_HEADER}"), service = ${text(name)})`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${[...isolates.map(service), disk].join(", ")}],
  sockets = [${isolates.map(socket).join(", ")}],
);
`;
}
