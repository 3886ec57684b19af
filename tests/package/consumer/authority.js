// A fake authority, which runs on every platform of the suite.

import { Layout } from "edgeflake";

export const HAZELCAST = Layout.preset("hazelcast");
export const LEASE_MS = 300_000;

/** The fields that describe the sequencer in every grant, renewal and batch. */
const BOUND = {
  incarnation: 1,
  layout: `${HAZELCAST}`,
  first_node: 0,
  node_count: 64,
  shards: 4,
  lease_ms: LEASE_MS,
  allowed_future_ms: 15_000,
};

/** Returns the current tick, whose length is 1 ms. */
const tick = () => Date.now() - HAZELCAST.epochMs;

/**
 * Returns the authority's answer to a message. Fields in `other` replace the usual ones.
 *
 * @param {string} name @param {Record<string, any>} fields @param {Partial<typeof BOUND>} [other]
 */
function answer(name, { token }, other) {
  const from_tick = tick();
  const until_tick = from_tick + LEASE_MS;
  const bound = { ...BOUND, ...other };
  if (name === "acquire") return { granted: { token, node: 7, from_tick, until_tick, ...bound } };
  if (name === "renew") return { renewed: { ...bound, token, until_tick } };
  if (name === "prefetch") {
    // The batch has 100 ids: a whole tick of 64, and a part of the next.
    const until = { until_tick: from_tick + 1, until_sequence: 36 };
    return { batched: { ...bound, node: 1, from_tick, from_sequence: 0, ...until } };
  }
  return { released: { token, incarnation: 1 } };
}

/**
 * Makes a namespace that records the requests to each object. If `instead` returns a response, the
 * object answers with it.
 *
 * @param {(signal: AbortSignal) => Promise<Response> | undefined} [instead]
 */
export function namespace(instead) {
  /** @type {[string, string, string][]} */
  const calls = [];
  return {
    calls,
    /** @param {string} object */
    getByName: (object) => ({
      /** @param {string} url @param {RequestInit} [init] */
      async fetch(url, init) {
        const [[name, fields]] = Object.entries(JSON.parse(`${init?.body}`));
        calls.push([object, url, name]);
        const { signal } = /** @type {{ signal: AbortSignal }} */ (init);
        return (await instead?.(signal)) ?? Response.json(answer(name, fields));
      },
    }),
  };
}

/** @type {Record<string, string>} */
const NAMES = { leases: "acquire", renew: "renew", batches: "prefetch", release: "release" };

/**
 * Makes a service that records its requests. If `instead` returns a response, the service answers
 * with it. Otherwise it answers as usual, but with the fields in `other`.
 *
 * @param {() => Response | undefined | Promise<Response | undefined>} [instead]
 * @param {Partial<typeof BOUND>} [other]
 */
export function service(instead, other) {
  /** @type {{ url: string, token: string | null, redirect?: string, fields: Record<string, any> }[]} */
  const calls = [];
  return {
    calls,
    /** @param {string} url @param {RequestInit} [init] */
    async fetch(url, init) {
      const fields = JSON.parse(`${init?.body}`);
      const token = new Headers(init?.headers).get("authorization");
      calls.push({ url, token, redirect: init?.redirect, fields });
      const name = NAMES[`${url.split("/").at(-1)}`];
      return (await instead?.()) ?? Response.json(answer(name, fields, other));
    },
  };
}
