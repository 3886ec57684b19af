// The module that worker-build makes from a crate that links `edgeflake-workers`: its handler in a
// class, and the classes of the Durable Objects.

import { WorkerEntrypoint } from "cloudflare:workers";
import * as module from "edgeflake-module";

export { Authority, Directory } from "edgeflake-module";

export default class extends WorkerEntrypoint {
  fetch(/** @type {Request} */ request) {
    return module.fetch(request, this.env, this.ctx);
  }
}
