// The leased generators that all copies of this package in a realm share, by authority.

import { EdgeflakeError } from "./error.js";
import { ofRealm } from "./realm.js";

/**
 * @import { LeasedGeneratorOptions } from "edgeflake/lease"
 * @import { LeasedGenerator } from "./leased-generator.js"
 * @import { checked } from "./lease-options.js"
 *
 * @typedef {object} Made
 * @property {LeasedGenerator} generator
 * @property {(onEvent: LeasedGeneratorOptions["onEvent"]) => void} listen takes the place of its
 * `onEvent`: after a dev server's reload the one that was given before is of code that is gone
 * @property {() => boolean} [hasEnded] whether it is bound to what is over; of old releases nothing is
 *
 * @typedef {Made & { token: string | undefined, shards: number }} SharedGenerator
 * @typedef {Map<string, SharedGenerator>} SharedGenerators by what makes generators share a holder
 */

const inRealm = () =>
  ofRealm("leased-generators/1", () => ({
    /** @type {Map<unknown, SharedGenerators>} */
    ofUrls: new Map(),
    /** @type {WeakMap<object, SharedGenerators>} */
    ofBindings: new WeakMap(),
  }));

/**
 * The generator of these options: the one that is there, or one that is made now.
 *
 * @param {ReturnType<typeof checked>} options
 * @param {(forget: () => void) => Made} make `forget` takes it out of those that are shared
 */
export function sharedGenerator({ authority, token, shards, onEvent, key }, make) {
  const { ofUrls, ofBindings } = inRealm();
  // Of one kind, as the authority is.
  const owners = /** @type {Map<unknown, SharedGenerators>} */ (
    typeof authority === "string" ? ofUrls : ofBindings
  );
  const ofOwner = owners.get(authority) ?? new Map();
  const there = ofOwner.get(key);
  if (!there || there.hasEnded?.()) {
    const made = make(() => {
      if (ofOwner.get(key)?.generator === made.generator) ofOwner.delete(key);
    });
    owners.set(authority, ofOwner.set(key, { ...made, token, shards }));
    return made.generator;
  }
  const other = there.token !== token ? "token" : there.shards !== shards ? "shards" : undefined;
  if (other) {
    throw new EdgeflakeError(
      "invalid-option",
      `${other} is not what this generator was made with: give the same everywhere`,
    );
  }
  there.listen(onEvent);
  return there.generator;
}
