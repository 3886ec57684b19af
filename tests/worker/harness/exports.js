// Reports of the built Worker what only its own isolate can see.

import { calls } from "./crossings.js";

// The Worker's import instantiates its module, so it follows that of crossings.js.

import Worker from "../../../build/worker/index.js";

export { Authority, Directory } from "../../../build/worker/index.js";

export default {
  /** @param {Request} request @param {unknown} env @param {ExecutionContext} context */
  async fetch(request, env, context) {
    if (request.url.endsWith("/calls")) return Response.json(await callsOfAnId(env, context));
    if (request.url.endsWith("/panic")) return Response.json(await panicked(env, context));
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

/** Returns the functions that WebAssembly calls for an id when there is a lease. */
async function callsOfAnId(env, context) {
  await issue(env, context);
  calls.length = 0;
  await issue(env, context);
  return calls;
}

/**
 * Returns how requests end when the first one finds random bits twice, and then none, so the Worker
 * panics.
 */
async function panicked(env, context) {
  const ends = [];
  const random = Object.getOwnPropertyDescriptor(Crypto.prototype, "getRandomValues");
  let left = 2;
  const twice = function (array) {
    if (left-- > 0) return random.value.call(this, array);
    throw new Error("no random bits, as the test asked for");
  };
  for (const getRandomValues of [twice, random.value, random.value]) {
    Object.defineProperty(Crypto.prototype, "getRandomValues", {
      ...random,
      value: getRandomValues,
    });
    const end = await issue(env, context).catch((error) => error);
    ends.push(end.status ?? end.name);
  }
  return ends;
}
