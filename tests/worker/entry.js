// The built Worker with handles for tests: a clock that can be stopped, and an authority that can
// be slow and is counted. `POST /test?...` turns the handles, everything else goes to the Worker.

import { DurableObject } from "cloudflare:workers";
import Worker, { Authority as Built, Directory } from "../../build/worker/index.js";
import { freeze } from "./clock.js";

// Worker and object of one script share an isolate here, and so these.
let calls = 0;
let delayMs = 0;

export { Directory };

export default {
  /** @param {Request} request @param {unknown} env @param {ExecutionContext} context */
  fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/test") return new Worker(context, env).fetch(request);
    if (searchParams.has("frozen_ms")) freeze(Number(searchParams.get("frozen_ms")));
    if (searchParams.has("delay_ms")) delayMs = Number(searchParams.get("delay_ms"));
    return Response.json({ calls });
  },
};

/** Extends `DurableObject`, unlike the class that it wraps, so that tests can read its storage. */
export class Authority extends DurableObject {
  /** @param {DurableObjectState} state @param {unknown} env */
  constructor(state, env) {
    super(state, env);
    this.built = new Built(state, env);
  }

  /** @param {Request} request */
  async fetch(request) {
    calls += 1;
    await scheduler.wait(delayMs);
    return this.built.fetch(request);
  }
}
