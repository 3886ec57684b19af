// What `edgeflake/authority` exports.

import * as platform from "cloudflare:workers";
import { destroyed } from "edgeflake-destruction";
import { EdgeflakeError } from "edgeflake-error";
import * as module from "edgeflake-module";
import { alive } from "./objects.js";

export { Authority, Directory } from "./objects.js";
export { EdgeflakeError };

const { env, exports } = /** @type {{ env: any, exports?: any }} */ (platform);

/** @param {() => Promise<any>} call */
const administer = (call) =>
  alive(call).catch(({ code, detail, message, retryInMs }) => {
    if (code) throw new EdgeflakeError(code, detail, retryInMs);
    throw new EdgeflakeError("authority-unreachable", `${message}: try again`, 1_000);
  });

/** The calls that create, show, shrink and destroy a sequencer. */
export const admin = {
  /** @param {unknown} name @param {unknown} options */
  create: (name, options) => administer(() => module.create(env, name, options)),

  /** @param {unknown} name */
  status: (name) => administer(() => module.status(env, name)),

  /** @param {unknown} name @param {unknown} options */
  shrink: (name, options) => administer(() => module.shrink(env, name, options)),

  /** @param {unknown} name */
  async destroy(name) {
    const ended = await administer(() => module.destroy(env, name));
    destroyed(env.AUTHORITY ?? exports?.Authority, ended.name, ended.incarnation);
    return ended;
  },
};
