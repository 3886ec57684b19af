// The built Worker with the handles of `entry.js` in a workerd of its own, without wrangler: a
// process of as many isolates as a test wants, which can be killed.

import { startWorkerd as start, worker } from "../../../tools/serve/workerd.js";

export { CF_HEADER } from "../../../tools/serve/workerd.js";

const modules = ["tests/worker/harness/entry.js", "tests/worker/harness/clock.js", ...worker];

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
export async function startWorkerd({ directory, storage, isolates, vars }) {
  const [owner] = isolates;
  const services = isolates.map((name) => ({
    name,
    modules,
    vars: { EDGEFLAKE_PUBLIC_ISSUE: "true", EDGEFLAKE_PUBLIC_READ: "true", ...vars },
    objects: classes.map((className) => ({
      binding: className.toUpperCase(),
      className,
      ...(name === owner ? {} : { owner }),
    })),
  }));
  // What the Worker logs is of calls that fail as tests want them to.
  const quiet = !process.env.WORKERD_LOGS;
  const { url, kill } = await start({ directory, storage, services, quiet });
  return {
    url,
    /** @param {string} isolate @param {string} path @param {RequestInit} [init] POST without more */
    fetch: (isolate, path, init) => fetch(url(isolate, path), { method: "POST", ...init }),
    kill,
  };
}
