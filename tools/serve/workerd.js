// Runs Workers in a workerd process without wrangler, so that tests can kill the process.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../command/paths.js";

/** The request header from which workerd sets `request.cf`. */
export const CF_HEADER = "cf-blob";

/** The files of edgeflake's built Worker. */
export const worker = modulesIn("worker");

/**
 * @typedef {object} Service a Worker, which listens on a port of its own
 * @property {string} name
 * @property {string[]} modules the Worker's files, relative to the root; the first is its main
 * module
 * @property {Record<string, string>} [vars]
 * @property {DurableObject[]} [objects]
 *
 * @typedef {object} DurableObject
 * @property {string} binding
 * @property {string} className
 * @property {string} [owner] the service that exports the class, if it is another service
 */

/**
 * @param {object} options @param {string} options.directory where the configuration is written
 * @param {string} options.storage the directory of the Durable Objects' storage
 * @param {Service[]} options.services
 * @param {string[]} [options.prefix] a command that runs workerd, such as `taskset -c 0`
 * @param {boolean} [options.quiet] whether to hide what the Workers log
 * @param {boolean} [options.inspected] whether V8's inspector listens
 */
export async function startWorkerd(options) {
  const { directory, storage, services, prefix = [], quiet = false, inspected = false } = options;
  // The main file of the npm package `workerd` exports the path of workerd's binary.
  const { default: workerd } = createRequire(import.meta.url)("workerd");
  const config = join(directory, "workerd.capnp");
  writeFileSync(config, configuration(directory, storage, services));
  const [command, ...args] = [...prefix, workerd, "serve", config, "--control-fd=3"];
  if (inspected) args.push("--inspector-addr=127.0.0.1:0");
  const logs = quiet ? "ignore" : "inherit";
  const child = spawn(command, args, { stdio: ["ignore", logs, logs, "pipe"] });
  const exited = once(child, "exit");
  // When this process ends early, it ends workerd, too.
  const kill = () => child.kill("SIGKILL");
  process.on("exit", kill);
  exited.then(() => process.off("exit", kill));

  /** @type {Map<string, number>} */
  const ports = new Map();
  let inspector = 0;
  const control = /** @type {import("node:stream").Readable} */ (child.stdio[3]);
  for await (const line of createInterface({ input: control })) {
    const { event, socket, port } = JSON.parse(line);
    if (event === "listen") ports.set(socket, port);
    if (event === "listen-inspector") inspector = port;
    if (ports.size === services.length) break;
  }
  if (ports.size < services.length) throw new Error("workerd did not start");

  return {
    /** @param {string} service @param {string} path */
    url: (service, path) => `http://127.0.0.1:${ports.get(service)}${path}`,

    /** Returns the URL of a Worker's inspector. @param {string} service */
    inspector: (service) => `ws://127.0.0.1:${inspector}/${service}`,

    /** Returns the CPU time in ms of the thread that has used most CPU time. */
    cpuMillis() {
      const tasks = `/proc/${child.pid}/task`;
      const nanos = readdirSync(tasks).map((task) =>
        Number(readFileSync(join(tasks, task, "schedstat"), "utf8").split(" ")[0]),
      );
      return Math.max(...nanos) / 1e6;
    },

    /** Kills workerd as `kill -9` does, so that it can neither close nor report anything. */
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Returns the files of a built Worker. @param {string} name of its directory in `build/` */
export function modulesIn(name) {
  return ["index.js", "glue.js", "index_bg.wasm"].map((file) => join("build", name, file));
}

/** @param {string} directory @param {string} storage @param {Service[]} services */
function configuration(directory, storage, services) {
  const text = JSON.stringify;
  const module = (/** @type {string} */ file) => {
    const kind = file.endsWith(".wasm") ? "wasm" : "esModule";
    // A module's name is its file's path, because workerd resolves relative imports from the name.
    // The path of an embedded file is relative to the configuration.
    const path = join(relative(directory, root), file);
    return `(name = ${text(file)}, ${kind} = embed ${text(path)})`;
  };
  const namespace = (/** @type {DurableObject} */ { binding, className, owner }) => {
    const of = owner ? `, serviceName = ${text(owner)}` : "";
    return `(name = ${text(binding)}, durableObjectNamespace = (className = ${text(className)}${of}))`;
  };
  const service = (/** @type {Service} */ { name, modules, vars = {}, objects = [] }) => {
    const bindings = Object.entries(vars).map(
      ([name, value]) => `(name = ${text(name)}, text = ${text(value)})`,
    );
    bindings.push(...objects.map(namespace));
    const owned = objects.filter(({ owner }) => !owner);
    const classes = owned.map(
      ({ className }) =>
        `(className = ${text(className)}, uniqueKey = ${text(className)}, enableSql = true)`,
    );
    return `(name = ${text(name)}, worker = (
      compatibilityDate = "2026-10-01",
      modules = [${modules.map(module).join(", ")}],
      bindings = [${bindings.join(", ")}],
      durableObjectNamespaces = [${classes.join(", ")}],
      durableObjectStorage = (localDisk = "storage"),
    ))`;
  };
  const disk = `(name = "storage", disk = (path = ${text(storage)}, writable = true))`;
  const socket = (/** @type {Service} */ { name }) =>
    `(name = ${text(name)}, address = "127.0.0.1:0", http = (cfBlobHeader = ${text(CF_HEADER)}), service = ${text(name)})`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${[...services.map(service), disk].join(", ")}],
  sockets = [${services.map(socket).join(", ")}],
);
`;
}
