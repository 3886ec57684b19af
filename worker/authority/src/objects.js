// The classes of the Durable Objects. Their module, edgeflake-module, is what the build makes of a
// crate. After a panic the module makes a new instance of itself for the next call, and whatever was
// made by the old instance is of no use.

import { DurableObject } from "cloudflare:workers";
import * as module from "edgeflake-module";

/** A Durable Object that answers in one call, when it has all of a request. */
const object = (/** @type {new (...args: any[]) => any} */ Answers) =>
  class extends DurableObject {
    constructor(/** @type {DurableObjectState} */ state, /** @type {any} */ env) {
      super(state, env);
      this.made = [state, env];
    }

    async fetch(/** @type {Request} */ request) {
      const text = await request.text();
      // A call of the module, so that it is the new instance, if there has to be one.
      const instance = module.instance();
      if (instance !== this.instance) {
        this.instance = instance;
        this.answers = new Answers(...this.made);
      }
      return this.answers.answer(request.method, request.url, text);
    }
  };

export const Authority = object(module.Authority);
export const Directory = object(module.Directory);
