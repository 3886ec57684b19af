// Tests a leased generator on a simulated clock: by the transcripts of leased.txt, and by tests
// that a transcript cannot express.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, test } from "node:test";
import { LeasedGenerator } from "edgeflake/lease";
import { HAZELCAST, namespace, service } from "./consumer/authority.js";

/** @import { LeaseEvent } from "edgeflake/lease" */

const START_MS = Date.UTC(2027, 0, 1);
const START_TICK = START_MS - HAZELCAST.epochMs;

/** @type {import("node:test").MockTimers} */
let timers;
beforeEach((t) => {
  timers = /** @type {import("node:test").TestContext} */ (t).mock.timers;
  timers.enable({ apis: ["setTimeout", "Date"], now: START_MS });
});

/** Waits until nothing can run before the next timer. */
async function settle() {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
}

// A call that is still running must set its timer on the clock of this test, not of the next one.
afterEach(settle);

/**
 * Lets `ms` pass, or less if `isDone` returns true earlier.
 *
 * @param {number} ms @param {() => boolean} isDone
 */
async function pass(ms, isDone = () => false) {
  await settle();
  for (let i = 0; i < ms && !isDone(); i++) {
    timers.tick(1);
    await settle();
  }
}

/** Awaits a call while time passes. @template T @param {Promise<T>} call */
async function awaited(call) {
  let isSettled = false;
  const settled = () => {
    isSettled = true;
  };
  call.then(settled, settled);
  await pass(Number.POSITIVE_INFINITY, () => isSettled);
  return call;
}

/** @param {bigint} id */
function placeOf(id) {
  const { timestampMs, sequence } = HAZELCAST.decode(id);
  return `${timestampMs - START_MS}.${sequence}`;
}

/** @param {LeasedGenerator["lease"]} lease */
const spanOf = (lease) =>
  lease && `${lease.node}:${lease.fromTick - START_TICK}..${lease.untilTick - START_TICK}`;

/** The codes whose retry time is random. */
const DRAWN = ["authority-unreachable", "overloaded", "sequencer-destroyed"];

/** Plays events on two generators that share an authority, and returns their results. */
class Player {
  /** Returns the response to a call, or `undefined` for the usual response. @type {() => any} */
  #reply = () => undefined;
  /** The calls that wait for a response. @type {((response?: Response) => void)[]} */
  #open = [];
  /** @type {AbortSignal[]} */
  #signals = [];
  /** @type {Map<string, { leaving: AbortController, call: Promise<unknown> }>} */
  #requests = new Map();
  #lastMessage = "";
  #authority;
  /** The generators, each with its events that were not printed yet. */
  #generators;

  /** @param {string[]} words */
  constructor(words) {
    const waits = words.includes("waits");
    const pairs = words.map((word) => word.split("=")).filter(([, value]) => value);
    const given = pairs.map(([key, value]) => [key, /^\d/.test(value) ? Number(value) : value]);
    const { future, ...own } = Object.fromEntries(given);
    const later = () => new Promise((resolve) => this.#open.push(resolve));
    const reply = () => (waits ? later() : this.#reply());
    this.#authority = service(reply, future === undefined ? {} : { allowed_future_ms: future });
    const { fetch } = this.#authority;
    const authority = {
      fetch: (/** @type {string} */ url, /** @type {any} */ init) => {
        this.#signals.push(init.signal);
        return fetch(url, init);
      },
    };
    this.#generators = ["", "other"].map(() => {
      /** @type {LeaseEvent[]} */
      const events = [];
      const onEvent = (/** @type {LeaseEvent} */ event) => events.push(event);
      return { events, ids: new LeasedGenerator({ authority, onEvent, ...own }) };
    });
  }

  /** Carries out an event, and returns its result. @param {string} event */
  async play(event) {
    const isOther = event.startsWith("other ");
    const { ids, events } = this.#generators[Number(isOther)];
    const [name, ...words] = event.replace("other ", "").split(" ");
    const [key, request] = name.split("=");
    if (request) {
      const leaving = new AbortController();
      if (words.at(-1) === "aborted") leaving.abort("left");
      const call = this.#ask(ids, request, words, leaving.signal);
      this.#requests.set(key, { leaving, call });
      call.catch(() => {});
      return "";
    }
    const waiting = this.#requests.get(key);
    if (waiting) return this.#outcome(() => awaited(waiting.call));
    const { calls } = this.#authority;
    const known = calls.map(({ fields }) => fields.token);
    /** @type {Record<string, () => unknown>} */
    const plays = {
      replies: () => {
        this.#reply = () => responseOf(words);
      },
      answer: () => {
        for (const resolve of this.#open.splice(0)) resolve(responseOf(words));
        return settle();
      },
      abort: () => this.#requests.get(words[0])?.leaving.abort("left"),
      settle,
      pass: () => pass(Number(words[0])),
      jump: () => timers.setTime(Date.now() + Number(words[0])),
      calls: () => calls.map(({ url }) => url.split("/").at(-1)).join(" ") || "none",
      counts: () => calls.map(({ fields }) => fields.count ?? "any").join(" "),
      tokens: () => known.map((token) => `t${known.indexOf(token)}`).join(" "),
      aborted: () => `${this.#signals.filter(({ aborted }) => aborted).length} of ${calls.length}`,
      events: () => events.splice(0).map(shown).join(", ") || "none",
      stats: () =>
        Object.entries(ids.stats())
          .flatMap(([name, count]) => (count > 0 ? `${count} ${name}` : []))
          .join(", "),
      state: () => ids.state,
      lease: () => spanOf(ids.lease),
      why: () => this.#lastMessage,
      try: () => this.#outcome(() => ids.tryNext()),
    };
    const play = plays[name] ?? (() => this.#outcome(() => awaited(this.#ask(ids, name, words))));
    return play();
  }

  /** @param {any} ids @param {string} request @param {string[]} words @param {AbortSignal} [signal] */
  async #ask(ids, request, words, signal) {
    const count = words.filter((word) => /^\d/.test(word)).map(Number);
    return ids[request](...count, ...(signal ? [{ signal }] : []));
  }

  /** @param {() => unknown} call */
  async #outcome(call) {
    try {
      const value = /** @type {any} */ (await call());
      if (typeof value === "bigint") return placeOf(value);
      return value && `${placeOf(value[0])}..=${placeOf(value.at(-1))}`;
    } catch (/** @type {any} */ error) {
      if (!error.code) return error;
      this.#lastMessage = error.message;
      const { code, retryInMs } = error;
      if (retryInMs === undefined) return code;
      return DRAWN.includes(code) ? `${code}, later` : `${code} in ${retryInMs}`;
    }
  }
}

/** @param {string[]} words a status and JSON, `down`, or nothing for the usual response @returns {any} */
function responseOf([status, body = ""]) {
  if (status === "down") return Promise.reject(new Error("no route"));
  const headers = { "content-type": "application/json" };
  return status === undefined ? undefined : new Response(body, { status: Number(status), headers });
}

/** @param {LeaseEvent} event */
function shown({ type, sequencer, ...rest }) {
  const { lease, code, retryInMs, tookMs } = /** @type {Record<string, any>} */ (rest);
  const took = tookMs > 0 && tookMs < 100 && "slowly";
  return [type, sequencer, spanOf(lease), code, retryInMs, took].filter(Boolean).join(" ");
}

const blocks = readFileSync(new URL("leased.txt", import.meta.url), "utf8")
  .split("\n\n")
  .slice(1);
for (const block of blocks) {
  const [name, ...lines] = block.trimEnd().split("\n");
  test(name, async () => {
    const played = [];
    let player = new Player([]);
    for (const line of lines) {
      const outcomes = [];
      for (const event of line.trim().startsWith("#") ? [] : line.trim().split("; ")) {
        const [what] = event.split(" -> ");
        const [verb, ...words] = what.split(" ");
        if (verb === "new") player = new Player(words);
        const outcome = verb === "new" ? "" : await player.play(what);
        outcomes.push(outcome ? `${what} -> ${outcome}` : what);
      }
      played.push(outcomes.length > 0 ? `  ${outcomes.join("; ")}` : line);
    }
    assert.equal(played.join("\n"), lines.join("\n"));
  });
}

test("an object that its platform calls overloaded is left alone", async () => {
  const busy = Object.assign(new Error("too much waits for it"), { overloaded: true });
  const authority = namespace(() => Promise.reject(busy));
  const ids = new LeasedGenerator({ authority });
  const { code, retryInMs } = await awaited(ids.next().catch((error) => error));
  assert.ok(code === "overloaded" && retryInMs >= 1_000, `${code}, ${retryInMs} ms`);
  // The first retry comes 2.2 to 2.4 s after the refusal, and the second 2.4 to 2.8 s after that.
  assert.ok(authority.calls.length <= 3, `${authority.calls.length} calls in 5 s`);
});

test("a signal keeps no listener, whether it aborts or not", async () => {
  for (const isAborted of [false, true]) {
    /** @type {PromiseWithResolvers<undefined>} */
    const { promise, resolve } = Promise.withResolvers();
    const ids = new LeasedGenerator({ authority: service(() => promise) });
    const leaving = new AbortController();
    const { signal } = leaving;
    const listeners = () => getEventListeners(signal, "abort").length;
    const next = ids.next({ signal }).catch((reason) => reason);
    await pass(10);
    assert.ok(listeners() > 0);
    if (isAborted) leaving.abort();
    resolve(undefined);
    await awaited(next);
    assert.equal(listeners(), 0);
  }
});

test("a listener that throws costs no id", async (t) => {
  /** @type {unknown[]} */
  const thrown = [];
  const { queueMicrotask } = globalThis;
  t.mock.method(globalThis, "queueMicrotask", (/** @type {() => void} */ run) =>
    queueMicrotask(() => void Promise.try(run).catch((error) => thrown.push(error.message))),
  );
  const onEvent = () => {
    throw new Error("the log is full");
  };
  const ids = new LeasedGenerator({ authority: service(), onEvent });
  assert.throws(() => ids.tryNext(), { code: "not-ready" });
  await settle();
  assert.equal(placeOf(await ids.next()), "0.0");
  await settle();
  assert.deepEqual(thrown, ["the log is full"]);
});
