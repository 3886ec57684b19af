// Issues ids without leases: a Durable Object makes the ids, and is called once per id. This is the
// best case for that design, because nothing is stored and the call does nothing else.

import { DurableObject } from "cloudflare:workers";

const EPOCH_MS = 1_704_067_200_000;

export class Counter extends DurableObject {
  tick = 0;
  sequence = 0;

  next() {
    const now = Date.now() - EPOCH_MS;
    this.sequence = now > this.tick ? 0 : this.sequence + 1;
    this.tick = Math.max(now, this.tick);
    return ((BigInt(this.tick) << 22n) | BigInt(this.sequence)).toString();
  }
}

export default {
  /** @param {Request} _request @param {{ COUNTER: any }} env */
  async fetch(_request, env) {
    const id = await env.COUNTER.get(env.COUNTER.idFromName("default")).next();
    return new Response(`{"ids":["${id}"]}`, {
      headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
    });
  },
};
