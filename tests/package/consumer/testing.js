// The tests of `edgeflake/testing` for every platform.

import { encodings, format, Layout } from "edgeflake";
import { LeasedGenerator } from "edgeflake/lease";
import { FakeIds } from "edgeflake/testing";
import { namespace } from "./authority.js";
import { equal, throws } from "./expect.js";

/** @param {() => Promise<unknown>} call @returns {Promise<any>} */
const failure = (call) => call().catch((error) => error);

/** @type {Record<string, () => unknown>} */
export const tests = {
  "fake ids: all that a leased generator has": () => {
    const namesOf = (/** @type {object} */ ids) =>
      Reflect.ownKeys(Object.getPrototypeOf(ids)).map(String);
    const leased = new LeasedGenerator({ authority: namespace() });
    const fake = namesOf(new FakeIds());
    equal(
      namesOf(leased).filter((name) => !fake.includes(name)),
      [],
    );
    equal(Object.keys(new FakeIds().stats()), Object.keys(leased.stats()));
  },

  "fake ids: ascending, from a start, and pinned": async () => {
    const ids = new FakeIds();
    equal([await ids.next(), ids.tryNext(), await ids.nextString()], [1n, 2n, "3"]);
    equal(await ids.batch(3), BigUint64Array.of(4n, 5n, 6n));
    await ids.ready();
    equal([ids.tryNext(), ids.stats().issued], [7n, 7]);
    const last = 2n ** 64n - 1n;
    const end = new FakeIds({ start: last });
    equal(end.tryNext(), last);
    throws(() => end.tryNext(), { code: "exhausted" });

    const pinned = new FakeIds({ ids: [9n, 3n, 9n] });
    equal([pinned.tryNext(), await pinned.next()], [9n, 3n]);
    equal((await failure(() => pinned.batch(2))).code, "exhausted");
    equal([pinned.tryNext(), pinned.stats().exhausted], [9n, 1]);
    throws(() => pinned.tryNext(), { code: "exhausted" });
  },

  "fake ids: as text": async () => {
    for (const id of [0n, 1n, 61n, 1541815603606036480n, 2n ** 63n, 2n ** 64n - 1n]) {
      for (const encoding of encodings()) {
        equal(await new FakeIds({ ids: [id] }).nextString(encoding), format(id, encoding));
      }
    }
    const hex = new FakeIds({ encoding: "hex" });
    equal(
      [await hex.next(), hex.tryNext(), await hex.nextString(), (await hex.batch(1))[0]],
      ["0000000000000001", "0000000000000002", "0000000000000003", 4n],
    );
  },

  "fake ids: calls that fail": async () => {
    const ids = new FakeIds();
    ids.failNext("overloaded", { retryInMs: 2_000, times: 2 });
    ids.failNext("not-ready", { message: "not yet" });
    const error = await failure(() => ids.next());
    equal([error.code, error.retryInMs], ["overloaded", 2_000]);
    equal((await failure(() => ids.nextString("hex"))).code, "overloaded");
    throws(() => ids.tryNext(), { code: "not-ready", message: "not yet", retryInMs: undefined });
    equal(ids.tryNext(), 1n);
  },

  "fake ids: detached, attached, aborted": async () => {
    const lease = { node: 5, fromTick: 1, untilTick: 2, incarnation: 3 };
    const layout = "timestamp:41 node:22 @2020-01-01";
    const ids = new FakeIds({ lease, layout });
    equal([ids.state, ids.lease, ids.layout], ["attached", lease, layout]);
    await ids.detach();
    equal([ids.state, ids.lease], ["detached", undefined]);
    throws(() => ids.tryNext(), { code: "detached" });
    await ids.attach();
    equal(ids.tryNext(), 1n);
    const signal = AbortSignal.abort("left");
    for (const call of [
      ids.next({ signal }),
      ids.nextString("hex", { signal }),
      ids.batch(1, { signal }),
      ids.ready({ signal }),
      ids.attach({ signal }),
    ].map((call) => call.catch((reason) => reason))) {
      equal(await call, "left");
    }
    await ids[Symbol.asyncDispose]();
    equal([ids.state, ids.stats().issued], ["detached", 1]);
    equal(Layout.parse(`${new FakeIds().layout}`).toString(), `${Layout.preset("hazelcast")}`);
  },
};
