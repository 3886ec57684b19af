import { nameRefusal } from "../edgeflake_lease.js";
import { EdgeflakeError } from "../error.js";
import type { Encoding } from "../names.js";
import type { Check } from "../options.js";
import { check, FUNCTION, integer, integerOf, known, refused, shown } from "../options.js";
import type { LeaseEvent } from "./lease-log.js";
import type { Authority, ObjectNamespace, ServiceBinding } from "./transport.js";
import { isNamespace } from "./transport.js";

export interface LeasedGeneratorOptions<E extends Encoding | undefined = undefined> {
  /**
   * The authority, which grants the leases. Pass one of these:
   * - the binding of the Durable Object namespace `Authority`, with `script_name` if edgeflake is
   *   another Worker;
   * - the service binding or the URL of edgeflake's Worker;
   * - the URL of an authority on Node;
   * - `postgres(client)` of `edgeflake/postgres`.
   *
   * A URL is http or https, without a user name, query or fragment. The generator follows no
   * redirect.
   */
  authority: ObjectNamespace | ServiceBinding | string | URL;

  /**
   * The `EDGEFLAKE_LEASE_TOKEN` of edgeflake's Worker. A namespace needs no token. A service
   * binding is called over HTTP if there is a token, and over RPC otherwise.
   */
  token?: string | undefined;

  /** An existing sequencer's name. Default: `default`, which the Worker's variables configure. */
  sequencer?: string | undefined;

  /** The encoding of the strings that `next` and `tryNext` return. Default: they return bigints. */
  encoding?: E;

  /**
   * Number of shards of the sequencer, 1 to 64; used only with a namespace. A new process asks one
   * shard for a lease, and another shard if the first does not answer. With one shard, a new
   * process gets no lease while this shard is down.
   *
   * Default: for the sequencer `default`, the variable `EDGEFLAKE_SHARDS` of the Worker that runs
   * this code; otherwise 1. So set the option for any other sequencer, and for another Worker's
   * namespace.
   */
  shards?: number | undefined;

  /**
   * In mode `batch`, the generator leases no node. Instead it fetches batches of ids from the
   * authority, in the background. Default: `lease`.
   */
  mode?: "lease" | "batch" | undefined;

  /**
   * In mode `batch`: the number of ids in a batch, 1 to 100,000. Default: the authority's
   * `EDGEFLAKE_PREFETCH_COUNT`. If the ids of a batch are used up in less than 1 s, the next batch
   * is twice as large. If the ids last more than 4 s, the next batch is half as large, but never
   * smaller than this option.
   */
  prefetchCount?: number | undefined;

  /**
   * In mode `batch`: the time in ms for which the ids of a batch may be issued; 0 means no limit.
   * Default: the authority's `EDGEFLAKE_PREFETCH_VALIDITY_MILLIS`.
   */
  prefetchValidityMs?: number | undefined;

  /**
   * The path of a file that keeps the lease over a restart: the next process continues with the
   * same node, without a call to the authority. Allowed in Node, Deno and Bun, with a URL and mode
   * `lease`. Each process or worker thread needs a file of its own. Never start a process with a
   * copy of the file: the guarantees (see the link in the README) say which copies are not
   * recognised. Do not call `detach` before the process ends, because `detach` gives the lease
   * back.
   */
  store?: string | undefined;

  /**
   * Each time a sequencer is created, it gets a new incarnation, which is a number. Without `bind`,
   * a generator continues with the next incarnation. With `bind`, it issues ids of only one
   * incarnation: the given `incarnation` or, by default, that of the first lease or batch. After
   * this incarnation is destroyed, each call of the generator throws `sequencer-destroyed` or
   * `other-incarnation`, even if the sequencer is created again; then make another generator.
   *
   * `layout` is a layout string or a `Layout`. If the sequencer has another layout, every call
   * throws `other-layout`. A lease in a `store` with another layout or incarnation is not resumed.
   * The calls that create or show a sequencer return both values:
   *
   * ```js
   * const { layout, incarnation } = await admin.status("orders");
   * const bind = { layout, incarnation };
   * const ids = new LeasedGenerator({ authority, sequencer: "orders", bind });
   * ```
   */
  bind?:
    | {
        layout?: string | { toString(): string } | undefined;
        incarnation?: number | undefined;
      }
    | undefined;

  /**
   * Called with each {@link LeaseEvent} before the request that caused it continues. Only that
   * request's generator reports the event, so give all generators that share a lease the same
   * function. Its errors are thrown again in a microtask.
   */
  onEvent?: ((event: LeaseEvent) => void) | undefined;
}

export interface WaitOptions {
  /**
   * When the signal aborts, the promise rejects with the signal's `reason`. Other waiting calls are
   * not affected. A call to the authority continues for up to 10 s, so that the next request finds
   * the lease. Ids that the aborted call of `batch` has already taken are never issued.
   */
  signal?: AbortSignal | undefined;
}

export interface IdOptions extends WaitOptions {
  /** The value of the layout's tag fields, such as a resource type. Default: 0. */
  tag?: number | undefined;
}

const NAMES =
  "authority token sequencer encoding shards mode prefetchCount prefetchValidityMs store bind onEvent";

/** Checks a number of shards; the limit is `BoundConfig::SHARDS_MAX` of the Rust core. */
const SHARDS = integerOf(1, 64);

/** Checks a number of ids in a batch; edgeflake's Worker has the same limit. */
const COUNT = integerOf(1, 100_000);

/** The checks of single options. `checked` makes the checks that depend on several options. */
const CHECKS: { [Name in keyof LeasedGeneratorOptions]?: Check } = {
  token: [(token) => typeof token === "string", "give a string"],
  shards: SHARDS,
  mode: [(mode) => mode === "lease" || mode === "batch", 'give "lease" or "batch"'],
  prefetchCount: COUNT,
  prefetchValidityMs: integerOf(0, Number.MAX_SAFE_INTEGER),
  onEvent: FUNCTION,
};

// `instanceof` would refuse a signal of another realm, such as the realm of a test runner.
const SIGNAL: Check = [
  (signal) => typeof signal?.throwIfAborted === "function",
  "give an AbortSignal",
];

const logged = new Set<string>();

/** Returns an error about a wrong configuration, which no retry can fix. Logs each error once. */
export function misconfigured(message: string) {
  if (!logged.has(message)) {
    logged.add(message);
    console.error(JSON.stringify({ event: "configuration-refused", message }));
  }
  return new EdgeflakeError("invalid-configuration", message);
}

/** Checks the option `authority`; returns a URL as a string without a slash at its end. */
// biome-ignore lint/suspicious/noExplicitAny: JavaScript may give anything, which is refused
function authorityOf(given: any): Authority {
  if (typeof given === "string" || given instanceof URL) {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url && /^https?:$/.test(url.protocol) && url.username + url.search + url.hash === "") {
      return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
    }
    // A URL with a user name may have a password, so the error message shows only the URL's host.
    throw refused(
      "authority",
      url?.username ? url.host : `${given}`,
      "give an http(s) URL without user name, query or fragment, such as https://ids.example.com",
    );
  }
  if (given?.fetch || given?.getByName) return given;
  // A client of PostgreSQL has one of these methods.
  if (given?.query || given?.unsafe)
    throw refused("authority", given, "give postgres(client) of edgeflake/postgres");
  if (given == null) {
    throw misconfigured(
      `authority is ${given}: if it is a binding, add { "name": "AUTHORITY", "class_name": ` +
        '"Authority" } to durable_objects.bindings; if it is a URL, its variable is not set',
    );
  }
  // If the Durable Object class has no migration, its binding is the class, not a namespace.
  if (typeof given === "function") {
    throw misconfigured(
      'authority is a class without a migration: add { "tag": "v1", "new_sqlite_classes": ' +
        '["Authority", "Directory"] } to migrations',
    );
  }
  throw refused("authority", given, "give a URL, a namespace or a service");
}

/** Returns the variable `EDGEFLAKE_SHARDS` as a number. */
function shardsOf({ EDGEFLAKE_SHARDS: variable = 1 }: Record<string, unknown>) {
  const [isAllowed, allowed] = SHARDS;
  if (isAllowed(Number(variable))) return Number(variable);
  throw misconfigured(`EDGEFLAKE_SHARDS is ${shown(variable)}: ${allowed}`);
}

/** Checks the options of the function `what`, and returns them with their defaults. */
export function checked(
  what: string,
  options: LeasedGeneratorOptions<Encoding | undefined>,
  platform: { Store?: unknown; variables: Record<string, unknown> },
) {
  const given = known(what, options, NAMES.split(" "), CHECKS);
  const { sequencer = "default", mode = "lease", store, bind, ...others } = given;
  const authority = authorityOf(others.authority);
  const refusal = nameRefusal(typeof sequencer === "string" ? sequencer : "");
  if (refusal !== undefined) throw refused("sequencer", sequencer, refusal);
  // `EDGEFLAKE_SHARDS` configures only the sequencer `default`. Without a namespace, edgeflake's
  // Worker chooses the shard.
  const isOfVariables = sequencer === "default" && isNamespace(authority);
  const shards = others.shards ?? shardsOf(isOfVariables ? platform.variables : {});
  for (const name of ["prefetchCount", "prefetchValidityMs"] as const) {
    const allowed = 'leave it out, or set mode to "batch", because no other mode uses it';
    if (others[name] !== undefined && mode !== "batch") throw refused(name, others[name], allowed);
  }
  const isStorable = platform.Store && typeof authority === "string" && mode === "lease";
  if (store !== undefined && !(isStorable && typeof store === "string" && store !== "")) {
    const allowed =
      'give a path, but only in Node, Deno or Bun, with a URL as authority and mode "lease"';
    throw refused("store", store, allowed);
  }
  let bound: { layout: string | undefined; incarnation: number | undefined } | undefined;
  if (bind !== undefined) {
    const { layout, incarnation } = known("bind", bind, ["layout", "incarnation"]);
    check("bind.incarnation", incarnation, integerOf(1, Number.MAX_SAFE_INTEGER));
    bound = { layout: layout && `${layout}`, incarnation };
  }
  const { prefetchCount, prefetchValidityMs } = others;
  const key = JSON.stringify([sequencer, mode, store, prefetchCount, prefetchValidityMs, bound]);
  return { ...others, authority, sequencer, shards, mode, store, bound, key };
}

/** Checks the options of the call `what`, and returns the `signal`. */
export function signalOf(what: string, options: WaitOptions = {}) {
  return known(what, options, ["signal"], { signal: SIGNAL }).signal;
}

/** Checks the options of the call `what`, which issues ids. */
export function idOptions(what: string, options: IdOptions | undefined): IdOptions {
  if (options === undefined) return {};
  const { signal, tag } = known(what, options, ["signal", "tag"], { signal: SIGNAL });
  return { signal, tag: tag === undefined ? undefined : integer("tag", tag) };
}

export function checkCount(count: number) {
  const [isAllowed, allowed] = COUNT;
  if (!isAllowed(count)) throw refused("count", count, allowed, "invalid-number");
}
