// Reports facts about the built Worker that can be seen only inside its isolate.

import Worker from "../../../build/worker/index.js";

export { Authority, Directory } from "../../../build/worker/index.js";

export default {
  /** @param {Request} _request @param {unknown} env @param {ExecutionContext} context */
  async fetch(_request, env, context) {
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
