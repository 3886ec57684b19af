// The platform calls a Worker's default export. This class passes the requests to `fetch`, the only
// function that the module exports.

import { WorkerEntrypoint } from "cloudflare:workers";
import * as module from "edgeflake-module";

export default class extends WorkerEntrypoint {
  fetch(/** @type {Request} */ request) {
    return module.fetch(request, this.env, this.ctx);
  }
}
