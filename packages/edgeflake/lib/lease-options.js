// The options of a leased generator and of its calls.

import { nameRefusal } from "../dist/edgeflake_lease.js";
import { EdgeflakeError } from "./error.js";
import { integer } from "./number.js";
import { known, shown } from "./options.js";
import { isNamespace } from "./transport.js";

/**
 * @import { IdOptions, LeasedGeneratorOptions, WaitOptions } from "edgeflake/lease"
 * @import { Authority } from "./transport.js"
 */

/** Most ids of a batch, as the Worker gives at once. */
const COUNT_MAX = 100_000;

/** Most shards of a sequencer: `BoundConfig::SHARDS_MAX` of the core. */
const SHARDS_MAX = 64;

const NAMES = [
  "authority",
  "token",
  "sequencer",
  "shards",
  "mode",
  "prefetchCount",
  "prefetchValidityMs",
  "store",
  "bind",
  "onEvent",
];

/** What a generator may be bound to. */
const BOUND = ["layout", "incarnation"];

/**
 * @param {string} name
 * @param {unknown} value
 * @param {string} allowed
 */
function refused(name, value, allowed) {
  return new EdgeflakeError("invalid-option", `${name} is ${shown(value)}: ${allowed} allowed`);
}

/**
 * The authority that the caller gives; a URL without a slash at its end.
 *
 * @param {any} given
 * @returns {Authority}
 */
function authorityOf(given) {
  if (typeof given === "string" || given instanceof URL) {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url && /^https?:$/.test(url.protocol) && url.username + url.search + url.hash === "") {
      return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
    }
    // A password is not shown.
    throw refused(
      "authority",
      url?.username ? url.host : `${given}`,
      "http or https without a user name, query and fragment, such as https://ids.example.com, is",
    );
  }
  if (given?.fetch || given?.getByName) return given;
  throw refused("authority", given, "a URL, a namespace and a service are");
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} min
 * @param {number} max
 * @param {unknown} [found] what the value was read from
 */
function checkInteger(name, value, min, max, found = value) {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return;
  throw refused(name, found, `an integer of ${min} to ${max} is`);
}

/**
 * The options that the caller gives, with those that are left out, and as `key` those by which
 * generators of one authority share a holder.
 *
 * @param {string} what takes them
 * @param {LeasedGeneratorOptions} options
 * @param {boolean} hasFiles whether a store is possible here
 * @param {Record<string, unknown>} variables of the Worker around this code
 */
export function checked(what, options, hasFiles, variables) {
  const {
    authority,
    token,
    sequencer = "default",
    shards: given,
    mode = "lease",
    prefetchCount,
    prefetchValidityMs,
    store,
    bind,
    onEvent,
  } = known(what, options, NAMES);
  const found = authorityOf(authority);
  if (token !== undefined && typeof token !== "string") {
    throw refused("token", token, "a string is");
  }
  const refusal = nameRefusal(typeof sequencer === "string" ? sequencer : "");
  if (refusal !== undefined) {
    const message = `sequencer is ${shown(sequencer)}: ${refusal}`;
    throw new EdgeflakeError("invalid-option", message);
  }
  let shards = given;
  if (shards === undefined) {
    // The sequencer `default` is bound to the variables of its Worker, which may be this one.
    const isOfVariables = sequencer === "default" && isNamespace(found);
    const { EDGEFLAKE_SHARDS: variable = 1 } = isOfVariables ? variables : {};
    shards = Number(variable);
    checkInteger("EDGEFLAKE_SHARDS", shards, 1, SHARDS_MAX, variable);
  } else {
    checkInteger("shards", shards, 1, SHARDS_MAX);
  }
  if (mode !== "lease" && mode !== "batch") throw refused("mode", mode, "lease and batch are");
  for (const [name, value, min, max] of /** @type {[string, unknown, number, number][]} */ ([
    ["prefetchCount", prefetchCount, 1, COUNT_MAX],
    ["prefetchValidityMs", prefetchValidityMs, 0, Number.MAX_SAFE_INTEGER],
  ])) {
    if (value === undefined) continue;
    if (mode !== "batch") throw refused(name, value, "set mode to batch, where alone it is");
    checkInteger(name, value, min, max);
  }
  const isStorable = hasFiles && typeof found === "string" && mode === "lease";
  if (store !== undefined && !(isStorable && typeof store === "string" && store !== "")) {
    const allowed = "a path, in Node, Deno and Bun, with a URL and mode lease, is";
    throw refused("store", store, allowed);
  }
  const { layout, incarnation } = bind === undefined ? {} : known("bind", bind, BOUND);
  if (incarnation !== undefined) {
    checkInteger("bind.incarnation", incarnation, 1, Number.MAX_SAFE_INTEGER);
  }
  // A `Layout` writes its layout string.
  const bound = bind && { layout: layout && `${layout}`, incarnation };
  if (onEvent !== undefined && typeof onEvent !== "function") {
    throw refused("onEvent", onEvent, "a function is");
  }
  const key = JSON.stringify([sequencer, mode, store, prefetchCount, prefetchValidityMs, bound]);
  const prefetch = { count: prefetchCount, validityMs: prefetchValidityMs };
  return { authority: found, token, sequencer, shards, mode, prefetch, store, bound, onEvent, key };
}

/**
 * The signal that ends a call's wait, if there is one.
 *
 * @param {string} what takes it
 * @param {WaitOptions | undefined} options
 */
export function signalOf(what, options) {
  if (options === undefined) return undefined;
  const { signal } = known(what, options, ["signal"]);
  // Of another realm, as in a test runner, it is no instance of the one here.
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function") {
    throw refused("signal", signal, "an AbortSignal is");
  }
  return signal;
}

/**
 * The signal that ends a call's wait, and the tag of its ids.
 *
 * @param {string} what takes them
 * @param {IdOptions | undefined} options
 */
export function idOptions(what, options) {
  if (options === undefined) return {};
  const { tag, ...rest } = known(what, options, ["signal", "tag"]);
  return { signal: signalOf(what, rest), tag: tag === undefined ? undefined : integer("tag", tag) };
}

/** @param {number} count */
export function checkCount(count) {
  if (Number.isInteger(count) && count >= 1 && count <= COUNT_MAX) return;
  throw new EdgeflakeError(
    "invalid-number",
    `count is ${count}: an integer of 1 to ${COUNT_MAX} is allowed`,
  );
}
