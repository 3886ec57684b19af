// Says of the built Worker what only its own isolate can see.

import Worker from "../../build/worker/index.js";

export { Authority, Directory } from "../../build/worker/index.js";

export default {
  /** @param {Request} _request @param {unknown} env @param {ExecutionContext} context */
  async fetch(_request, env, context) {
    const answer = new Worker(context, env).fetch(new Request("https://ids.example/v1/decode/1"));
    return Response.json({
      callable: Object.getOwnPropertyNames(Worker.prototype),
      isAnsweredAtOnce: answer instanceof Response,
      status: (await answer).status,
    });
  },
};
