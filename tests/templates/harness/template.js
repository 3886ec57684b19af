// Helps to test the templates. It lists them, and asks a project for its first order. It also lets
// projects use the crates of this checkout, because this version is not published yet.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crates } from "../../../tools/build/published.js";
import { root } from "../../../tools/command/paths.js";
import { freePort } from "../../../tools/serve/dev-server.js";
import { firstAnswer, start } from "../../harness/processes.js";

/** The names of the templates, which are also the names of their folders. */
export const templates = readdirSync(join(root, "examples", "templates"));

/** Returns whether a template is in Rust. @param {string} template */
export const isRust = (template) =>
  existsSync(join(root, "examples", "templates", template, "Cargo.toml"));

/**
 * Starts `npm run dev` of a project, and returns the first answer with success, or with `status`.
 *
 * @param {import("../../harness/processes.js").Where} where
 * @param {string[]} [options] of `wrangler dev`
 * @param {number} [status]
 */
export async function firstOrder(where, options = [], status = undefined) {
  const port = await freePort();
  const args = ["run", "dev", "--", `--port=${port}`, "--inspector-port=0", ...options];
  const server = start("npm", args, where);
  try {
    const url = `http://localhost:${port}/orders`;
    return await firstAnswer(server, url, { method: "POST" }, undefined, status);
  } finally {
    server.kill();
    await server.ended;
  }
}

/**
 * Matches the profile with which the crates are already compiled, and the profile that it inherits
 * from.
 */
const PROFILES = /^\[profile\.(release|worker)\]\n(.+\n)+/gm;

/**
 * Lets all projects in a directory use the crates of this checkout. The projects are compiled with
 * the profile of this checkout's Worker, so that cargo finds most crates compiled in `target`.
 *
 * @param {string} directory
 */
export function patchWithSources(directory) {
  const paths = Object.entries(crates).map(
    ([name, folder]) => `${name} = { path = ${JSON.stringify(join(root, folder))} }\n`,
  );
  const profiles = readFileSync(join(root, "Cargo.toml"), "utf8").match(PROFILES) ?? [];
  mkdirSync(join(directory, ".cargo"), { recursive: true });
  const config = `[patch.crates-io]\n${paths.join("")}\n${profiles.join("\n")}`;
  writeFileSync(join(directory, ".cargo", "config.toml"), config);
}

/** Locks a project's other crates to this checkout's Cargo.lock. @param {string} project */
export function lock(project) {
  cpSync(join(root, "Cargo.lock"), join(project, "Cargo.lock"));
}
