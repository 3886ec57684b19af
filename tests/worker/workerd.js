// Isolates of the built Worker in a workerd that can be killed.

import { startWorkerd as start, worker } from "../../tools/workerd.js";

/**
 * @typedef {object} Options
 * @property {string} directory where the configuration is written
 * @property {string} storage the directory of the Durable Object's storage
 * @property {string[]} isolates their names; the first one has the Durable Object
 * @property {Record<string, string>} vars
 */

/** @param {Options} options */
export async function startWorkerd({ directory, storage, isolates, vars }) {
  const [owner] = isolates;
  const services = isolates.map((name) => ({
    name,
    modules: worker,
    vars,
    object: {
      binding: "AUTHORITY",
      className: "Authority",
      ...(name === owner ? {} : { owner }),
    },
  }));
  const { url, kill } = await start({ directory, storage, services });
  return {
    /** @param {string} isolate @param {string} path */
    fetch: (isolate, path) => fetch(url(isolate, path), { method: "POST" }),
    kill,
  };
}
