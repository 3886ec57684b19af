// The classes that the platform calls. They replace the class that worker-build makes, which puts a
// proxy with traps of its own around each request, and another around its method.

import { WorkerEntrypoint } from "cloudflare:workers";
import Built, * as objects from "../../build/worker/index.js";

/** A Durable Object that answers in one call, when it has all of a request. */
const object = (/** @type {new (...args: any[]) => any} */ Answers) =>
  class {
    constructor(/** @type {DurableObjectState} */ state, /** @type {unknown} */ env) {
      this.answers = new Answers(state, env);
    }

    async fetch(/** @type {Request} */ request) {
      const text = await request.text();
      return this.answers.answer(request.method, request.url, text);
    }
  };

export const Authority = object(objects.Authority);
export const Directory = object(objects.Directory);

/** The state of worker-build, whose `criticalError` is set by a panic. */
const state = globalThis.__worker_init_state;

export default class Entrypoint extends WorkerEntrypoint {}

for (const name of ["fetch", "next", "batch", "decode"]) {
  const method = Built.prototype[name];
  Entrypoint.prototype[name] = function (...args) {
    // The constructor of worker-build's class makes a new instance of WebAssembly after a panic.
    if (state.criticalError) new Built(this.ctx, this.env);
    return method.apply(this, args);
  };
}
