// Tests that run on every platform: `edgeflake/lease` with a fake authority, `edgeflake/light` and
// `edgeflake/public`.

import { EdgeflakeError, encodings, format, parse } from "edgeflake";
import { LeasedGenerator } from "edgeflake/lease";
import * as light from "edgeflake/light";
import { PublicIds } from "edgeflake/public";
import { HAZELCAST, LEASE_MS, namespace, service } from "./authority.js";
import { equal, throws } from "./expect.js";

/** @import { LeasedGeneratorOptions } from "edgeflake/lease" */

const CALLERS = 50;

const TWEET = 1541815603606036480n;
const KEY = "k:000102030405060708090a0b0c0d0e0f";
const LAYOUT = "timestamp:41 node:10 sequence:12 @1288834974657 tick=1ms";

/** Returns the reason why there is no id. @param {LeasedGenerator} ids */
async function failure(ids) {
  try {
    await ids.next();
  } catch (error) {
    if (error instanceof EdgeflakeError) return error;
  }
  throw new Error("an EdgeflakeError was expected");
}

/** @type {Record<string, () => unknown>} */
export const tests = {
  "S1 S3 S20 Q17 many callers, one call of an object": async () => {
    const authority = namespace();
    const ids = new LeasedGenerator({ authority, sequencer: "orders" });
    equal([ids.state, ids.lease, ids.layout], ["acquiring", undefined, undefined]);
    const issued = await Promise.all(Array.from({ length: CALLERS }, () => ids.next()));
    equal(new Set(issued.map((id) => HAZELCAST.decode(id).node)), new Set([7]));
    equal(authority.calls, [["orders/0", "https://authority/v1/orders/0/", "acquire"]]);
    const { lease } = ids;
    equal([ids.state, ids.layout, lease?.node], ["attached", `${HAZELCAST}`, 7]);
    equal(Number(lease?.untilTick) - Number(lease?.fromTick), LEASE_MS);
    const batch = await ids.batch(100_000);
    equal([batch instanceof BigUint64Array, authority.calls.length], [true, 1]);
    equal(new Set([...issued, ...batch]).size, CALLERS + 100_000);
  },

  "one that is shared": async () => {
    const authority = namespace();
    const ids = LeasedGenerator.shared({ authority, sequencer: "orders" });
    equal(LeasedGenerator.shared({ authority, sequencer: "orders" }), ids);
    equal(LeasedGenerator.shared({ authority }) === ids, false);
    equal(LeasedGenerator.shared({ authority: namespace(), sequencer: "orders" }) === ids, false);
    for (const other of /** @type {const} */ ([{ token: "t" }, { shards: 2 }])) {
      throws(() => LeasedGenerator.shared({ authority, sequencer: "orders", ...other }), {
        code: "invalid-option",
      });
    }
    // Generators with different encodings share a lease.
    const hex = { authority, sequencer: "orders", encoding: /** @type {const} */ ("hex") };
    const texts = LeasedGenerator.shared(hex);
    equal(LeasedGenerator.shared(hex), texts);
    equal(parse(await texts.next(), "hex") < (await ids.next()), true);
    equal(authority.calls.length, 1);
    await texts[Symbol.asyncDispose]();
    const url = { authority: "https://ids.example", token: "t" };
    equal(LeasedGenerator.shared(url), LeasedGenerator.shared(url));
    const first = await ids.next();
    equal(first < (await ids.next()), true);

    // A disposed generator is no longer shared.
    await ids[Symbol.asyncDispose]();
    const other = LeasedGenerator.shared({ authority, sequencer: "orders" });
    equal(other === ids, false);
    await other.next();
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
    equal(new Set(authority.calls.map(({ token }) => token)), new Set(["Bearer secret"]));
    equal(authority.calls[3].fields.shard, 0);
  },

  "ids as text": async () => {
    const authority = namespace();
    const ids = new LeasedGenerator({ authority });
    let last = BigInt(await ids.nextString());
    for (const encoding of encodings()) {
      const own = new LeasedGenerator({ authority, encoding });
      for (const text of [await ids.nextString(encoding), await own.next(), own.tryNext()]) {
        const id = parse(text, encoding);
        equal([text, id > last], [format(id, encoding), true]);
        last = id;
      }
    }
    equal(ids.stats().issued, 3 * encodings().length + 1);
    const wrong = /** @type {any} */ ("base63");
    const error = await ids.nextString(wrong).catch((error) => error);
    equal(error.code, "unknown-encoding");
    const make = () => new LeasedGenerator({ authority, encoding: wrong });
    throws(make, { code: error.code, message: error.message });
  },

  "S19 bound to a layout and an incarnation": async () => {
    const bind = { layout: HAZELCAST, incarnation: 1 };
    await new LeasedGenerator({ authority: namespace(), bind }).next();
    for (const mode of /** @type {const} */ (["lease", "batch"])) {
      const layout = "timestamp:41 node:10 sequence:12 @2020-01-01";
      const authority = namespace();
      const wrong = new LeasedGenerator({ authority, mode, bind: { layout } });
      const { code, retryInMs } = await failure(wrong);
      equal([code, retryInMs], ["other-layout", undefined]);
      equal([wrong.state, wrong.lease, wrong.layout], ["detached", undefined, `${HAZELCAST}`]);
      equal((await failure(wrong)).code, "other-layout");
      equal(
        authority.calls.map(([, , name]) => name),
        mode === "lease" ? ["acquire", "release"] : ["prefetch"],
      );
    }
  },

  "S23 bound to what is destroyed": async () => {
    let isDestroyed = true;
    const refused = { refusal: "sequencer-destroyed", incarnation: 1 };
    const authority = service(() =>
      isDestroyed ? Response.json({ refused }, { status: 410 }) : undefined,
    );
    const options = { authority, bind: { incarnation: 1 } };
    const ids = new LeasedGenerator(options);
    const shared = LeasedGenerator.shared(options);
    equal((await failure(ids)).retryInMs, undefined);
    // The sequencer stays destroyed for this generator. A new generator has its own holder.
    isDestroyed = false;
    equal([(await failure(ids)).code, ids.state], ["sequencer-destroyed", "destroyed"]);
    equal((await failure(shared)).code, "sequencer-destroyed");
    equal(authority.calls.length, 1);
    await new LeasedGenerator(options).next();
    const again = LeasedGenerator.shared(options);
    equal(again === shared, false);
    await again.next();
    await shared[Symbol.asyncDispose]();
    equal(LeasedGenerator.shared(options), again);
    equal((await failure(ids)).code, "sequencer-destroyed");
  },

  "a definite answer of another server fails at once": async () => {
    const [type, location] = ["text/html", "https://other/"];
    const detail = { type: "/problems/not-found", detail: "no route" };
    for (const [response, found] of /** @type {[() => Response, string][]} */ ([
      [
        () => new Response(null, { status: 301, headers: { location } }),
        "301, a redirect to https://other/: authority must be edgeflake's Worker",
      ],
      [
        () => new Response("<html>", { headers: { "content-type": type } }),
        "200, text/html: authority must be edgeflake's Worker",
      ],
      [() => Response.json(detail, { status: 404 }), "404, no route"],
    ])) {
      const authority = service(response);
      const error = await failure(new LeasedGenerator({ authority }));
      const message = `https://edgeflake/v1/sequencers/default/leases answered ${found}`;
      equal([error.code, error.message], ["authority-unreachable", message]);
      equal([authority.calls.length, authority.calls[0].redirect], [1, "manual"]);
    }
  },

  "why the authority did not answer": async () => {
    const authority = service(() => {
      throw new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND ids") });
    });
    const error = await failure(new LeasedGenerator({ authority }));
    equal(error.message, "the authority did not answer: getaddrinfo ENOTFOUND ids");
    const { code, cause } = error;
    equal([code, /** @type {Error} */ (cause).message], ["authority-unreachable", "fetch failed"]);
  },

  "the last generator that is disposed of gives the lease back": async () => {
    const authority = service();
    const [one, other] = [new LeasedGenerator({ authority }), new LeasedGenerator({ authority })];
    await one.next();
    await one[Symbol.asyncDispose]();
    await one[Symbol.asyncDispose]();
    equal([other.state, authority.calls.length], ["attached", 1]);
    await other.next();
    await other[Symbol.asyncDispose]();
    equal([other.state, authority.calls.length], ["detached", 2]);
    // A generator that is made afterwards acquires a new lease.
    const next = new LeasedGenerator({ authority });
    await next.next();
    equal([next.state, authority.calls.length], ["attached", 3]);
    // Detaching one generator detaches all generators that share its lease.
    const last = new LeasedGenerator({ authority });
    await last.detach();
    equal(next.state, "detached");
  },

  "light: ids as text and in JSON, and an id of one layout": () => {
    for (const value of [5, TWEET, undefined, null, {}]) equal(light.isId(value), false);
    equal(
      [light.format(TWEET, "base62"), light.isId("1ptWyK4WgZU", "base62")],
      ["1ptWyK4WgZU", true],
    );
    const json = JSON.stringify({ id: TWEET }, light.jsonReplacer);
    equal(JSON.parse(json, light.jsonReviver("id")), { id: TWEET });
    throws(() => light.parse("1ptWyK4WgZ!", "base62"), { code: "invalid-id" });
    const { timestampMs, date, node, sequence, tag } = new light.Decoder(LAYOUT).decode(`${TWEET}`);
    equal([timestampMs, date], [1656432460105, new Date("2022-06-28T16:07:40.105Z")]);
    equal([node, sequence, tag], [378, 0, 0]);
    throws(() => new light.Decoder(LAYOUT).decode(2n ** 63n), { code: "unused-bits" });
    const wide = new light.Decoder("timestamp:11 node:53 @0 tick=1ms");
    equal(wide.decode(2n ** 64n - 1n).node, 2 ** 53 - 1);
  },

  "public: opaque and plain texts": () => {
    const orders = new PublicIds({ prefix: "ord", key: KEY });
    equal(orders.format(TWEET), "ord_kJYnezlDLK7oQV");
    equal(orders.parse("ord_kJYnezlDLK7oQV"), TWEET);
    throws(() => orders.parse("ord_kJYnezlDLK7oQW"), { code: "invalid-id" });
    equal(new PublicIds({ prefix: "ord", key: null }).format(TWEET), "ord_1ptWyK4WgZU");
  },
};
