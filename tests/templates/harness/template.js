// The templates, and the answers of projects that are made from them.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../tools/command/paths.js";
import { freePort } from "../../../tools/serve/dev-server.js";
import { firstAnswer, start } from "../../harness/processes.js";

/** The folders that a project is created from. */
export const templates = readdirSync(join(root, "examples", "templates"));

/** Whether a template is in Rust. @param {string} template */
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
