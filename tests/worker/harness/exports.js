// Reports facts about the built Worker that can be seen only inside its isolate.

import { calls } from "./crossings.js";

// Importing the Worker instantiates its module, so crossings.js must be imported before.

import Worker from "../../../build/worker/index.js";

export { Authority, Directory } from "../../../build/worker/index.js";

export default {
  /** @param {Request} request @param {unknown} env @param {ExecutionContext} context */
  async fetch(request, env, context) {
    if (request.url.endsWith("/calls")) return Response.json(await callsOfAnId(env, context));
    const answer = new Worker(context, env).fetch(new Request("https://ids.example/v1/decode/1"));
    return Response.json({
      callable: Object.getOwnPropertyNames(Worker.prototype),
      ofSequencer: Object.getOwnPropertyNames(
        Object.getPrototypeOf(new Worker(context, env).sequencer("a")),
      ),
      isAnsweredAtOnce: answer instanceof Response,
      status: (await answer).status,
    });
  },
};

/** @returns {Promise<Response>} */
const issue = async (env, context) =>
  new Worker(context, env).fetch(new Request("https://ids.example/v1/ids", { method: "POST" }));

/** Returns the functions that WebAssembly calls to issue an id from a lease. */
async function callsOfAnId(env, context) {
  await issue(env, context);
  calls.length = 0;
  await issue(env, context);
  return calls;
}
