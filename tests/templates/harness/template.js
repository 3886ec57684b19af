// The templates, and what a project that is made from one answers.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../tools/command/paths.js";
import { freePort } from "../../../tools/serve/dev-server.js";
import { firstAnswer, start } from "../../harness/processes.js";

/** The folders that a project is created from. */
export const templates = readdirSync(join(root, "templates"));

/**
 * Starts `npm run dev` of a project, and answers the first id that it issues.
 *
 * @param {import("../../harness/processes.js").Where} where
 */
export async function firstId(where) {
  const port = await freePort();
  const args = ["run", "dev", "--", `--port=${port}`, "--inspector-port=0"];
  const server = start("npm", args, where);
  try {
    const init = { method: "POST" };
    const { id } = JSON.parse(await firstAnswer(server, `http://localhost:${port}/orders`, init));
    return BigInt(id);
  } finally {
    server.kill();
    await server.ended;
  }
}
