// Defines the classes of the Durable Objects. The classes call the module edgeflake-module, which
// is built from a Rust crate. After a panic, the module makes a new instance of itself for the next
// call, and no object of the old instance can be used any more.

import { DurableObject } from "cloudflare:workers";
import * as module from "edgeflake-module";

/** The time between two checks for a panic while calls wait for an answer, in ms. */
const LOOK_MS = 1_000;

/**
 * The functions that reject waiting calls, each with the module's instance that was called.
 *
 * @type {Map<(error: Error) => void, object>}
 */
const waiting = new Map();
/** @type {any} */
let timer;

/** Rejects the calls to instances that a panic has ended. */
function look() {
  const instance = module.Authority.instance();
  for (const [reject, begun] of waiting) {
    if (begun !== instance) reject(new Error("the authority panicked"));
  }
}

/**
 * Returns the result of a call into the module. If a panic ends the instance of the module, the
 * call's promise never settles. Then this function throws an error.
 *
 * @param {() => any} call
 * @returns {Promise<any>}
 */
export async function alive(call) {
  const instance = module.Authority.instance();
  /** @type {(error: Error) => void} */
  let end = () => {};
  try {
    const answer = call();
    if (!(answer instanceof Promise)) return answer;
    return await new Promise((resolve, reject) => {
      end = reject;
      waiting.set(reject, instance);
      timer ??= setInterval(look, LOOK_MS);
      answer.then(resolve, reject);
    });
  } finally {
    waiting.delete(end);
    if (waiting.size === 0) timer = clearInterval(timer);
    // After a panic, this line makes the new instance before any code of the old instance runs.
    module.Authority.instance();
  }
}

/** @param {new (state: any, env: any) => { answer: (method: string, url: string, text: string) => any }} Class */
const object = (Class) =>
  class extends DurableObject {
    constructor(/** @type {any} */ state, /** @type {any} */ env) {
      super(state, env);
      this.made = [state, env];
    }

    async fetch(/** @type {Request} */ request) {
      const { method, url } = request;
      const text = await request.text();
      const instance = module.Authority.instance();
      if (instance !== this.instance) {
        this.instance = instance;
        this.object = new Class(.../** @type {[any, any]} */ (this.made));
      }
      return alive(() => this.object.answer(method, url, text));
    }
  };

export const Authority = object(module.Authority);
export const Directory = object(module.Directory);
