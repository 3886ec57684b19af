// The classes that the platform calls. Their module, edgeflake-module, is what the build makes of
// the crate.

import { RpcTarget, WorkerEntrypoint } from "cloudflare:workers";
import * as module from "edgeflake-module";
import { hasBody } from "./http/body.js";

export { Authority, Directory } from "../authority/src/objects.js";

/** The sequencer of the methods that name none. */
const DEFAULT = "default";

// What another Worker may call: the methods of these two classes. They pass their arguments on as
// they are, because the module says of each whether the method takes it.

/** @typedef {unknown[]} Arguments */

/** A sequencer by its name. */
class Sequencer extends RpcTarget {
  #call;

  constructor(/** @type {any} */ env, /** @type {string} */ name) {
    super();
    this.#call = (/** @type {number} */ method, /** @type {Arguments} */ args) =>
      module.call(env, name, method, args);
  }

  next(/** @type {Arguments} */ ...args) {
    return this.#call(module.Method.Next, args);
  }

  nextString(/** @type {Arguments} */ ...args) {
    return this.#call(module.Method.NextString, args);
  }

  batch(/** @type {Arguments} */ ...args) {
    return this.#call(module.Method.Batch, args);
  }

  decode(/** @type {Arguments} */ ...args) {
    return this.#call(module.Method.Decode, args);
  }

  lease(/** @type {Arguments} */ ...args) {
    return this.#call(module.Method.Lease, args);
  }
}

export default class Ids extends WorkerEntrypoint {
  fetch(/** @type {Request} */ request) {
    return module.fetch(request, this.env, hasBody(request));
  }

  next(/** @type {Arguments} */ ...args) {
    return new Sequencer(this.env, DEFAULT).next(...args);
  }

  nextString(/** @type {Arguments} */ ...args) {
    return new Sequencer(this.env, DEFAULT).nextString(...args);
  }

  batch(/** @type {Arguments} */ ...args) {
    return new Sequencer(this.env, DEFAULT).batch(...args);
  }

  decode(/** @type {Arguments} */ ...args) {
    return module.decode(args);
  }

  sequencer(/** @type {Arguments} */ ...args) {
    return new Sequencer(this.env, module.sequencerName(args));
  }
}
