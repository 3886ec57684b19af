// The classes of the Durable Objects. Their module, edgeflake-module, is what the build makes of a
// crate. After a panic the module makes a new instance of itself for the next call, and whatever was
// made by the old instance is of no use.

import { DurableObject } from "cloudflare:workers";
import * as module from "edgeflake-module";
import { Witnessed } from "./objects/witnessed.js";

/**
 * A Durable Object, which makes what answers anew after a panic.
 *
 * @param {(state: DurableObjectState, env: any) => Answers} make
 */
const object = (make) =>
  class extends DurableObject {
    constructor(/** @type {DurableObjectState} */ state, /** @type {any} */ env) {
      super(state, env);
      /** @type {[DurableObjectState, any]} */
      this.made = [state, env];
    }

    async fetch(/** @type {Request} */ request) {
      const text = await request.text();
      // A call of the module, so that it is the new instance, if there has to be one.
      const instance = module.Shard.instance();
      if (instance !== this.instance) {
        this.instance = instance;
        this.answers = make(...this.made);
      }
      return this.answers.answer(request.method, request.url, text);
    }
  };

/** @typedef {{ answer: (method: string, url: string, text: string) => any }} Answers */

export const Authority = object(
  (state, env) => new Witnessed(env, state.storage, new module.Shard(state, env)),
);
export const Directory = object((state) => new module.Directory(state));
