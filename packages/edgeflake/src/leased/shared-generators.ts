import { EdgeflakeError } from "../error.js";
import { ofRealm } from "../realm.js";
import type { checked, LeasedGeneratorOptions } from "./lease-options.js";

/** A new generator, with the functions that other copies of this package need to share it. */
interface Entry<G> {
  generator: G;
  /** Replaces `onEvent`. After a dev server's reload, the previous function belongs to old code. */
  listen(onEvent: LeasedGeneratorOptions["onEvent"]): void;
  /** Returns whether the generator can never issue ids again (see `bind` in the options). */
  hasEnded(): boolean;
}

/** The generators of one authority, by their encoding and the `key` of their options. */
type SharedGenerators = Map<string, Entry<object> & { token: string | undefined; shards: number }>;

/**
 * Returns the existing generator for these options, or makes one. All copies of this package in a
 * realm share the generators.
 *
 * @param make makes a generator; `forget` removes this generator from the shared generators
 */
export function sharedGenerator<G extends object>(
  { authority, token, shards, encoding, onEvent, key: ofHolder }: ReturnType<typeof checked>,
  make: (forget: () => void) => Entry<G>,
): G {
  const { ofUrls, ofBindings } = ofRealm("leased-generators/1", () => ({
    ofUrls: new Map<unknown, SharedGenerators>(),
    ofBindings: new WeakMap<object, SharedGenerators>(),
  }));
  const owners = (typeof authority === "string" ? ofUrls : ofBindings) as typeof ofUrls;
  const ofOwner = owners.get(authority) ?? new Map();
  const key = `${encoding} ${ofHolder}`;
  const there = ofOwner.get(key);
  if (!there || there.hasEnded()) {
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
      `the option ${other} is not the same as in the first call of LeasedGenerator.shared: pass the same in each call`,
    );
  }
  there.listen(onEvent);
  return there.generator;
}
