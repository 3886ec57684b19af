// The entry of a Worker whose crate links `edgeflake-workers`. It exports the handler as a class,
// and the classes of the Durable Objects, as worker-build does.

import { WorkerEntrypoint } from "cloudflare:workers";
import * as module from "edgeflake-module";

export { Authority, Directory } from "edgeflake-module";

export default class extends WorkerEntrypoint {
  fetch(/** @type {Request} */ request) {
    return module.fetch(request, this.env, this.ctx);
  }
}
