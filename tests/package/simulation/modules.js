// Turns the shipped package and Worker into functions that take a platform. Each call of these
// functions starts another process with the platform's clock, timers, random bits and files.

import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const home = path.join(root, "packages", "edgeflake");

/** The source of a process's module. `instance` passes `compiled`, the WebAssembly module. */
const PACKAGE = `
import { initSync } from "./dist/edgeflake_lease.js";
import { platform } from "./dist/leased/shared-holder.js";
import { Store } from "./dist/leased/store.js";
export { LeasedGenerator } from "./dist/leased/leased-generator.js";
export { Store };
initSync({ module: compiled });
platform.Store = Store;
`;

/** The globals that are replaced for each process. */
const GIVEN =
  "require module compiled globalThis self Date setTimeout clearTimeout fetch crypto console".split(
    " ",
  );

/**
 * @typedef {object} Platform
 * @property {() => number} now
 * @property {(run: (...args: any[]) => void, ms: number, ...args: any[]) => unknown} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {(url: string, init: RequestInit) => Promise<Response>} fetch
 * @property {import("./random.js").Random} random
 * @property {any} [files] the replacement for `node:fs`
 * @property {(...args: unknown[]) => void} [log]
 */

/** @param {string} contents @param {string} resolveDir @param {Record<string, string>} [alias] */
function bundled(contents, resolveDir, alias = {}) {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir, sourcefile: "simulated.js" },
    alias,
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "es2022",
    external: ["cloudflare:workers", "*.wasm"],
    logLevel: "error",
  });
  return new Function(...GIVEN, `"use strict";${outputFiles[0].text}\nreturn module.exports;`);
}

/** @param {Function} make @param {Platform} platform @param {WebAssembly.Module} compiled @param {(name: string) => unknown} require */
function instance(make, platform, compiled, require) {
  const { now, setTimeout, clearTimeout, fetch, random, log = () => {} } = platform;
  const Dates = class extends Date {};
  Dates.now = now;
  const crypto = { getRandomValues: (/** @type {any} */ view) => random.fill(view) };
  // All other globals are those of the process that runs the test.
  const own = { Date: Dates, setTimeout, clearTimeout, fetch, crypto };
  const realm = new Proxy(own, {
    get: (_, name) => Reflect.get(name in own ? own : globalThis, name),
  });
  const console = { log, info: log, warn: log, error: log, debug: log };
  const given = [require, { exports: {} }, compiled, realm, realm, Dates, setTimeout];
  return make(...given, clearTimeout, fetch, crypto, console);
}

const leaseModule = compile("dist/edgeflake_lease_bg.wasm");
const workerModule = compile("dist/worker/index_bg.wasm");

/** @param {string} file */
function compile(file) {
  return new WebAssembly.Module(fs.readFileSync(path.join(home, file)));
}

const makePackage = bundled(PACKAGE, home);

const makeWorker = bundled(
  'export * from "./entry.js"; export { default } from "./entry.js";',
  path.join(root, "worker", "src"),
  {
    "edgeflake-module": path.join(home, "dist", "worker", "glue.js"),
  },
);

/**
 * Starts a process, and returns its `edgeflake/lease` and its `Store`.
 *
 * @param {Platform} platform
 * @returns {Pick<typeof import("edgeflake/lease"), "LeasedGenerator"> & { Store: any }}
 */
export function startPackage(platform) {
  const { random, files } = platform;
  /** @type {Record<string, unknown>} */
  const imported = {
    "node:fs": files,
    "node:path": path,
    "node:crypto": { createHash, randomUUID: () => random.uuid() },
  };
  return instance(makePackage, platform, leaseModule, (name) => imported[name]);
}

/** Returns the Worker with the classes of its objects. @param {Platform} platform @returns {any} */
export function startWorker(platform) {
  class Entry {
    /** @param {object} ctx @param {object} env */
    constructor(ctx, env) {
      this.ctx = ctx;
      this.env = env;
    }
  }
  const waitUntil = (/** @type {Promise<unknown>} */ promise) => {
    promise.catch(() => {});
  };
  const RpcTarget = class {};
  const workers = { DurableObject: Entry, WorkerEntrypoint: Entry, RpcTarget, waitUntil };
  return instance(makeWorker, platform, workerModule, (name) =>
    name === "cloudflare:workers" ? workers : workerModule,
  );
}
