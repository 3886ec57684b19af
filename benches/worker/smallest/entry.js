// The platform calls this class if a Worker's module exports only `fetch`.

import { WorkerEntrypoint } from "cloudflare:workers";
import * as module from "edgeflake-module";

export default class extends WorkerEntrypoint {
  fetch(/** @type {Request} */ request) {
    return module.fetch(request, this.env, this.ctx);
  }
}
