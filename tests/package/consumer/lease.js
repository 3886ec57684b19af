// Tests that run on every platform: `edgeflake/lease` with a fake authority, `edgeflake/light` and
// `edgeflake/public`.

import { LeasedGenerator } from "edgeflake/lease";
import * as light from "edgeflake/light";
import { PublicIds } from "edgeflake/public";
import { HAZELCAST, LEASE_MS, namespace, service } from "./authority.js";
import { equal, throws } from "./expect.js";

/** @import { LeasedGeneratorOptions } from "edgeflake/lease" */

const CALLERS = 50;

const TWEET = 1541815603606036480n;
const KEY = "k:000102030405060708090a0b0c0d0e0f";

/** @type {Record<string, () => unknown>} */
export const tests = {
  "S1 S3 S20 Q17 many callers, one call of an object": async () => {
    const authority = namespace();
    const ids = new LeasedGenerator({ authority, sequencer: "orders" });
    equal([ids.state, ids.lease, ids.layout], ["acquiring", undefined, undefined]);
    const issued = await Promise.all(Array.from({ length: CALLERS }, () => ids.next()));
    equal([...new Set(issued.map((id) => HAZELCAST.decode(id).node))], [7]);
    equal(authority.calls, [["orders/0", "https://authority/v1/orders/0/", "acquire"]]);
    const { lease } = ids;
    equal([ids.state, ids.layout, lease?.node], ["attached", `${HAZELCAST}`, 7]);
    equal(Number(lease?.untilTick) - Number(lease?.fromTick), LEASE_MS);
    const batch = await ids.batch(100_000);
    equal([batch instanceof BigUint64Array, authority.calls.length], [true, 1]);
    equal(new Set([...issued, ...batch]).size, CALLERS + 100_000);
  },

  "one holder an authority, sequencer and mode": async () => {
    const authority = service();
    const make = (/** @type {Partial<LeasedGeneratorOptions>} */ options) =>
      new LeasedGenerator({ authority, token: "secret", ...options });
    const [one, same] = [make({}), make({ sequencer: "default" })];
    const [first, second] = [await one.next(), await same.next()];
    equal(second > first, true);
    equal(authority.calls.length, 1);
    // This is the longest name.
    await make({ sequencer: "a".repeat(63) }).next();
    await make({ mode: "batch" }).next();
    equal(authority.calls.length, 3);
    await same.detach();
    equal([one.state, make({ mode: "batch" }).state], ["detached", "batching"]);
    equal(
      authority.calls.map(({ url }) => new URL(url).pathname),
      [
        "/v1/sequencers/default/leases",
        `/v1/sequencers/${"a".repeat(63)}/leases`,
        "/v1/sequencers/default/batches",
        "/v1/sequencers/default/leases/release",
      ],
    );
    equal([...new Set(authority.calls.map(({ token }) => token))], ["Bearer secret"]);
    equal(authority.calls[3].fields.shard, 0);
  },

  "a redirect is not followed": async () => {
    const moved = { status: 301, headers: { location: "https://other/" } };
    const authority = service(() => new Response(null, moved));
    const error = await new LeasedGenerator({ authority }).next().catch((error) => error);
    const found = "301, a redirect to https://other/: authority must be edgeflake's Worker";
    const message = `https://edgeflake/v1/sequencers/default/leases answered ${found}`;
    equal([error.code, error.message], ["authority-unreachable", message]);
    equal([authority.calls.length, authority.calls[0].redirect], [1, "manual"]);
  },

  "light and public: an id as text, of a layout, and in opaque texts": () => {
    equal(light.parse(light.format(TWEET, "base62"), "base62"), TWEET);
    const decoder = new light.Decoder("timestamp:41 node:10 sequence:12 @1288834974657 tick=1ms");
    const { date, node, sequence } = decoder.decode(`${TWEET}`);
    equal([date, node, sequence], [new Date("2022-06-28T16:07:40.105Z"), 378, 0]);
    const orders = new PublicIds({ prefix: "ord", key: KEY });
    equal(orders.format(TWEET), "ord_kJYnezlDLK7oQV");
    equal(orders.parse("ord_kJYnezlDLK7oQV"), TWEET);
    throws(() => orders.parse("ord_kJYnezlDLK7oQW"), { code: "invalid-id" });
  },
};
