import * as module from "edgeflake-module";
import Entry from "../../harness/crate-entry.js";

export { Authority, Caller, Directory, Upgraded } from "edgeflake-module";

/** The lines that were logged as an audit or an error. @type {unknown[]} */
const logged = [];
console.info = (line) => logged.push(JSON.parse(line));
console.error = console.info;

export default class extends Entry {
  scheduled(/** @type {ScheduledController} */ event) {
    return module.scheduled(event, this.env, this.ctx);
  }

  fetch(/** @type {Request} */ request) {
    const isLog = new URL(request.url).pathname === "/logged";
    return isLog ? Response.json(logged.splice(0)) : super.fetch(request);
  }
}
