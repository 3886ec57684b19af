// A leased generator on a simulated clock: ids from memory, aborted waits, counters and events, and
// the size of batches.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Layout } from "edgeflake";
import { LeasedGenerator } from "edgeflake/lease";
import { HAZELCAST, LEASE_MS, namespace, service } from "./consumer/authority.js";

/** @import { LeasedGeneratorOptions, LeaseEvent } from "edgeflake/lease" */

const START_MS = Date.UTC(2027, 0, 1);

/** Ids per tick of the layout. */
const IDS_PER_TICK = 64;

/** @type {import("node:test").MockTimers} */
let timers;
beforeEach((t) => {
  timers = /** @type {import("node:test").TestContext} */ (t).mock.timers;
  timers.enable({ apis: ["setTimeout", "Date"], now: START_MS });
});

/** Waits until everything has run that does not wait for a timer. */
async function settle() {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
}

// A call that continues has a timer of this test's clock.
afterEach(settle);

/** @param {number} ms */
async function pass(ms) {
  await settle();
  for (let i = 0; i < ms; i++) {
    timers.tick(1);
    await settle();
  }
}

/** Sets the clock forward without running timers. @param {number} ms */
const jump = (ms) => timers.setTime(Date.now() + ms);

/**
 * Lists the calls of a service, by the last part of the URL.
 *
 * @param {ReturnType<typeof service>} authority
 */
const calls = ({ calls }) => calls.map(({ url }) => url.split("/").at(-1));

/** @param {bigint} id */
const placeOf = (id) => {
  const { timestampMs, sequence } = HAZELCAST.decode(id);
  return [timestampMs - START_MS, sequence];
};

/** @param {Partial<LeasedGeneratorOptions>} [options] */
function make(options) {
  /** @type {LeaseEvent[]} */
  const events = [];
  const authority = service();
  const onEvent = (/** @type {LeaseEvent} */ event) => events.push(event);
  const ids = new LeasedGenerator({ authority, onEvent, ...options });
  return { authority, ids, events };
}

/**
 * Makes a call for a lease or a batch, whose answer comes without a wait.
 *
 * @param {LeasedGenerator} ids
 */
async function acquire(ids) {
  assert.throws(() => ids.tryNext(), { code: "not-ready" });
  await settle();
}

/** Awaits a call while time passes. @template T @param {Promise<T>} call */
async function awaited(call) {
  let isSettled = false;
  const settled = () => {
    isSettled = true;
  };
  call.then(settled, settled);
  while (!isSettled) await pass(1);
  return call;
}

/** Makes a service that answers when the test says so, and the signals of its calls. */
function waiting() {
  /** @type {((response?: Response) => void)[]} */
  const open = [];
  /** @type {(AbortSignal | null | undefined)[]} */
  const signals = [];
  const { calls, fetch } = service(() => new Promise((resolve) => open.push(resolve)));
  const authority = {
    calls,
    fetch(/** @type {string} */ url, /** @type {RequestInit | undefined} */ init) {
      signals.push(init?.signal);
      return fetch(url, init);
    },
  };
  const answer = async (/** @type {Response | undefined} */ response = undefined) => {
    for (const resolve of open.splice(0)) resolve(response);
    await settle();
  };
  return { authority, signals, answer };
}

test("S5 H5 tryNext acquires and renews in the background", async () => {
  const { authority, ids } = make();
  const message =
    "no id is in memory yet, and the authority was asked: await ready() first, or try again";
  assert.throws(() => ids.tryNext(), { code: "not-ready", message, retryInMs: 25 });
  assert.throws(() => ids.tryNext(), { code: "not-ready" });
  await settle();
  // Both calls asked once, and neither took an id.
  assert.deepEqual(calls(authority), ["leases"]);
  assert.deepEqual(placeOf(ids.tryNext()), [0, 0]);
  assert.deepEqual(placeOf(await ids.next()), [0, 1]);

  const until = Number(ids.lease?.untilTick);
  jump(LEASE_MS - 1);
  ids.tryNext();
  assert.equal(ids.state, "renewing");
  ids.tryNext();
  await settle();
  assert.deepEqual(calls(authority), ["leases", "renew"]);
  assert.equal(ids.lease?.untilTick, until + LEASE_MS - 1);
  assert.deepEqual(placeOf(ids.tryNext()), [LEASE_MS - 1, 2]);
});

test("tryNext says why there is no id", async () => {
  const problem = { refused: { refusal: "overloaded", incarnation: 1, retry_in_ms: 2_000 } };
  const overloaded = make({
    authority: service(() => Response.json(problem, { status: 503 })),
  });
  assert.throws(() => overloaded.ids.tryNext(), { code: "not-ready" });
  await settle();
  assert.throws(
    () => overloaded.ids.tryNext(),
    ({ code, retryInMs }) => code === "overloaded" && 2_200 <= retryInMs && retryInMs <= 2_400,
  );

  for (const code of ["forbidden", "unauthorized"]) {
    let isDenied = true;
    const problem = { type: `/problems/${code}`, detail: "no" };
    const authority = service(() =>
      isDenied ? Response.json(problem, { status: 403 }) : undefined,
    );
    const { ids } = make({ authority });
    const denied = (/** @type {any} */ error) =>
      error.code === code && error.message === "no" && error.retryInMs === undefined;
    await assert.rejects(awaited(ids.next()), denied);
    assert.throws(() => ids.tryNext(), denied);
    assert.deepEqual(calls(authority), ["leases"]);
    // The authority knows the token by now.
    isDenied = false;
    await pass(1_000);
    await awaited(ids.ready());
  }

  let isDown = true;
  const silent = make({
    authority: service(() => (isDown ? Promise.reject(new Error("no route")) : undefined)),
  });
  assert.throws(() => silent.ids.tryNext(), { code: "not-ready" });
  await settle();
  const message = "the authority did not answer: no route";
  assert.throws(() => silent.ids.tryNext(), { code: "authority-unreachable", message });
  // An answer ends the error.
  isDown = false;
  await awaited(silent.ids.ready());
  jump(2 * LEASE_MS);
  assert.throws(() => silent.ids.tryNext(), { code: "not-ready" });
});

test("an object that its platform calls overloaded is left alone", async () => {
  const busy = Object.assign(new Error("too much waits for it"), { overloaded: true });
  const authority = namespace(() => Promise.reject(busy));
  const { ids } = make({ authority });
  const { code, retryInMs } = await awaited(ids.next().catch((error) => error));
  assert.ok(code === "overloaded" && retryInMs >= 1_000, `${code}, ${retryInMs} ms`);
  // The retries come 2.2 to 2.4 s after the refusal, then 2.4 to 2.8 s.
  assert.ok(authority.calls.length <= 3, `${authority.calls.length} calls in 5 s`);
});

test("the allowed future is used up", async () => {
  const { ids, events } = make({ authority: service(undefined, { allowed_future_ms: 0 }) });
  await acquire(ids);
  await ids.batch(IDS_PER_TICK);
  const exhausted = { code: "exhausted", retryInMs: 1 };
  assert.throws(() => ids.tryNext(), exhausted);
  assert.throws(() => ids.tryNext(), exhausted);
  const next = ids.next();
  await pass(1);
  assert.deepEqual(placeOf(await next), [1, 0]);
  assert.equal(ids.stats().exhausted, 3);
  // The event comes once per second.
  const told = { type: "exhausted", sequencer: "default", retryInMs: 1 };
  assert.deepEqual(events.slice(1), [told]);
  // A request that waits for several ticks counts once.
  await awaited(ids.batch(4 * IDS_PER_TICK - 1));
  assert.equal(ids.stats().exhausted, 4);
  jump(START_MS + 1_000 - Date.now());
  await ids.batch(IDS_PER_TICK);
  assert.throws(() => ids.tryNext(), exhausted);
  assert.deepEqual(events.slice(2), [told]);
});

test("ready takes no id", async () => {
  const { authority, ids } = make();
  await awaited(Promise.all([ids.ready(), ids.ready()]));
  await ids.ready();
  assert.equal(placeOf(ids.tryNext())[1], 0);
  assert.deepEqual([calls(authority), ids.stats().issued], [["leases"], 1]);

  const batch = make({ mode: "batch", prefetchCount: 1 });
  await awaited(batch.ids.ready());
  assert.equal(placeOf(batch.ids.tryNext())[1], 0);
});

test("ready waits as long as next does, and leaves the call to others that wait", async () => {
  const { authority, answer, signals } = waiting();
  const { ids } = make({ authority });
  const ready = assert.rejects(ids.ready(), { code: "authority-unreachable" });
  await pass(2_000);
  const next = ids.next();
  await pass(3_000);
  await ready;
  assert.equal(
    signals.some((signal) => signal?.aborted),
    false,
  );
  await answer();
  await awaited(next);
});

test("S27 S31 attach acquires at once, and is attached after an error, too", async () => {
  const { authority, answer } = waiting();
  const { ids } = make({ authority });
  assert.equal(ids.state, "acquiring");
  await ids.detach();
  assert.equal(ids.state, "detached");
  assert.throws(() => ids.tryNext(), { code: "detached" });
  const attached = ids.attach();
  await answer();
  await awaited(attached);
  assert.equal(ids.state, "attached");
  const detached = ids.detach();
  await answer();
  await detached;

  const refused = { refusal: "sequencer-destroyed", incarnation: 1 };
  const failed = assert.rejects(ids.attach(), (/** @type {any} */ { code, retryInMs }) => {
    // The sequencer may be created again.
    return code === "sequencer-destroyed" && retryInMs > 0;
  });
  await answer(Response.json({ refused }, { status: 410 }));
  await awaited(failed);
  assert.equal(ids.state, "destroyed");
  // Each lease has a token of its own.
  const [first, released, second] = authority.calls.map(({ fields }) => fields.token);
  assert.ok(first === released && first !== second);
});

/** Makes a signal that counts its listeners. */
function counted() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = { added: 0, removed: 0 };
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (/** @type {[any, any]} */ ...args) => {
    listeners.added++;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (/** @type {[any, any]} */ ...args) => {
    listeners.removed++;
    removeEventListener.apply(signal, args);
  };
  return { controller, signal, listeners };
}

test("an aborted wait takes no id, and nothing from others", async () => {
  const { authority, answer } = waiting();
  const { ids } = make({ authority });
  const { controller, signal, listeners } = counted();
  const reason = new Error("the client has left");
  const rejected = [ids.next({ signal }), ids.batch(500, { signal }), ids.ready({ signal })].map(
    (call) => assert.rejects(call, (error) => error === reason),
  );
  const waits = [ids.next(), ids.next()];
  await pass(100);
  controller.abort(reason);
  await Promise.all(rejected);
  // The three listeners of the aborted waits are gone.
  assert.equal(listeners.added - listeners.removed, 3);
  assert.ok(listeners.removed > 3);

  await answer();
  const first = await awaited(Promise.all(waits));
  assert.deepEqual(
    first.map((id) => placeOf(id)[1]),
    [0, 1],
  );
  // A signal that was aborted before makes no call, whether there is an id or not.
  await assert.rejects(ids.next({ signal }), (error) => error === reason);
  assert.equal(placeOf(ids.tryNext())[1], 2);
  assert.equal(ids.stats().issued, 3);
  assert.deepEqual(calls(authority), ["leases"]);
});

test("a signal that does not abort keeps no listener", async () => {
  const { authority, answer } = waiting();
  const { ids } = make({ authority });
  const { signal, listeners } = counted();
  const next = ids.next({ signal });
  await pass(10);
  await answer();
  await pass(25);
  await next;
  assert.ok(listeners.added > 0);
  assert.equal(listeners.added, listeners.removed);
});

test("the call of an aborted wait serves the next one", async () => {
  const { authority, answer, signals } = waiting();
  const { ids } = make({ authority });
  const aborted = assert.rejects(ids.next({ signal: AbortSignal.abort("late") }), (error) => {
    return error === "late";
  });
  await aborted;
  assert.deepEqual(calls(authority), []);
  const leaving = new AbortController();
  const left = assert.rejects(ids.next({ signal: leaving.signal }), { name: "AbortError" });
  leaving.abort();
  await left;
  assert.deepEqual(
    signals.map((signal) => signal?.aborted),
    [false],
  );
  await answer();
  assert.deepEqual(placeOf(ids.tryNext()), [0, 0]);
  assert.deepEqual(calls(authority), ["leases"]);
});

test("an aborted batch gives back the ids for which it waited", async () => {
  const { ids } = make({ authority: service(undefined, { allowed_future_ms: 0 }) });
  await acquire(ids);
  const leaving = new AbortController();
  const { signal } = leaving;
  const left = assert.rejects(ids.batch(5 * IDS_PER_TICK, { signal }), { name: "AbortError" });
  await pass(1);
  leaving.abort();
  await left;
  // Time has passed the ids of the first tick.
  assert.deepEqual([placeOf(ids.tryNext()), ids.stats().issued], [[1, 0], 1]);
});

test("of 400 calls of which 387 are aborted, the next one does not wait for them", async () => {
  const { ids } = make({ authority: service(undefined, { allowed_future_ms: 0 }) });
  await acquire(ids);
  await ids.batch(IDS_PER_TICK);
  const leaving = new AbortController();
  const { signal } = leaving;
  const left = [];
  const stay = [];
  for (let call = 0; call < 400; call++) {
    if (call % 31 === 30) stay.push(ids.batch(IDS_PER_TICK));
    else left.push(assert.rejects(ids.batch(IDS_PER_TICK, { signal }), { name: "AbortError" }));
  }
  leaving.abort();
  await Promise.all(left);
  // Without an abort it would come 400 ms later.
  const next = ids.next();
  await pass(2);
  assert.ok(placeOf(await next)[0] <= 3);
  await pass(400);
  const all = (await Promise.all(stay)).flatMap((batch) => [...batch]);
  assert.equal(new Set(all).size, stay.length * IDS_PER_TICK);
});

test("H28 counters and events of a lease's life", async () => {
  const refused = { refusal: "sequencer-destroyed", incarnation: 1 };
  let isDestroyed = false;
  const authority = service(() =>
    isDestroyed ? Response.json({ refused }, { status: 410 }) : undefined,
  );
  const { ids, events } = make({ authority, sequencer: "orders" });
  /** @type {LeaseEvent[]} */
  const others = [];
  const other = new LeasedGenerator({
    authority,
    sequencer: "orders",
    onEvent: (event) => others.push(event),
  });
  const told = () => events.splice(0).map(({ sequencer, ...event }) => event);
  await acquire(ids);
  await ids.next();
  const acquired = ids.lease;
  assert.deepEqual(told(), [{ type: "acquired", lease: acquired, resumed: false, tookMs: 0 }]);

  jump(LEASE_MS - 1);
  await other.next();
  await settle();
  // The call was the other generator's.
  assert.deepEqual(told(), []);
  const renewed = ids.lease;
  assert.deepEqual(others, [{ type: "renewed", lease: renewed, tookMs: 0, sequencer: "orders" }]);

  // The process sleeps past the end.
  jump(2 * LEASE_MS);
  assert.throws(() => ids.tryNext(), { code: "not-ready" });
  await acquire(ids);
  await ids.batch(2);
  assert.deepEqual(told(), [
    { type: "lost", lease: renewed, code: "span-ended" },
    { type: "acquired", lease: ids.lease, resumed: false, tookMs: 0 },
  ]);

  jump(-1);
  const again = ids.lease;
  await ids.next();
  isDestroyed = true;
  jump(LEASE_MS);
  ids.tryNext();
  await settle();
  assert.deepEqual(told(), [{ type: "lost", lease: again, code: "sequencer-destroyed" }]);
  await assert.rejects(ids.next(), { code: "sequencer-destroyed" });
  assert.deepEqual(told(), []);
  const stats = {
    issued: 6,
    grants: 2,
    renewals: 1,
    batches: 0,
    refusals: 1,
    failures: 0,
    exhausted: 0,
    clockStepsBack: 1,
  };
  assert.deepEqual([ids.stats(), other.stats()], [stats, stats]);
});

test("how long a call took, and calls that failed", async () => {
  const { authority, answer } = waiting();
  const { ids, events } = make({ authority });
  const next = ids.next();
  await pass(40);
  await answer(new Response("<html>", { status: 502 }));
  // The pause is over.
  await pass(100);
  await answer();
  await awaited(next);
  const { failures, grants } = ids.stats();
  assert.deepEqual([failures, grants], [1, 1]);
  assert.equal(events.length, 1);
  const [event] = events;
  assert.ok(event.type === "acquired" && event.tookMs > 0 && event.tookMs < 100, `${event.type}`);
});

test("a listener that throws costs no id", async (t) => {
  const failure = new Error("the log is full");
  /** @type {unknown[]} */
  const thrown = [];
  const { queueMicrotask } = globalThis;
  t.mock.method(globalThis, "queueMicrotask", (/** @type {() => void} */ microtask) => {
    queueMicrotask(() => {
      try {
        microtask();
      } catch (error) {
        thrown.push(error);
      }
    });
  });
  const { ids } = make({
    onEvent: () => {
      throw failure;
    },
  });
  await acquire(ids);
  assert.deepEqual(placeOf(await ids.next()), [0, 0]);
  assert.deepEqual(thrown, [failure]);
});

test("H8 H18 H19 how many ids a batch has, and how long it is used", async () => {
  const asked = (/** @type {ReturnType<typeof service>} */ authority) =>
    authority.calls.map(({ fields }) => fields.count);
  const usual = make({ mode: "batch" });
  await acquire(usual.ids);
  // The fake authority gives 100 ids each time.
  assert.deepEqual(asked(usual.authority), [undefined]);

  const own = make({ mode: "batch", prefetchCount: 1_000, prefetchValidityMs: 50 });
  await acquire(own.ids);
  jump(49);
  assert.deepEqual(placeOf(own.ids.tryNext()), [0, 0]);
  assert.equal(own.ids.stats().batches, 1);
  jump(1);
  await acquire(own.ids);
  assert.deepEqual(placeOf(own.ids.tryNext()), [50, 0]);
  assert.deepEqual(asked(own.authority), [1_000, 1_000]);

  const forever = make({ mode: "batch", prefetchCount: 100_000, prefetchValidityMs: 0 });
  await acquire(forever.ids);
  jump(365 * 86_400_000);
  assert.deepEqual(placeOf(forever.ids.tryNext()), [50, 0]);
});

test("H8 generators with other prefetch options share no batch", async () => {
  const authority = service();
  const make = (/** @type {number} */ prefetchCount) =>
    new LeasedGenerator({ authority, mode: "batch", prefetchCount });
  await acquire(make(5));
  await make(5).next();
  assert.equal(authority.calls.length, 1);
  await acquire(make(6));
  assert.equal(authority.calls.length, 2);
});

test("the newest listener of a shared generator gets its events", async () => {
  const authority = service();
  const told = ["", ""];
  const shared = (/** @type {number} */ index) =>
    LeasedGenerator.shared({ authority, onEvent: ({ type }) => (told[index] += type) });
  const ids = shared(0);
  assert.equal(shared(1), ids);
  await acquire(ids);
  assert.deepEqual(told, ["", "acquired"]);
});

test("Q6 each id of a call has its tag, from a lease and from batches", async () => {
  const layout = "unused:1 timestamp:41 node:10 tag:4 sequence:8 @2018-01-01";
  const tagOf = (/** @type {bigint} */ id) => Layout.parse(layout).decode(id).tag;
  for (const mode of /** @type {const} */ (["lease", "batch"])) {
    const authority = service(undefined, { layout });
    const { ids } = make({ authority, mode });
    await acquire(ids);
    const all = [ids.tryNext(), ids.tryNext({ tag: 15 }), await ids.next({ tag: 7 })];
    all.push(BigInt(await ids.nextString("decimal", { tag: 1 })));
    all.push(...(await ids.batch(3, { tag: 9 })), await ids.next());
    assert.deepEqual(all.map(tagOf), [0, 15, 7, 1, 9, 9, 9, 0]);
    assert.equal(new Set(all.map((id) => id & ~(15n << 8n))).size, all.length);
    const issued = ids.stats().issued;
    await assert.rejects(ids.next({ tag: 16 }), {
      code: "too-large",
      message: "tag 16 is too large: at most 15 is allowed",
    });
    assert.throws(() => ids.tryNext({ tag: 16 }), { code: "too-large" });
    assert.equal(ids.stats().issued, issued);
  }
  const { ids } = make();
  await acquire(ids);
  await assert.rejects(ids.next({ tag: 1 }), { code: "too-large" });
  for (const tag of [-1, 1.5, "1"]) {
    await assert.rejects(ids.next({ tag: /** @type {any} */ (tag) }), { code: "invalid-number" });
  }
  await assert.rejects(ids.batch(2, /** @type {any} */ ({ tags: 1 })), { code: "invalid-option" });
});
