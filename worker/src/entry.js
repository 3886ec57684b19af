// The classes that the platform calls. Their module, edgeflake-module, is what the build makes of
// the crate.

import { RpcTarget, WorkerEntrypoint } from "cloudflare:workers";
import * as module from "edgeflake-module";
import { hasBody } from "./http/body.js";

export { Authority, Directory } from "../crate/src/objects.js";

/** The sequencer of the methods that name none. */
const DEFAULT = "default";

// Another Worker may call the methods of these two classes. They pass their arguments on as they
// are, because the module checks each.

/** A sequencer by its name. */
class Sequencer extends RpcTarget {
  #call;

  constructor(/** @type {any} */ env, /** @type {string} */ name) {
    super();
    this.#call = (
      /** @type {number} */ method,
      /** @type {unknown} */ first,
      /** @type {unknown} */ second,
    ) => module.call(env, name, method, first, second);
  }

  next(/** @type {unknown} */ options) {
    return this.#call(module.Method.Next, options);
  }

  nextString(/** @type {unknown} */ encoding, /** @type {unknown} */ options) {
    return this.#call(module.Method.NextString, encoding, options);
  }

  batch(/** @type {unknown} */ count, /** @type {unknown} */ options) {
    return this.#call(module.Method.Batch, count, options);
  }

  decode(/** @type {unknown} */ id) {
    return this.#call(module.Method.Decode, id);
  }

  lease(/** @type {unknown} */ operation, /** @type {unknown} */ body) {
    return this.#call(module.Method.Lease, operation, body);
  }
}

export default class Ids extends WorkerEntrypoint {
  fetch(/** @type {Request} */ request) {
    return module.fetch(request, this.env, hasBody(request));
  }

  next(/** @type {unknown} */ options) {
    return new Sequencer(this.env, DEFAULT).next(options);
  }

  nextString(/** @type {unknown} */ encoding, /** @type {unknown} */ options) {
    return new Sequencer(this.env, DEFAULT).nextString(encoding, options);
  }

  batch(/** @type {unknown} */ count, /** @type {unknown} */ options) {
    return new Sequencer(this.env, DEFAULT).batch(count, options);
  }

  decode(/** @type {unknown} */ id, /** @type {unknown} */ layout) {
    return module.decode(id, layout);
  }

  sequencer(/** @type {unknown} */ name) {
    return new Sequencer(this.env, module.sequencerName(name));
  }
}
