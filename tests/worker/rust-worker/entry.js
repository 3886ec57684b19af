import * as module from "edgeflake-module";
import Entry from "../../../tools/build/crate-entry.js";

export { Authority, Caller, Directory } from "edgeflake-module";

export default class extends Entry {
  scheduled(/** @type {ScheduledController} */ event) {
    return module.scheduled(event, this.env, this.ctx);
  }
}
