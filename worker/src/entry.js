// What the platform calls, in place of the class that worker-build makes, which puts a proxy with
// traps of its own around each request, and another around its method.

import { WorkerEntrypoint } from "cloudflare:workers";
import Built, { Authority, Directory } from "../../build/worker/index.js";

export { Authority, Directory };

/** Of worker-build: `criticalError` is set by a panic. */
const state = globalThis.__worker_init_state;

export default class Entrypoint extends WorkerEntrypoint {}

for (const name of ["fetch", "next", "batch", "decode"]) {
  const method = Built.prototype[name];
  Entrypoint.prototype[name] = function (...args) {
    // Whoever makes one of worker-build's begins with a new instance of WebAssembly, if it must.
    if (state.criticalError) new Built(this.ctx, this.env);
    return method.apply(this, args);
  };
}
