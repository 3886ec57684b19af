import { nameRefusal } from "../edgeflake_lease.js";
import { EdgeflakeError } from "../error.js";
import type { Encoding } from "../names.js";
import { integer } from "../number.js";
import { known, refused, shown } from "../options.js";
import type { LeaseEvent } from "./lease.js";
import { misconfigured } from "./misconfigured.js";
import {
  type Authority,
  isNamespace,
  type ObjectNamespace,
  type ServiceBinding,
} from "./transport.js";

/** The options of a `LeasedGenerator`. */
export interface LeasedGeneratorOptions<E extends Encoding | undefined = undefined> {
  /**
   * The authority, which grants the leases: the binding of the namespace `Authority` (with
   * `script_name` in another Worker than edgeflake's), the service binding of edgeflake's Worker,
   * or its URL. A URL is http or https, without a user name, query and fragment. Redirects are not
   * followed, because they would turn a POST into a GET or lose the token.
   */
  authority: ObjectNamespace | ServiceBinding | string | URL;

  /**
   * The Worker's `EDGEFLAKE_LEASE_TOKEN`. A namespace needs none, and neither does a service
   * binding, which then leases over RPC; with a token it leases over HTTP.
   */
  token?: string | undefined;

  /** The name of a sequencer that exists. Default: `default`, that of the Worker's variables. */
  sequencer?: string | undefined;

  /**
   * The encoding in which `next` and `tryNext` return ids, as strings. Default: none, so
   * that they return bigints, which JSON does not have.
   */
  encoding?: E;

  /**
   * Number of shards of the sequencer, 1 to 64. It is used only with a namespace: a process that has
   * just started does not know the number, so it asks one of this many shards for a lease, and
   * another one if the first does not answer. With 1 it asks the registry (the first shard), and
   * gets no lease while the registry is down.
   *
   * Default: for the sequencer `default`, the variable `EDGEFLAKE_SHARDS` of the Worker that runs
   * this code, and 1 otherwise. Set it for any other sequencer, and if the namespace is that of
   * another Worker, whose variables cannot be read here.
   */
  shards?: number | undefined;

  /**
   * The source of the ids: a leased node, or batches of ids that are fetched ahead in the
   * background, as in Hazelcast's clients. Default: `lease`.
   */
  mode?: "lease" | "batch" | undefined;

  /**
   * The number of ids in a batch, 1 to 100,000, in mode `batch`. Default: the authority's
   * `EDGEFLAKE_PREFETCH_COUNT`. After a batch that is used up within a second, the next one has
   * twice as many ids; after one that lasts longer than 4 s, half as many, but never fewer than this
   * number. It corresponds to Hazelcast's `prefetchCount`.
   */
  prefetchCount?: number | undefined;

  /**
   * The time for which the ids of a batch may be issued, in ms, in mode `batch`. Ids that are left
   * after that are never issued. 0 means no limit. Default: the authority's
   * `EDGEFLAKE_PREFETCH_VALIDITY_MILLIS`. It corresponds to Hazelcast's `prefetchValidityMillis`.
   */
  prefetchValidityMs?: number | undefined;

  /**
   * The path of a file that keeps the lease over a restart, in Node, Deno and Bun, where the
   * authority is a URL and the mode `lease`: the next process goes on with the node, without a
   * call. A file serves one process or worker thread; the README says what happens to others, and
   * which copies cannot be seen.
   *
   * The limit of the ids is written, and synced, before they reach it, for a second of them at a
   * time. End the process without `detach`, which gives the lease back.
   */
  store?: string | undefined;

  /**
   * Binds the generator to one incarnation of the sequencer, so that it never issues ids of the
   * next one: this `incarnation`, or that of its first lease or batch. Once it is destroyed, every
   * call throws `sequencer-destroyed` or `other-incarnation`, also when the sequencer was created
   * again; make another generator then. Without `bind`, a generator goes on with the next
   * incarnation.
   *
   * With a `layout`, a layout string or a `Layout`, it issues ids of that layout alone: where the
   * sequencer has another, every call throws `other-layout`. The calls that create or show a
   * sequencer return both:
   *
   * ```js
   * const { layout, incarnation } = await admin.create("orders", { layout: "snowcast nodes=129" });
   * const bind = { layout, incarnation };
   * const ids = new LeasedGenerator({ authority, sequencer: "orders", bind });
   * ```
   *
   * With a `store`, a lease of another incarnation or layout is not gone on with.
   */
  bind?:
    | {
        layout?: string | { toString(): string } | undefined;
        incarnation?: number | undefined;
      }
    | undefined;

  /**
   * Called with each {@link LeaseEvent}, for logs and traces. Generators that share a lease do not
   * repeat each other's events: each event goes to the generator whose call to the authority or
   * whose waiting request brought it about, once. So give the same function to all of them, and you
   * get each event once.
   *
   * It is called within that request, before the request goes on. An error of it is thrown again in
   * a microtask, as by an event listener, and no id is missing because of it.
   *
   * ```js
   * new LeasedGenerator({ authority, onEvent: (event) => console.log(JSON.stringify(event)) });
   * ```
   */
  onEvent?: ((event: LeaseEvent) => void) | undefined;
}

/** The limit of a call's wait. */
export interface WaitOptions {
  /**
   * Ends the wait: the promise rejects with the signal's `reason`. Other waiters are not affected,
   * and the call to the authority goes on, for up to 10 s, so that the next caller finds its lease.
   * The ids that `batch` had gathered by then are never issued.
   */
  signal?: AbortSignal | undefined;
}

/** The limit of a call's wait, and the tag of its ids. */
export interface IdOptions extends WaitOptions {
  /** The value of the layout's tag fields, such as a resource type. Default: 0. */
  tag?: number | undefined;
}

/** Largest number of ids in a batch, as in the Worker. */
const COUNT_MAX = 100_000;

/** Largest number of shards: `BoundConfig::SHARDS_MAX` of the core. */
const SHARDS_MAX = 64;

const NAMES =
  "authority token sequencer encoding shards mode prefetchCount prefetchValidityMs store bind onEvent";

const BOUND = ["layout", "incarnation"];

/** Returns the authority of a caller; a URL has no slash at its end. */
// biome-ignore lint/suspicious/noExplicitAny: JavaScript may give anything, which is refused
function authorityOf(given: any): Authority {
  if (typeof given === "string" || given instanceof URL) {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url && /^https?:$/.test(url.protocol) && url.username + url.search + url.hash === "") {
      return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
    }
    // The message must not show a password.
    throw refused(
      "authority",
      url?.username ? url.host : `${given}`,
      "http or https without a user name, query and fragment, such as https://ids.example.com, is allowed",
    );
  }
  if (given?.fetch || given?.getByName) return given;
  if (given == null) {
    throw misconfigured(
      `authority is ${given}: if it is a binding, add { "name": "AUTHORITY", "class_name": ` +
        '"Authority" } to durable_objects.bindings; if it is a URL, its variable is not set',
    );
  }
  // Without a migration, the platform provides the class itself.
  if (typeof given === "function") {
    throw misconfigured(
      'authority is a class without a migration: add { "tag": "v1", "new_sqlite_classes": ' +
        '["Authority", "Directory"] } to migrations',
    );
  }
  throw refused("authority", given, "a URL, a namespace and a service are allowed");
}

const isInteger = (value: unknown, min: number, max: number) =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max;

/** Refuses anything but such an integer; without a value, the option was left out. */
function checkInteger(name: string, value: unknown, min: number, max: number) {
  if (value === undefined || isInteger(value, min, max)) return;
  throw refused(name, value, `an integer of ${min} to ${max} is allowed`);
}

/**
 * Returns the options with their defaults, and as `key` those by which generators of one authority
 * share a holder.
 *
 * @param what names the function that takes them
 * @param hasFiles says whether a store is possible here
 * @param variables are those of the Worker around this code
 */
export function checked(
  what: string,
  options: LeasedGeneratorOptions<Encoding | undefined>,
  hasFiles: boolean,
  variables: Record<string, unknown>,
) {
  const {
    authority,
    token,
    sequencer = "default",
    encoding,
    shards: given,
    mode = "lease",
    prefetchCount,
    prefetchValidityMs,
    store,
    bind,
    onEvent,
  } = known(what, options, NAMES.split(" "));
  const found = authorityOf(authority);
  if (token !== undefined && typeof token !== "string") {
    throw refused("token", token, "a string is allowed");
  }
  const refusal = nameRefusal(typeof sequencer === "string" ? sequencer : "");
  if (refusal !== undefined) throw refused("sequencer", sequencer, refusal);
  let shards = given;
  if (shards === undefined) {
    // The sequencer `default` is bound to the variables of its Worker, which may be this one.
    const isOfVariables = sequencer === "default" && isNamespace(found);
    const { EDGEFLAKE_SHARDS: variable = 1 } = isOfVariables ? variables : {};
    shards = Number(variable);
    if (!isInteger(shards, 1, SHARDS_MAX)) {
      const allowed = `an integer of 1 to ${SHARDS_MAX} is allowed`;
      throw misconfigured(`EDGEFLAKE_SHARDS is ${shown(variable)}: ${allowed}`);
    }
  } else {
    checkInteger("shards", shards, 1, SHARDS_MAX);
  }
  if (mode !== "lease" && mode !== "batch")
    throw refused("mode", mode, "lease and batch are allowed");
  for (const [name, value, min, max] of [
    ["prefetchCount", prefetchCount, 1, COUNT_MAX],
    ["prefetchValidityMs", prefetchValidityMs, 0, Number.MAX_SAFE_INTEGER],
  ] as [string, unknown, number, number][]) {
    if (value === undefined) continue;
    if (mode !== "batch")
      throw refused(name, value, "set mode to batch, where alone it is allowed");
    checkInteger(name, value, min, max);
  }
  const isStorable = hasFiles && typeof found === "string" && mode === "lease";
  if (store !== undefined && !(isStorable && typeof store === "string" && store !== "")) {
    const allowed = "a path, in Node, Deno and Bun, with a URL and mode lease, is allowed";
    throw refused("store", store, allowed);
  }
  const { layout, incarnation } = bind === undefined ? {} : known("bind", bind, BOUND);
  checkInteger("bind.incarnation", incarnation, 1, Number.MAX_SAFE_INTEGER);
  // A `Layout` as text is its layout string.
  const bound = bind && { layout: layout && `${layout}`, incarnation };
  if (onEvent !== undefined && typeof onEvent !== "function") {
    throw refused("onEvent", onEvent, "a function is allowed");
  }
  const key = JSON.stringify([sequencer, mode, store, prefetchCount, prefetchValidityMs, bound]);
  return {
    authority: found,
    token,
    sequencer,
    encoding,
    shards,
    mode,
    prefetchCount,
    prefetchValidityMs,
    store,
    bound,
    onEvent,
    key,
  };
}

/** Returns the signal that ends a call's wait, if there is one; `what` names the call. */
export function signalOf(what: string, options: WaitOptions = {}) {
  const { signal } = known(what, options, ["signal"]);
  // A signal of another realm, as in a test runner, is no instance of the class here.
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function") {
    throw refused("signal", signal, "an AbortSignal is allowed");
  }
  return signal;
}

/** Returns the signal that ends a call's wait, and the tag of its ids; `what` names the call. */
export function idOptions(what: string, options: IdOptions | undefined): IdOptions {
  if (options === undefined) return {};
  const { tag, ...rest } = known(what, options, ["signal", "tag"]);
  return { signal: signalOf(what, rest), tag: tag === undefined ? undefined : integer("tag", tag) };
}

export function checkCount(count: number) {
  if (isInteger(count, 1, COUNT_MAX)) return;
  throw new EdgeflakeError(
    "invalid-number",
    `count is ${count}: an integer of 1 to ${COUNT_MAX} is allowed`,
  );
}
