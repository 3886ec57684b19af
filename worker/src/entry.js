// Defines the classes that the platform calls. The classes call the module edgeflake-module, which
// is built from the Rust crate. Another Worker may call the methods of the classes. The methods
// pass arguments on unchanged, because the module checks each argument.

import { RpcTarget, WorkerEntrypoint } from "cloudflare:workers";
import * as module from "edgeflake-module";

export { Authority, Directory } from "../crate/src/objects.js";

/** The sequencer with this name, or the default sequencer if the name is missing. */
class Sequencer extends RpcTarget {
  #call;

  constructor(env, name) {
    super();
    this.#call = module.call.bind(undefined, env, name);
  }

  next(options) {
    return this.#call(module.Method.Next, options);
  }
  nextString(encoding, options) {
    return this.#call(module.Method.NextString, encoding, options);
  }
  batch(count, options) {
    return this.#call(module.Method.Batch, count, options);
  }
  decode(id) {
    return this.#call(module.Method.Decode, id);
  }
  lease(operation, body) {
    return this.#call(module.Method.Lease, operation, body);
  }
}

export default class Ids extends WorkerEntrypoint {
  fetch(request) {
    return module.fetch(request, this.env);
  }
  next(options) {
    return new Sequencer(this.env).next(options);
  }
  nextString(encoding, options) {
    return new Sequencer(this.env).nextString(encoding, options);
  }
  batch(count, options) {
    return new Sequencer(this.env).batch(count, options);
  }
  decode(id, layout) {
    return module.decode(id, layout);
  }
  sequencer(name) {
    return new Sequencer(this.env, module.sequencerName(name));
  }
}
