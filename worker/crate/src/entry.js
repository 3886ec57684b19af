// Contains the exports of `edgeflake/authority`.

import * as platform from "cloudflare:workers";
import { EdgeflakeError } from "edgeflake-error";
import { done } from "edgeflake-lifecycle";
import * as module from "edgeflake-module";
import { alive } from "./objects.js";

export { Authority, Directory } from "./objects.js";
export { EdgeflakeError };

const { env, exports } = /** @type {{ env: any, exports?: any }} */ (platform);

/** @param {"create" | "status" | "shrink" | "destroy"} task @param {() => Promise<any>} call */
async function administer(task, call) {
  try {
    const sequencer = await alive(call);
    done(task, env.AUTHORITY ?? exports?.Authority, sequencer);
    return sequencer;
  } catch (/** @type {any} */ { code, detail, message, retryInMs }) {
    if (code) throw new EdgeflakeError(code, detail, retryInMs);
    throw new EdgeflakeError("authority-unreachable", `${message}: try again`, 1_000);
  }
}

/** The functions that create, show, shrink and destroy a sequencer. */
export const admin = {
  /** @param {unknown} name @param {unknown} options */
  create: (name, options) => administer("create", () => module.create(env, name, options)),
  /** @param {unknown} name */
  status: (name) => administer("status", () => module.status(env, name)),
  /** @param {unknown} name @param {unknown} options */
  shrink: (name, options) => administer("shrink", () => module.shrink(env, name, options)),
  /** @param {unknown} name */
  destroy: (name) => administer("destroy", () => module.destroy(env, name)),
};
